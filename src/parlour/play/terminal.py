"""A sitting in the terminal: you at one seat, bots at the others, every happening with its clause."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..engine.game import Game
from ..games.heraldry.pack import SUITS as HERALDRY_SUITS
from ..games.lost_heir.pack import CITIES
from ..games.masquerade.pack import SUITS as MASQUERADE_SUITS
from ..games.sovereign.pack import COIN_PENCE
from ..players.bots import Blind
from ..players.hints import advise
from ..players.seats import Seating, bots_for
from ..records.record import line_of
from ..sheets.model import SheetError
from ..sheets.rulebook import clause_text
from .sentences import Teller, many, names_of
from .sitting import Sitting

HELP = (
    "Type what you want to do: the number of a choice, a card's code ({code}), or its whole name ({step}). Several "
    "steps can stand in one line. Enter alone takes the only choice there is.",
    "  ?  the clauses behind what was last shown",
    "  ? {clause}  one clause",
    "  ? {code}  what that card is, and why it may not be played",
    "  h  a hint: what could be done, what may come of it, and why",
    "  b  back: drop an unfinished move",
    "  u  undo: back to your last decision",
    "  l  the log so far",
    "  f  on to the end, where you have no choice",
    "  q  save and quit; the same command goes on",
    "  !  this help",
)
VERBS = ("play", "take", "offer", "throw", "give", "return", "bid", "trump")
FILLERS = ("takes", "and", "with", "for", "the", "from", "out")


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


def fresh_path(path: Path) -> Path:
    """A path at which nothing lies yet."""
    number = 1
    found = path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found


def terminal_width() -> int:
    """How wide text may be."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 100))


def count(number: int, thing: str) -> str:
    """A number of things: 1 card, 2 cards, −1 counter."""
    return f"{number} {thing if abs(number) == 1 else thing + 's'}".replace("-", "−")


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
        self.game: Game = sitting.game
        self.you = you
        self.save_path = save
        self.bots = bots
        self.seating = Seating(self.game, sitting.players, sitting.options, bots_for(bots, sitting.players))
        self.seed = int.from_bytes(hashlib.sha256(b"parlour bots 1" + sitting.secret).digest()[:8], "big")
        self.heard = [0] * sitting.players
        self.undone = [sitting.undone] * sitting.players
        for bot in self.seating.bots:
            bot.begin(self.seed, 0)
        self.read = read or input
        self.write = write
        self.names = names_of(self.game, sitting.players, you)
        sides = len(sitting.scores()) if self.game.name == "lost-heir" else 0
        self.teller = Teller(self.game, self.names, you, sides)
        self.clauses: list[str] = []
        self.fast = False
        self.unsaved = ""
        self.width = terminal_width()
        self.colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        # a sitting that is gone on with is told from your last decision on
        mine = [move.heard for move in sitting.moves if move.seat == you]
        self.shown = mine[-1] if mine else 0

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

    def player_lines(self, cells: Sequence[Sequence[str]], mark: dict[int, str]) -> list[str]:
        """A line for each player: the name, then what there is to say of each."""
        wide = max(len(name) for name in self.names)
        lines = []
        for seat, name in enumerate(self.names):
            said = [column[seat] for column in cells] + ([mark[seat]] if seat in mark else [])
            lines.append(f"  {name:<{wide}}  {' · '.join(said)}")
        return lines

    # asking

    def choices(self) -> list[tuple[int, str]]:
        return [(step, self.game.step_name(step)) for step in self.sitting.legal()]

    def offer(self) -> None:
        """Show what can be done."""
        choices = self.choices()
        begun = ", ".join(self.game.step_name(step) for step in self.sitting.prefix)
        so_far = f" ({begun} so far)" if begun else ""
        self.write(self.strong(f"Your turn{so_far}{self.purpose()}:"))
        if choices[0][1] == "pass":
            bids = ", ".join(name.split()[-1] for _, name in choices[1:])
            self.say(f"bid {bids}; or pass", "  ")
            return
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

    def purpose(self) -> str:
        """What a card of Heraldry will do: it takes, or where none can, it is laid on the table."""
        if self.game.name != "heraldry" or self.sitting.prefix:
            return ""
        trial = self.sitting.state.copy()
        won = len(trial.where()[f"won {self.you}"])
        trial.play(self.sitting.legal()[0])
        takes = trial.unfinished or len(trial.where()[f"won {self.you}"]) > won
        return ", and these can take" if takes else ", and nothing can be taken: lay a card on the table"

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
        word = word.lower() if len(word) == 1 else word
        if line == "!" or word == "help":
            self.help()
        elif word.startswith("?"):
            self.explain((word[1:] + " " + rest).strip())
        elif word in ("q", "quit"):
            raise Quit
        elif word in ("h", "hint"):
            self.hint()
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

    def help(self) -> None:
        """What can be typed, with examples of this game."""
        code, clause = self.game.codes[1], self.game.sheet.clauses[6].id
        step = next((name for name in self.game.step_names if name.endswith(f" {code}")), self.game.step_names[0])
        for line in HELP:
            self.say(line.format(code=code, clause=clause, step=step))

    def take(self, line: str) -> bool:
        """Take the steps that a line names. An unfinished move that a line does not finish well is as it was before."""
        before = list(self.sitting.prefix)
        made = len(self.sitting.moves)
        if not line or self.find(line) is not None:
            tokens = [line]
        else:
            tokens = line.replace(",", " ").split()
        verb, done = "", False
        for token in tokens:
            if self.sitting.seat != self.you:
                # nothing more is looked up: the legal steps are now another's
                self.say(f"Your move is made; “{token[:40]}” is left for another turn.")
                return True
            step = self.find(f"{verb} {token}" if verb else token)
            if step is None and verb:
                step = self.find(token)
            if step is None and token.lower() in VERBS:
                verb = token.lower()
                continue
            if step is None and token.lower() in FILLERS:
                continue
            if step is None:
                self.refuse(f"{verb} {token}" if verb else token)
                self.restore(before)
                return len(self.sitting.moves) > made
            self.sitting.play(step)
            done = True
            if not self.sitting.prefix:
                before = []  # a move was finished, and stays
        if not done:
            self.say("Type a number or a name from the list; ! for help.")
        return done

    def restore(self, prefix: Sequence[int]) -> None:
        """Drop the steps that a refused line began, and take again those from before it."""
        if self.sitting.prefix == list(prefix):
            return
        self.sitting.take_back()
        for step in prefix:
            self.sitting.play(step)

    def find(self, text: str) -> int | None:
        """The legal step that a text means: its name, the last word of its name, or its number in the list."""
        choices = self.choices()
        wanted = text.lower()
        if not wanted:
            return choices[0][0] if len(choices) == 1 else None
        for step, name in choices:
            if wanted == name.lower():
                return step
        ends = self.endings(wanted)
        if len(ends) == 1:
            return ends[0]
        if wanted.isdecimal() and len(wanted) < 4 and 1 <= int(wanted) <= len(choices) and choices[0][1] != "pass":
            return choices[int(wanted) - 1][0]
        return None

    def endings(self, word: str) -> list[int]:
        """The legal steps whose name ends in this word."""
        return [step for step, name in self.choices() if word == name.split()[-1].lower()]

    def refuse(self, text: str) -> None:
        """Say why a text cannot be done now, with the clause."""
        wanted = text.lower()
        ends = self.endings(wanted)
        if len(ends) > 1:
            names = [self.game.step_name(step) for step in ends]
            self.say(f"Which one: {' or '.join(names)}?")
            return
        named = [step for step in range(self.game.steps) if wanted == self.game.step_name(step).lower()]
        named += [step for step in range(self.game.steps) if wanted == self.game.step_name(step).split()[-1].lower()]
        refused = [step for step in named if step not in self.sitting.legal()]
        if refused:
            sentence, clause = self.sitting.state.why_not(refused[0])
            self.say(f"{sentence} ({clause})" if clause else sentence)
            self.clauses = [clause] if clause else []
            return
        self.say(f"“{text[:40]}” is not among the choices; type a number or a name from the list, or ! for help.")

    def explain(self, what: str) -> None:
        """The clause of anything shown: what was last said, a clause by number, a card."""
        if not what:
            told = [self.game.clause_of(entry) for entry in self.sitting.told[self.you][-3:]]
            for clause in dict.fromkeys(self.clauses or told):
                self.say(clause_text(self.game.sheet, clause))
            return
        code = what.upper()
        if code in self.game.codes:
            self.say(f"{code}: {self.game.card_names[code]}.")
            if not self.endings(code.lower()):
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
        self.say(f"{self.game.title} · {sitting.players} players · you sit at seat {self.you}. Type ! for help.")
        self.introduce()
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

    def introduce(self) -> None:
        """Say who the others are."""
        bots = bots_for(self.bots, self.sitting.players)
        others = {name: bot for name, bot in zip(self.names, bots, strict=True) if name != self.names[self.you]}
        if len(set(others.values())) == 1:
            self.say(f"The others play as {bots[self.you - 1]} does.")
        else:
            self.say("The others: " + ", ".join(f"{name} plays as {bot}" for name, bot in others.items()) + ".")

    def save(self) -> None:
        """Keep the sitting as it is; where that cannot be done, say so once and play on."""
        try:
            write_whole(self.save_path, self.sitting.save(you=self.you, bots=self.bots))
        except OSError as error:
            if not self.unsaved:
                self.say(f"This sitting cannot be saved ({error.strerror}); play goes on without.")
            self.unsaved = error.strerror or "unknown"

    def bot_step(self) -> None:
        """A bot takes a step; its luck is that of the sitting's secret and the moment, so that undo changes nothing."""
        sitting = self.sitting
        seat = sitting.seat
        bot = self.seating.bots[seat]
        if isinstance(bot, Blind):
            bot.begin(self.seed, len(sitting.moves) * 64 + len(sitting.prefix))
            sitting.play(bot.pick(sitting.legal()))
            return
        if bot.listens:
            if self.undone[seat] != sitting.undone:
                # it all happens anew
                bot.begin(self.seed, 0)
                self.heard[seat] = 0
                self.undone[seat] = sitting.undone
            bot.hear(sitting.told[seat][self.heard[seat] :])
            self.heard[seat] = len(sitting.told[seat])
        sitting.play(bot.choose(sitting.view(seat)))
        self.say_forfeits()

    def say_forfeits(self) -> None:
        """Say what went wrong with external bots since last time."""
        for report in self.seating.reports():
            self.say(report)

    def hint(self) -> None:
        """What could be done here, what may come of it, and why."""
        if len(self.sitting.legal()) == 1:
            self.say("There is but one thing to do.")
            return
        advice = advise(self.game, self.sitting.view(self.you), self.seed)
        for number, hint in enumerate(advice.hints[:4]):
            score = f"{hint.score:.1f}".replace("-", "−")
            text = f"{hint.name:<16} score about {score} further on, chance to win {100 * hint.hope:.0f} %"
            self.write(self.strong(f"  {text}") if number == 0 else f"  {text}")
        self.say(f"{advice.reason} ({advice.clause})" if advice.clause else advice.reason)
        self.clauses = [advice.clause] if advice.clause else []

    def finish(self) -> None:
        """Say who won, and keep the record."""
        sitting = self.sitting
        winners = [self.names[seat] for seat in sitting.winners()]
        verb = "win" if len(winners) > 1 or winners == ["you"] else "wins"
        sentence = f"{many(winners)} {verb}."
        self.write("")
        if self.game.name == "sovereign":
            self.say("What was left in the pools went back to those who staked it, and penalties were shared. (SOV-13)")
        self.write(self.strong(sentence[0].upper() + sentence[1:]))
        scores = zip(self.teller.sides, sitting.scores(), strict=True)
        self.say("Final score: " + ", ".join(f"{name} {score}" for name, score in scores).replace("-", "−") + ".")
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
    points = [count(number, "point") for number in view["points"]]
    cards = [count(number, "card") for number in view["hand_sizes"]]
    lines = terminal.player_lines([points, cards], marks)
    if view["received"]:
        lines.append(f"You received {' '.join(view['received'])} and owe a card in return.")
    return [*lines, f"The climb: {trick}", f"Your hand: {by_suit(view['hand'], MASQUERADE_SUITS)}"]


def lost_heir_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    names = terminal.names
    sides = len(view["totals"])
    seats = range(len(names))
    totals = [f"{view['totals'][seat % sides]} in all".replace("-", "−") for seat in seats]
    made = [view["points"][seat % sides] + view["fines"][seat % sides] for seat in seats]
    points = [f"{number} this deal".replace("-", "−") for number in made]
    cards = [count(number, "card") for number in view["hand_sizes"]]
    bids = ["–" if bid is None else "pass" if bid == 0 else f"bid {bid}" for bid in view["bids"]]
    lines = [f"Deal {view['deal']}"]
    if view["trump"]:
        named = f"{CITIES[view['trump']]} is trumps, named by {names[view['namer']]} with a bid of {view['bid']}"
        lines[0] += f" · {named} · tricks to play: {view['tricks_left']}"
    lines += terminal.player_lines([totals, points, bids, cards], {view["dealer"]: "deals"})
    if view["trump"]:
        trick = " · ".join(f"{names[seat]} {code}" for seat, code in view["trick"]) or "you lead"
        lines.append(f"The trick: {trick}")
    return [*lines, f"Your hand: {by_suit(view['hand'], CITIES)}"]


def sovereign_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    pence = COIN_PENCE
    coins = " · ".join(
        f"{count} × {terminal.game.card_names[code]} [{code}] {pence[code]}d" if pence[code] else "the Sovereign [SOV]"
        for code, count in view["coins"].items()
    )
    worth = sum(pence[code] * count for code, count in view["coins"].items())
    offered = sum(pence[code] * count for code, count in view["offer"].items())
    lines = [
        f"Game {view['game'] + 1}, round {view['round'] + 1} · general pool {view['general_pool']}, "
        f"sovereign pool {view['sovereign_pool']} · surplus {count(view['surplus'], 'card')}, {view['aside']} aside",
        *terminal.player_lines([[count(number, "counter") for number in view["counters"]]], {view["dealer"]: "deals"}),
        f"Your hand, {worth}d in all, 240d wanted: {coins}",
    ]
    return lines + ([f"Offered so far: {offered}d of 240d"] if view["offer"] else [])


def heraldry_table(terminal: Terminal, view: dict[str, Any]) -> list[str]:
    points = [count(number, "point") for number in view["totals"]]
    won = [count(len(pile), "card") + " won" for pile in view["won"]]
    lines = [
        f"Deal {view['deal']} · {count(view['pack'], 'card')} in the pack",
        *terminal.player_lines([points, won], {view["dealer"]: "deals"}),
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
        f"Deal {view['deal'] + 1} · {count(view['box'], 'counter')} in the box · {len(living)} living, {dead} dead",
        "Counters: " + ", ".join(living),
    ]


TABLES: dict[str, Callable[[Terminal, dict[str, Any]], list[str]]] = {
    "masquerade": masquerade_table,
    "lost-heir": lost_heir_table,
    "sovereign": sovereign_table,
    "heraldry": heraldry_table,
    "tontine": tontine_table,
}
