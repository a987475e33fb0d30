from .rules import MASQUERADE as GAME

__all__ = ["GAME"]
