"""A deterministic simulation of the server: one seed, one world of clients, faults and virtual time."""
