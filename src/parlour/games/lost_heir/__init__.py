from .rules import LOST_HEIR as GAME

__all__ = ["GAME"]
