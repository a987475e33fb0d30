"""The five games in the interfaces that researchers already use, each an extra of its own."""
