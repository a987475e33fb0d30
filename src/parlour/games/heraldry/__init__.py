from .rules import HERALDRY as GAME

__all__ = ["GAME"]
