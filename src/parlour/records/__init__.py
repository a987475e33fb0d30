"""Records of sittings: the open format, replaying and checking it, and the seals of tables."""
