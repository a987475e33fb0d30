"""The engine: states, views, chance, search."""
