"""The rule sheets as data: clauses, readings and options."""

from .model import GAMES, Clause, Option, OptionError, Sheet, SheetError, read_sheet, sheet

__all__ = ["GAMES", "Clause", "Option", "OptionError", "Sheet", "SheetError", "read_sheet", "sheet"]
