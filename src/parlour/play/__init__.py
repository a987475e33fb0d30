"""Sittings as people play them: sentences, terminal, drawn cards."""
