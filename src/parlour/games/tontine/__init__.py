from .rules import TONTINE as GAME

__all__ = ["GAME"]
