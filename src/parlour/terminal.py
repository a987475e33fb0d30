"""A sitting in the terminal: you at one seat, bots at the others, every happening with its clause."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .bots import Random
from .cards import CITIES, HERALDRY_SUITS, MASQUERADE_SUITS
from .core import Seeded
from .game import Game
from .record import line_of
from .rulebook import clause_text
from .sheets import SheetError
from .sitting import Sitting
from .words import Teller, many, names_of

HELP = """\
Type what you want to do: the number of a choice, a card's code (M3), or its whole name (play M3). Several steps can
stand in one line (X10 C4 S6). Enter alone takes the only choice there is.
  ?          the clauses behind what was last shown      ? MASQ-7   one clause
  ? D8       what that card is, and why it may not be played
  b          back: drop an unfinished move               u          undo: back to your last decision
  l          the log so far                              f          on to the end, where you have no choice
  q          save and quit; the same command goes on     !          this help"""


class Quit(Exception):
    """The player leaves; the sitting is saved."""


def data_home() -> Path:
    """Where unfinished sittings and records are kept."""
    home = os.environ.get("PARLOUR_DATA")
    if home:
        return Path(home)
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "parlour"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    with open(new, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


class Terminal:
    """Plays a sitting with a person who reads and types."""

    def __init__(
        self,
        sitting: Sitting,
        you: int,
        save: Path,
        read: Callable[[str], str] | None = None,
        write: Callable[[str], object] = print,
    ) -> None:
        self.sitting = sitting
        self.game: Game = sitting.game
        self.you = you
        self.save_path = save
        self.read = read or input
        self.write = write
        self.names = names_of(self.game, sitting.players, you)
        sides = len(sitting.scores()) if self.game.name == "lost-heir" else 0
        self.teller = Teller(self.game, self.names, you, sides)
        self.shown = 0
        self.clauses: list[str] = []
        self.fast = False
        self.width = min(shutil.get_terminal_size((100, 24)).columns, 110)
        self.colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ

    # saying

    def faint(self, text: str) -> str:
        return f"\033[2m{text}\033[0m" if self.colour else text

    def strong(self, text: str) -> str:
        return f"\033[1m{text}\033[0m" if self.colour else text

    def say(self, text: str, indent: str = "") -> None:
        for paragraph in text.split("\n"):
            lines = textwrap.wrap(paragraph, self.width, initial_indent=indent, subsequent_indent=indent + "  ")
            for line in lines or [""]:
                self.write(line)

    def tell_news(self) -> None:
        """Say what was told since last time."""
        news = self.sitting.told[self.you][self.shown :]
        self.shown += len(news)
        if news:
            self.clauses = []
        for entry in news:
            sentence = self.teller.say(entry)
            if sentence:
                clause = self.game.clause_of(entry)
                if clause not in self.clauses:
                    self.clauses.append(clause)
                wrapped = textwrap.wrap(f"{sentence} ({clause})", self.width - 2, subsequent_indent="  ")
                for line in wrapped:
                    self.write("  " + line.replace(f"({clause})", self.faint(f"({clause})")))

    def lay_table(self) -> None:
        """Say how things stand for you."""
        self.write("")
        self.write(self.faint("─" * self.width))
        for line in TABLES[self.game.name](self, self.sitting.view(self.you).fields()):
            self.say(line)

    def player_lines(self, columns: Sequence[tuple[str, Sequence[Any]]], mark: dict[int, str]) -> list[str]:
        """A line for each player: the name, then the columns."""
        wide = max(len(name) for name in self.names)
        lines = []
        for seat, name in enumerate(self.names):
            cells = " · ".join(f"{values[seat]} {label}".rstrip() for label, values in columns)
            lines.append(f"  {name:<{wide}}  {cells}" + (f" · {mark[seat]}" if seat in mark else ""))
        return lines

    # asking

    def choices(self) -> list[tuple[int, str]]:
        return [(step, self.game.step_name(step)) for step in self.sitting.legal()]

    def offer(self) -> None:
        """Show what can be done."""
        choices = self.choices()
        begun = ", ".join(self.game.step_name(step) for step in self.sitting.prefix)
        self.write(self.strong(f"Your turn ({begun} so far):" if begun else "Your turn:"))
        cells = []
        for number, (_, name) in enumerate(choices, 1):
            code = name.split()[-1]
            title = self.game.card_names.get(code, "") if code != name else ""
            if title:
                title = f" – {title}"
            elif name.startswith("trump "):
                title = f" – {CITIES[code]}"
            cells.append(f"{number:>3}  {name}{title}")
        wide = max(len(cell) for cell in cells) + 3
        columns = max(1, min(len(cells), self.width // wide))
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self.write("".join(f"{cell:<{wide}}" for cell in cells[row::rows]).rstrip())

    def ask(self) -> None:
        """Ask until a step is taken."""
        choices = self.choices()
        if self.fast and len(choices) == 1:
            self.sitting.play(choices[0][0])
            return
        self.fast = False
        while True:
            try:
                line = self.read("> ").strip()
            except EOFError:
                raise Quit from None
            if self.obey(line):
                return

    def obey(self, line: str) -> bool:
        """Do what a line says; whether the sitting went on."""
        word, _, rest = line.partition(" ")
        if line == "!" or word in ("help", "h"):
            self.write(HELP)
        elif word.startswith("?"):
            self.explain((word[1:] + " " + rest).strip())
        elif word in ("q", "quit"):
            raise Quit
        elif word in ("b", "back"):
            self.sitting.take_back()
            return True
        elif word in ("u", "undo"):
            return self.undo()
        elif word in ("l", "log"):
            self.tell_log()
        elif word == "f":
            self.fast = True
            choices = self.choices()
            if len(choices) == 1:
                self.sitting.play(choices[0][0])
                return True
            self.write("You have a choice here.")
        else:
            return self.take(line)
        return False

    def take(self, line: str) -> bool:
        """Take the step or steps that a line names; all of them or none."""
        before = list(self.sitting.prefix)
        tokens = [line] if self.find(line) is not None or not line else line.replace(",", " ").split()
        done = False
        for token in tokens:
            step = self.find(token)
            if step is None:
                if token in ("play", "take", "takes", "and", "with", "offer", "throw", "bid", "give"):
                    continue  # words people write around the codes
                self.refuse(token)
                self.restore(before)
                return False
            moves = len(self.sitting.moves)
            self.sitting.play(step)
            done = True
            if len(self.sitting.moves) > moves:
                break  # the move is whole; what else the line says is not for this turn
        if not done:
            self.write("Type a number or a name from the list; ! for help.")
        return done

    def restore(self, prefix: Sequence[int]) -> None:
        self.sitting.take_back()
        for step in prefix:
            self.sitting.play(step)

    def find(self, text: str) -> int | None:
        """The legal step that a text means: its number in the list, its name, or the last word of its name."""
        choices = self.choices()
        if not text:
            return choices[0][0] if len(choices) == 1 else None
        for step, name in choices:
            if text.lower() == name.lower():
                return step
        ends = [step for step, name in choices if text.lower() == name.split()[-1].lower()]
        if len(ends) == 1 and not text.isdigit():
            return ends[0]
        if text.isdigit() and 1 <= int(text) <= len(choices):
            return choices[int(text) - 1][0]
        return ends[0] if len(ends) == 1 else None

    def refuse(self, text: str) -> None:
        """Say why a text cannot be done now, with the clause."""
        for step in range(self.game.steps):
            name = self.game.step_name(step)
            if text.lower() in (name.lower(), name.split()[-1].lower()):
                sentence, clause = self.sitting.state.why_not(step)
                if step not in self.sitting.legal():
                    self.say(f"{sentence} ({clause})" if clause else sentence)
                    self.clauses = [clause] if clause else []
                    return
        self.write(f"“{text[:40]}” is not among the choices; type a number or a name from the list, or ! for help.")

    def explain(self, what: str) -> None:
        """The clause of anything shown: what was last said, a clause by number, a card."""
        if not what:
            for clause in self.clauses or [self.game.sheet.clauses[0].id]:
                self.say(clause_text(self.game.sheet, clause))
            return
        code = what.upper()
        if code in self.game.codes:
            self.write(f"{code}: {self.game.card_names[code]}.")
            if self.find(code) is None:
                self.refuse(code)
            return
        try:
            self.say(clause_text(self.game.sheet, what))
        except SheetError as error:
            self.say(str(error))

    def undo(self) -> bool:
        if not self.sitting.undo(self.you):
            self.write("There is nothing of yours to undo yet.")
            return False
        self.shown = len(self.sitting.told[self.you])
        self.clauses = []
        self.write("Back to your last decision. The luck stays the same, and the record says that you undid.")
        return True

    def tell_log(self) -> None:
        for entry in self.sitting.told[self.you]:
            sentence = self.teller.say(entry)
            if sentence:
                self.say(f"{sentence} ({self.game.clause_of(entry)})", "  ")

    # playing

    def run(self) -> None:
        """Play to the end; raises Quit when the player leaves."""
        sitting = self.sitting
        self.write(f"{self.game.title} · {sitting.players} players · you sit at seat {self.you}. Type ! for help.")
        while not sitting.over:
            if sitting.seat == self.you:
                self.tell_news()
                if not self.fast or len(sitting.legal()) > 1:
                    self.lay_table()
                    self.offer()
                self.ask()
            else:
                self.bot_step()
            if not sitting.prefix:
                write_whole(self.save_path, sitting.save(you=self.you))
        self.tell_news()
        self.finish()

    def bot_step(self) -> None:
        """A bot takes a step; its luck is that of the sitting's secret and the moment, so that undo changes nothing."""
        sitting = self.sitting
        seed = int.from_bytes(sitting.secret[:8], "big")
        luck = Seeded(seed, 1 + len(sitting.moves) * 64 + len(sitting.prefix))
        sitting.play(Random(luck).choose(None, sitting.legal()))

    def finish(self) -> None:
        """Say who won, and keep the record."""
        sitting = self.sitting
        winners = [self.names[seat] for seat in sitting.winners()]
        verb = "win" if len(winners) > 1 or winners == ["you"] else "wins"
        self.write("")
        sentence = f"{many(winners)} {verb}."
        self.write(self.strong(sentence[0].upper() + sentence[1:]))
        scores = zip(self.teller.sides, sitting.scores(), strict=True)
        self.say("Final score: " + ", ".join(f"{name} {score}" for name, score in scores) + ".")
        when = time.strftime("%Y%m%d-%H%M%S")
        path = data_home() / "records" / f"{self.game.name}-{when}.jsonl"
        write_whole(path, line_of(sitting.record(date=time.strftime("%Y-%m-%d"), names=self.names)))
        with contextlib.suppress(FileNotFoundError):
            self.save_path.unlink()
        self.write(f"The record is in {path}")


# --- the five tables --------------------------------------------------------------------------------------------------


def by_suit(codes: Sequence[str], suits: dict[str, str]) -> str:
    """A hand by suits."""
    parts = []
    for suit, name in suits.items():
        held = [code for code in codes if code[0] == suit and code[1:] and code not in ("NY", "PH")]
        if held:
            parts.append(f"{name} {' '.join(held)}")
    odd = [code for code in codes if code in ("NY", "PH", "WB", "LH")]
    return " · ".join(parts + ([f"odd {' '.join(odd)}"] if odd else [])) or "empty"


def masquerade_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    names = terminal.names
    trick = " → ".join(f"{names[seat]} {code}" for seat, code in view["trick"]) or "you lead"
    marks = {view["dealer"]: "deals"}
    lines = terminal.player_lines([("points", view["points"]), ("cards", view["hand_sizes"])], marks)
    if view["received"]:
        lines.append(f"You received {' '.join(view['received'])} and owe a card in return.")
    return [*lines, f"The climb: {trick}", f"Your hand: {by_suit(view['hand'], MASQUERADE_SUITS)}"]


def lost_heir_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    names = terminal.names
    sides = len(view["totals"])
    totals = [view["totals"][seat % sides] for seat in range(len(names))]
    points = [view["points"][seat % sides] + view["fines"][seat % sides] for seat in range(len(names))]
    bids = ["–" if bid is None else "pass" if bid == 0 else f"bid {bid}" for bid in view["bids"]]
    columns = [("in all", totals), ("this deal", points), ("", bids), ("cards", view["hand_sizes"])]
    lines = [f"Deal {view['deal']}"]
    if view["trump"]:
        named = f"{CITIES[view['trump']]} is trumps, named by {names[view['namer']]} with a bid of {view['bid']}"
        lines[0] += f" · {named} · tricks to play: {view['tricks_left']}"
    lines += terminal.player_lines(columns, {view["dealer"]: "deals"})
    if view["trump"]:
        trick = " · ".join(f"{names[seat]} {code}" for seat, code in view["trick"]) or "you lead"
        lines.append(f"The trick: {trick}")
    return [*lines, f"Your hand: {by_suit(view['hand'], CITIES)}"]


def sovereign_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    pence = {"SOV": 0, "HG": 126, "HS": 120, "CR": 60, "HC": 30, "FL": 24, "SH": 12, "6D": 6, "1D": 1}
    coins = " · ".join(
        f"{count} × {terminal.game.card_names[code]} [{code}] {pence[code]}d" if pence[code] else "the Sovereign [SOV]"
        for code, count in view["coins"].items()
    )
    worth = sum(pence[code] * count for code, count in view["coins"].items())
    offered = sum(pence[code] * count for code, count in view["offer"].items())
    lines = [
        f"Game {view['game'] + 1}, round {view['round'] + 1} · general pool {view['general_pool']}, "
        f"sovereign pool {view['sovereign_pool']} · surplus {view['surplus']} cards, {view['aside']} aside",
        *terminal.player_lines([("counters", view["counters"])], {view["dealer"]: "deals"}),
        f"Your hand, {worth}d in all, 240d wanted: {coins}",
    ]
    return lines + ([f"Offered so far: {offered}d of 240d"] if view["offer"] else [])


def heraldry_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    won = [len(pile) for pile in view["won"]]
    lines = [
        f"Deal {view['deal']} · {view['pack']} cards in the pack",
        *terminal.player_lines([("points", view["totals"]), ("cards won", won)], {view["dealer"]: "deals"}),
        f"The table: {' '.join(view['table']) or 'empty'}",
        f"Your hand: {by_suit(view['hand'], HERALDRY_SUITS)}",
    ]
    if view["playing"]:
        lines.append(f"Playing {view['playing']}, taking {' '.join(view['taking']) or 'nothing yet'}")
    return lines


def tontine_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    living = [f"{terminal.names[seat]} {view['counters'][seat]}" for seat in view["living"]]
    dead = len(view["counters"]) - len(living)
    return [
        f"Deal {view['deal'] + 1} · {view['box']} counters in the box · {len(living)} living, {dead} dead",
        "Counters: " + ", ".join(living),
    ]


TABLES: dict[str, Callable[[Terminal, dict[str, Any]], list[str]]] = {
    "masquerade": masquerade_table,
    "lost-heir": lost_heir_table,
    "sovereign": sovereign_table,
    "heraldry": heraldry_table,
    "tontine": tontine_table,
}
