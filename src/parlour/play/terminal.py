"""A sitting in the terminal: you at one seat, bots at the others, and the clause behind every event."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..engine.game import Game
from ..engine.words import words_of
from ..players.hints import Advice, advise
from ..records.record import line_of
from ..sheets.model import SheetError
from ..sheets.rulebook import clause_text, readings_in_short, readings_lines, scores_lines
from ..util.english import joined, signed
from .choices import TYPE, Choices
from .opponents import Opponents
from .saves import data_home, fresh_path, write_whole
from .sentences import Teller, names_of
from .sitting import Sitting

HELP = (
    "Type what you want to do: the number of a choice, a card's code ({code}), or the name of a step ({step}). One "
    "line can hold several steps. Enter alone takes the only choice there is.",
    "  ?  explain the clauses behind what was last shown",
    "  ? {clause}  explain one clause",
    "  ? {code}  say what that card is, and why it cannot be played now",
    "  h  hint: the best step, and why",
    "  why  the figures behind that hint: score and chance to win",
    "  b  back: drop an unfinished move",
    "  u  undo: go back to your last decision",
    "  l  show the log so far",
    "  s  what scores in this game",
    "  r  how doubtful words are read here, and how long the game is",
    "  f  play on until you have a choice",
    "  q  save and quit; the same command resumes",
    "  !  this help",
)


class Quit(Exception):
    """The player leaves; the sitting is saved."""


def terminal_width() -> int:
    """How wide text may be."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 100))


def help_lines(game: Game) -> list[str]:
    """What can be typed, with examples of this game."""
    code, clause = game.codes[1], game.sheet.clauses[:7][-1].id
    step = next((name for name in game.step_names if name.endswith(f" {code}")), game.step_names[0])
    return [line.format(code=code, clause=clause, step=step) for line in HELP]


class Terminal:
    """Plays a sitting with a person who reads and types."""

    def __init__(
        self,
        sitting: Sitting,
        you: int,
        save: Path,
        read: Callable[[str], str] | None = None,
        write: Callable[[str], object] = print,
        bots: str = "random",
    ) -> None:
        self.sitting = sitting
        self.game = sitting.game
        self.words = words_of(self.game)
        self.you = you
        self.save_path = save
        self.bots = bots
        self.opponents = Opponents(sitting, bots)
        self.choices = Choices(sitting)
        self.read = read or input
        self.write = write
        self.names = names_of(self.game, sitting.players, you)
        self.teller = Teller(self.game, self.names, you, sitting.state.sides, options=sitting.state.options)
        self.clauses: list[str] = []  # behind what was last shown
        self.fast = False  # take a step without asking while it is the only one
        self.advice: Advice | None = None  # the last hint,
        self.advised = (0, 0)  # and when it was given: how many moves and steps were made
        self.unsaved = ""  # why the last save failed
        self.width = terminal_width()
        self.colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        # a resumed sitting is told from your last decision on
        mine = [move.heard for move in sitting.moves if move.seat == you]
        self.shown = mine[-1] if mine else 0

    # saying

    def faint(self, text: str) -> str:
        """Text that stands back."""
        return f"\033[2m{text}\033[0m" if self.colour else text

    def strong(self, text: str) -> str:
        """Text that stands out."""
        return f"\033[1m{text}\033[0m" if self.colour else text

    def say(self, text: str, indent: str = "") -> None:
        """Write paragraphs, wrapped to the width; later lines stand two spaces further in."""
        for paragraph in text.split("\n"):
            later = indent + paragraph[: len(paragraph) - len(paragraph.lstrip())] + "  "
            lines = textwrap.wrap(paragraph, self.width, initial_indent=indent, subsequent_indent=later)
            for line in lines or [""]:
                self.write(line)

    def say_cited(self, sentence: str, clause: str) -> None:
        """Say a sentence with its clause, which ? explains then."""
        self.say(f"{sentence} ({clause})" if clause else sentence)
        self.clauses = [clause] if clause else []

    def refuse(self, text: str) -> None:
        """Say why what was typed cannot be done."""
        sentence, clause = self.choices.refusal(text)
        self.say_cited(self.teller.coded(sentence), clause)

    def tell_news(self) -> None:
        """Say what was told since last time."""
        told = self.sitting.told[self.you]
        news = range(self.shown, len(told))
        self.shown = len(told)
        if news:
            self.clauses = []
        for at in news:
            sentence = self.teller.say_at(told, at)
            if sentence:
                clause = self.game.clause_of(told[at])
                if clause not in self.clauses:
                    self.clauses.append(clause)
                wrapped = textwrap.wrap(f"{sentence} ({clause})", self.width - 2, subsequent_indent="  ")
                for line in wrapped:
                    self.write("  " + line.replace(f"({clause})", self.faint(f"({clause})")))

    def tell_log(self) -> None:
        """Say everything that was told so far."""
        told = self.sitting.told[self.you]
        for at, entry in enumerate(told):
            sentence = self.teller.say_at(told, at)
            if sentence:
                self.say(f"{sentence} ({self.game.clause_of(entry)})", "  ")

    def tell_scores(self) -> None:
        """Say what scores here, which cards are high, and how it ends."""
        sheet = self.game.sheet
        about = [sheet.goal, *scores_lines(sheet, self.sitting.state.options), sheet.order, sheet.ends]
        for line in about:
            if line:
                self.say(line)

    def tell_readings(self) -> None:
        """Say how doubtful words are read here, and what sets the length and the stakes."""
        for line in readings_lines(self.game.sheet, self.sitting.state.options):
            self.say(line)
        self.say(f"Another game can have others: parlour play {self.game.name} --set and what stands in the brackets.")

    def lay_table(self) -> None:
        """Show the table as you see it."""
        self.write("")
        self.write(self.faint("─" * self.width))
        for line in self.words.table_lines(self, self.sitting.view(self.you).fields()):
            self.say(line)

    def player_lines(self, cells: Sequence[Sequence[str]], mark: Mapping[int, str]) -> list[str]:
        """One line for each player: the name, then a cell of every column, then the mark of that seat."""
        wide = max(len(name) for name in self.names)
        lines = []
        for seat, name in enumerate(self.names):
            said = [column[seat] for column in cells] + ([mark[seat]] if seat in mark else [])
            lines.append(f"  {name:<{wide}}  {' · '.join(said)}")
        return lines

    # asking

    def offer(self) -> None:
        """Show the choices."""
        begun = ", ".join(self.game.step_name(step) for step in self.sitting.prefix)
        so_far = f" ({begun} so far)" if begun else ""
        self.write(self.strong(f"Your turn{so_far}{self.words.prompt(self)}:"))
        if self.choices.are_numbers():
            self.say(self.choices.in_a_row(), "  ")
            return
        for line in self.choices.in_columns(self.width):
            self.write(line)

    def ask(self) -> None:
        """Ask until a step is taken."""
        legal = self.sitting.legal()
        if self.fast and len(legal) == 1:
            self.sitting.play(legal[0])
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
        """Do what a line says; returns whether the sitting has changed."""
        word, _, rest = line.partition(" ")
        word = word.lower() if len(word) == 1 else word
        if line == "!" or word == "help":
            self.help()
        elif word.startswith("?"):
            self.explain((word[1:] + " " + rest).strip())
        elif word in ("q", "quit"):
            raise Quit
        elif word in ("h", "hint"):
            self.hint()
        elif word == "why":
            self.why()
        elif word in ("b", "back"):
            self.sitting.take_back()
            return True
        elif word in ("u", "undo"):
            return self.undo()
        elif word in ("l", "log"):
            self.tell_log()
        elif word in ("s", "scores"):
            self.tell_scores()
        elif word in ("r", "readings"):
            self.tell_readings()
        elif word == "f":
            return self.play_on()
        else:
            return self.take(line)
        return False

    def help(self) -> None:
        """Say what can be typed."""
        for line in help_lines(self.game):
            self.say(line)

    def play_on(self) -> bool:
        """Take the only step there is, and from now on without asking."""
        self.fast = True
        legal = self.sitting.legal()
        if len(legal) == 1:
            self.sitting.play(legal[0])
            return True
        self.write("You have a choice here.")
        return False

    def take(self, line: str) -> bool:
        """Take the steps that a line names; where one is refused, a move that the line left unfinished is dropped."""
        before = list(self.sitting.prefix)
        made = len(self.sitting.moves)
        whole = not line or self.choices.find(line) is not None
        tokens = [line] if whole else line.replace(",", " ").split()
        verb, done = "", False
        for token in tokens:
            if self.sitting.seat != self.you:
                # nothing more is looked up: the legal steps belong to another seat now
                self.say(f"Your move is made; “{token[:40]}” is ignored.")
                return True
            step = self.choices.find(f"{verb} {token}" if verb else token)
            if step is None and verb:
                step = self.choices.find(token)
            if step is None and token.lower() in self.choices.verbs:
                verb = token.lower()
                continue
            if step is None and token.lower() in self.choices.fillers:
                continue
            if step is None:
                self.refuse(f"{verb} {token}" if verb else token)
                self.restore(before)
                return len(self.sitting.moves) > made
            self.sitting.play(step)
            done = True
            if not self.sitting.prefix:
                before = []  # a finished move stays
        if not done:
            self.say(TYPE)
        return done

    def restore(self, prefix: Sequence[int]) -> None:
        """Bring an unfinished move back to these steps."""
        if self.sitting.prefix == list(prefix):
            return
        self.sitting.take_back()
        for step in prefix:
            self.sitting.play(step)

    def explain(self, what: str) -> None:
        """Explain a card or a clause; without either, the clauses behind what was last shown."""
        if not what:
            told = [self.game.clause_of(entry) for entry in self.sitting.told[self.you][-3:]]
            for clause in dict.fromkeys(self.clauses or told):
                self.say(clause_text(self.game.sheet, clause))
            return
        code = what.upper()
        if code in self.game.codes:
            self.say(f"{code}: {self.teller.card_names[code]}.")
            if not self.choices.ending_in(code):
                self.refuse(code)
            return
        try:
            self.say(clause_text(self.game.sheet, what))
        except SheetError as error:
            self.say(str(error))

    def undo(self) -> bool:
        """Go back to your last decision; returns False where there is none."""
        if not self.sitting.undo(self.you):
            self.write("You have not made a decision yet, so there is nothing to undo.")
            return False
        self.shown = len(self.sitting.told[self.you])
        self.clauses = []
        self.write("Back to your last decision. The luck stays the same, and the record will say that you undid.")
        return True

    def hint(self) -> None:
        """Show the best step and why."""
        if len(self.sitting.legal()) == 1:
            self.say("There is only one thing to do.")
            return
        self.advice = advise(self.game, self.sitting.view(self.you), self.opponents.seed)
        self.advised = len(self.sitting.moves), len(self.sitting.prefix)
        advice = self.advice
        reason = self.teller.argue(advice.claims) if advice.claims else self.teller.refuse(advice.reason)
        self.say_cited(reason, advice.clause)
        self.write("Type why for the figures.")

    def why(self) -> None:
        """Show the figures behind the last hint: the score and the chance to win that are expected of each step."""
        if self.advice is None or self.advised != (len(self.sitting.moves), len(self.sitting.prefix)):
            self.say("Ask for a hint first, with h.")
            return
        for number, hint in enumerate(self.advice.hints[:4]):
            score = f"{hint.score:.1f}".replace("-", "−")
            text = f"{hint.name:<16} score {score} ± {hint.score_within:.1f}, "
            text += f"chance to win {100 * hint.win_chance:.0f} ± {100 * hint.win_within:.0f} %"
            self.write(self.strong(f"  {text}") if number == 0 else f"  {text}")
        self.say("The score is yours at the end of the deal. ± covers 95 cases of 100.")

    # playing

    def run(self) -> None:
        """Play to the end; raises Quit when the player leaves."""
        sitting = self.sitting
        self.say(f"{self.game.title} · {sitting.players} players · you sit at seat {self.you}. Type ! for help.")
        self.say(self.opponents.introduction(self.names, self.you))
        for line in self.about_readings():
            self.say(line)
        self.save()
        while not sitting.over:
            if sitting.seat != self.you:
                self.bot_step()
                continue
            self.tell_news()
            if not self.fast or len(sitting.legal()) > 1:
                if not sitting.prefix:
                    self.save()
                self.lay_table()
                self.offer()
            self.ask()
        self.tell_news()
        self.finish()

    def about_readings(self) -> list[str]:
        """How one plays, where there is a choice, and how doubtful words are read: a line each."""
        sheet, options = self.game.sheet, self.sitting.state.options
        lines = [readings_in_short(sheet, options, self.sitting.players)]
        if lines[0]:
            lines[0] += " Type r for the readings."
        for option in sheet.options:
            now = options[option.name]
            others = [value for value in option.values if value.name != now and self.sitting.players in value.players]
            if option.offered and now == option.default and others:
                ways = joined((f"parlour play {self.game.name} {value.label.lower()}" for value in others), "or")
                lines.append(f"{option.label}: {option.call(now).lower()}. To change it: {ways}.")
        return [line for line in lines if line]

    def bot_step(self) -> None:
        """Let a bot take a step, and say which faults it had."""
        self.opponents.take_step()
        for report in self.opponents.reports():
            self.say(report)

    def save(self) -> None:
        """Save the sitting; where that fails, say so once and play on."""
        try:
            write_whole(self.save_path, self.sitting.save(you=self.you, bots=self.bots))
        except OSError as error:
            if not self.unsaved:
                self.say(f"This sitting cannot be saved ({error.strerror}). You can play on.")
            self.unsaved = error.strerror or "unknown"

    def finish(self) -> None:
        """Say who has won, and write the record."""
        sitting = self.sitting
        winners = [self.names[seat] for seat in sitting.winners()]
        verb = "win" if len(winners) > 1 or winners == ["you"] else "wins"
        sentence = f"{joined(winners) or 'nobody'} {verb}."
        self.write("")
        if self.words.CLOSING:
            self.say(self.words.CLOSING)
        self.write(self.strong(sentence[0].upper() + sentence[1:]))
        scores = zip(self.teller.sides, sitting.scores(), strict=True)
        self.say("Final score: " + ", ".join(f"{name} {signed(score)}" for name, score in scores) + ".")
        when = time.strftime("%Y%m%d-%H%M%S")
        path = fresh_path(data_home() / "records" / f"{self.game.name}-{when}.jsonl")
        try:
            write_whole(path, line_of(sitting.record(date=time.strftime("%Y-%m-%d"), names=self.names, bots=self.bots)))
        except OSError as error:
            self.say(f"The record cannot be written to {path} ({error.strerror}).")
            return
        self.write(f"The record is in {path}")
        with contextlib.suppress(OSError):
            self.save_path.unlink()
