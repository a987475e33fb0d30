"""Players: bots by name, your own, programs, policies; hints."""
