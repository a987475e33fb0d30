"""The five games in the interfaces that researchers already use, each a thin layer over the registry."""
