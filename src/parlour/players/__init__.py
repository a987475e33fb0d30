"""Players: bots by name, programs from outside, hints."""
