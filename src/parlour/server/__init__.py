"""The table: sittings that people and bots play together over the network; it loses nothing and leaks nothing."""
