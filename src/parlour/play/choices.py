"""The choices at a decision, as the terminal lists them and as a person types them."""

from __future__ import annotations

from itertools import groupby

from ..engine.words import third_person, words_of
from .sitting import Sitting

FILLERS = ("play", "out", "and", "with", "for", "the", "from")  # words that mean nothing before a card, in any game
TYPE = "Type a number or a name from the list, or ! for help."


class Choices:
    """The legal steps of a sitting. A step is typed as its name, the last word of its name, or its number in the list.

    Where names end in numbers, as bids do, a number typed alone is such a name and not a place in the list.
    """

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.game = sitting.game
        self.titles = {**words_of(self.game).NAMES, **self.game.names_for(sitting.state.options)}
        self.verbs = {name.split()[0] for name in self.game.step_names if " " in name}
        self.fillers = {*FILLERS, *map(third_person, self.verbs)}  # as in "S3 takes S7"

    def listed(self) -> list[tuple[int, str]]:
        """The legal steps with their names."""
        return [(step, self.game.step_name(step)) for step in self.sitting.legal()]

    def are_numbers(self) -> bool:
        """Whether there are steps whose names end in a number."""
        return any(last_word(name).isdecimal() for _, name in self.listed())

    def in_a_row(self) -> str:
        """Steps that end in numbers, in one line: bid 1, 2, 3; or pass."""
        names = [name for _, name in self.listed()]
        numbered = [name for name in names if last_word(name).isdecimal()]
        rows = [
            f"{verb} {', '.join(map(last_word, group))}"
            for verb, group in groupby(numbered, key=lambda name: name.rpartition(" ")[0])
        ]
        others = [f"or {name}" for name in names if name not in numbered]
        return "; ".join([*rows, *others])

    def in_columns(self, width: int) -> list[str]:
        """The steps numbered, with the names of their cards, in as many columns as fit."""
        cells = []
        for number, (_, name) in enumerate(self.listed(), 1):
            code = last_word(name)
            title = self.titles.get(code, "") if code != name else ""
            cells.append(f"{number:>3}  {name}" + (f" – {title}" if title else ""))
        wide = max(len(cell) for cell in cells) + 3
        columns = max(1, min(len(cells), width // wide))
        rows = -(-len(cells) // columns)
        return ["".join(f"{cell:<{wide}}" for cell in cells[row::rows]).rstrip() for row in range(rows)]

    def find(self, text: str) -> int | None:
        """The legal step that a text means; an empty text means the only step there is."""
        choices = self.listed()
        wanted = text.lower()
        if not wanted:
            return choices[0][0] if len(choices) == 1 else None
        for step, name in choices:
            if wanted == name.lower():
                return step
        ends = self.ending_in(wanted)
        if len(ends) == 1:
            return ends[0]
        if wanted.isdecimal() and len(wanted) < 4 and 1 <= int(wanted) <= len(choices) and not self.are_numbers():
            return choices[int(wanted) - 1][0]
        return None

    def ending_in(self, word: str) -> list[int]:
        """The legal steps whose names end in this word."""
        return [step for step, name in self.listed() if word.lower() == last_word(name).lower()]

    def refusal(self, text: str) -> tuple[str, str]:
        """Why a text that means no legal step cannot be done now, and the clause behind that."""
        wanted = text.lower()
        ends = self.ending_in(wanted)
        if len(ends) > 1:
            return f"Which one: {' or '.join(self.game.step_name(step) for step in ends)}?", ""
        names = [name.lower() for name in self.game.step_names]
        named = [step for step, name in enumerate(names) if wanted == name]
        named += [step for step, name in enumerate(names) if wanted == last_word(name)]
        refused = [step for step in named if step not in self.sitting.legal()]
        if refused:
            sentence, clause = self.sitting.state.why_not(refused[0])
            return sentence, clause
        return f"“{text[:40]}” is not one of the choices. {TYPE}" if text else TYPE, ""


def last_word(name: str) -> str:
    """The last word of a step's name, such as a card's code."""
    return name.split()[-1]
