from .rules import SOVEREIGN as GAME

__all__ = ["GAME"]
