"""A club evening without accounts: pairings, the same deals for all at a server's tables, a fair table of results."""
