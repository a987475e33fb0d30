"""Adapters: the games in the interfaces that researchers already use, each an optional extra."""
