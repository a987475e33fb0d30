"""Tables in PostgreSQL, shared by several processes: the log is the lock."""
