"""Makes the page of each game in docs/ from its sheet, steps, entries and study, so that none of them can drift.

    python tools/pages.py           write the pages
    python tools/pages.py --check   say which are not current
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from parlour import REGISTRY, Game, Journal
from parlour.engine.game import TOLD, Entry
from parlour.lab.report import lessons
from parlour.play.sentences import TEMPLATES, Teller
from parlour.sheets.model import Option
from parlour.sheets.rulebook import STATES

DOCS = Path(__file__).resolve().parent.parent / "docs"

# --- what is written by hand ------------------------------------------------------------------------------------------

STEPS = {
    "masquerade": {
        "play": "lay this card to the trick, or lead it",
        "give": "offer this card to the player at the left, in exchange",
        "decline": "exchange nothing",
        "return": "give this card in return (exchange: courtesy)",
    },
    "lost-heir": {
        "pass": "make no bid",
        "bid": "bid this number of points",
        "trump": "name this suit as trumps",
        "play": "lay this card to the trick, or lead it",
    },
    "sovereign": {
        "offer": "lay down a coin as change, one step a coin; exact change ends the offer by itself, and under "
        "mistakes: penalised `offer done` ends any",
        "throw": "throw out a coin of this kind",
        "take": "take a card from the surplus, or draw one from the player at the right",
        "leave": "leave the hand as it is, and end the turn",
    },
    "heraldry": {
        "play": "play this card, to take with it or to discard it",
        "take": "take this card from the table with it, one step a card; under capture: all the cards of equal value "
        "come of themselves, under capture: choice `take done` ends the capture where more could be taken",
    },
    "tontine": {"turn": "turn up the cards"},
}

HISTORY: dict[str, dict[int, str]] = {
    game: {1: "The first. A record without `rules` is of this version."} for game in REGISTRY
}


@dataclass
class Scene:
    """A worked example: cards laid out by hand, then chance (a tuple) and steps (text) in order."""

    lead: str
    players: int
    chance: list[tuple[Any, ...]]
    play: list[tuple[Any, ...] | str]
    after: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def dealt(hands: dict[int, str], order: Sequence[int], rest: str = "") -> tuple[str, ...]:
    """The pack that gives these hands, dealt one at a time in this order of seats."""
    held = {seat: hands[seat].split() for seat in order}
    return tuple(held[seat][turn] for turn in range(len(held[order[0]])) for seat in order) + tuple(rest.split())


def coins(**counts: int) -> str:
    return " ".join(code for code, count in counts.items() for _ in range(count)).replace("D6", "6D")


SCENES = {
    "masquerade": Scene(
        "Four play, and seat 0 has dealt. Seat 1 leads the seventh Intrigue. Seat 2 lays the sixth upon it, the "
        "next in rank. Seat 3 has no Intrigue but does have a Masquerader, which must be played. Seat 0 holds "
        "Ridottos and Mendicants only, gives R8 to the left and draws I2 in exchange: it climbs over I6, so it "
        "must be played.",
        4,
        [
            dealt({0: "M1 M2 M3 M4 M5 M6 M7 M8", 1: "R1 R2 R3 R4 R5 R6 R7 R8"}
                  | {2: "I1 I2 I3 I4 I5 I6 I7 I8", 3: "D1 D2 D3 D4 D5 D6 D7 D8"}, [0, 1, 2, 3]),
            dealt({1: "I7 I1 I2 I3 M1 M2 M3 M4", 2: "I6 I4 I5 I8 M5 M6 M7 R1"}
                  | {3: "M8 R2 R3 R4 R5 D1 D2 D3", 0: "R6 R7 R8 D4 D5 D6 D7 D8"}, [1, 2, 3, 0]),
        ],
        ["play I7", "play I6", "play M8", "give R8", ("I2",), "play I2", ("D4",), ("I6",), ("R7",)],
        "The last card does not outrank M8, so the trick goes to the dealer, and the three who played draw one "
        "card each from that hand. Seat 2 happens to draw the very card it had played.",
    ),
    "lost-heir": Scene(
        "Four play, each alone, and seat 0 has dealt. Seat 1 bids highest, names Boston and must lead a trump; "
        "seat 3 has none, and gets rid of the Wrong Boy. Then seat 1 leads a New York card, of which seat 0 has "
        "none: the Lost Heir takes the trick.",
        4,
        [
            (0,),
            dealt({1: "B11 B10 B9 B8 B7 N3 N1 P1 P2 C1 C2 NY", 2: "B2 B3 N9 N8 N11 P3 P4 P5 C3 C4 C5 PH"}
                  | {3: "WB N7 N6 N5 N4 N2 N10 P6 P7 C7 C8 C9", 0: "LH B1 B4 B5 B6 P8 P9 P10 P11 C6 C10 C11"},
                  [1, 2, 3, 0]),
        ],
        [
            *("bid 6", "pass", "bid 4", "pass", "trump B"),
            *("play B11", "play B2", "play WB", "play B5", "play N3", "play N9", "play N7", "play LH"),
        ],
    ),
    "sovereign": Scene(
        "Three play, and seat 0 has dealt. Seat 1 holds a half-sovereign, a crown, a half-crown, a florin and a "
        "shilling: 246 pence, and no part of them makes 240. It throws out the shilling, and a half-crown comes "
        "from the surplus.",
        3,
        [
            (0,),
            dealt({1: "HS CR HC FL SH", 2: "SH SH 6D 6D FL", 0: "FL FL SH 6D 6D"}, [1, 2, 0],
                  "HC " + coins(SOV=1, HG=1, HS=1, CR=3, HC=6, FL=6, SH=11, D6=11)),
        ],
        ["throw SH", "take surplus", "offer HS", "offer CR", "offer HC", "offer HC"],
        "120, 60, 30 and 30 pence make 240. The sovereign pool stays where it is, because the sovereign card was "
        "not there.",
    ),
    "heraldry": Scene(
        "Two play, and seat 0 has dealt: seat 1, at the dealer's right, plays first. On the table lie a 3, a 7, a "
        "10 and a 5. The Crown of the Diamond counts ten: it matches the 10, and 3 and 7 together, and takes all "
        "three. Seat 0 then holds nothing but nines, which the 5 alone does not make, and has to discard.",
        2,
        [
            (0,),
            dealt({1: "DC S1 C1 X1", 0: "S9 C9 X9 D9"}, [1, 0], "S3 C7 X10 D5 {rest}"),
        ],
        ["play DC", "take S3", "take C7", "play S9"],
    ),
    "tontine": Scene(
        "Four play with 15 counters each, of which 3 went to the box, and seat 0 deals. The cards go round from "
        "the dealer's right: seat 3 has a king, seat 2 an ace, seat 1 a four, and the dealer a ten.",
        4,
        [(0,)],
        ["turn", ("KS", "AC", "4D", "10H")],
        "The ten neither draws nor pays. The next dealer is seat 3, at the right.",
    ),
}

# --- tables -----------------------------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"


def counts(numbers: Sequence[int]) -> str:
    """Numbers of players in words."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers[:-1])) + f" or {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def option_rows(option: Option, all_players: Sequence[int]) -> Iterator[list[str]]:
    name = f"`{option.name}` ({option.clause})"
    if not option.values:
        default = "as many as players" if option.default == "players" else f"`{option.default}`"
        yield [name, option.changes, default, f"`{option.low}` to `{option.high}`", "", counts(all_players)]
        return
    for number, value in enumerate(option.values):
        head = [name, option.changes, f"`{option.default}`"] if number == 0 else ["", "", ""]
        yield [*head, f"`{value.name}`", value.means, counts(value.players)]


# --- codes ------------------------------------------------------------------------------------------------------------


def suits(game: Game) -> list[list[str]]:
    """The codes by suit, as far as the game has suits."""
    codes = game.codes
    if game.name in ("heraldry", "tontine"):
        return [codes[suit::4] for suit in range(4)]
    size = {"masquerade": 8, "lost-heir": 11}.get(game.name, 1)
    whole = len(codes) // size * size if size > 1 else 0
    groups = [codes[at : at + size] for at in range(0, whole, size)]
    return groups + [[code] for code in codes[whole:]]


def card_rows(game: Game) -> Iterator[list[str]]:
    for codes in suits(game):
        names = [game.card_names[code].split() for code in codes]
        common: list[str] = []
        if len(codes) > 1:
            for words in zip(*names, strict=False):
                if len(set(words)) > 1:
                    break
                common.append(words[0])
            ends: list[str] = []
            for words in zip(*[name[::-1] for name in names], strict=False):
                if len(set(words)) > 1:
                    break
                ends.insert(0, words[0])
            rest = [" ".join(name[len(common) : len(name) - len(ends)]) for name in names]
            yield [" ".join(f"`{code}`" for code in codes), " ".join([*common, ", ".join(rest), *ends])]
        else:
            yield [f"`{codes[0]}`", " ".join(names[0])]


def step_rows(game: Game) -> Iterator[list[str]]:
    number = 0
    for verb, names in groupby(game.step_names, key=lambda name: name.split()[0]):
        group = list(names)
        last = number + len(group) - 1
        numbers = f"{number}" if last == number else f"{number} to {last}"
        shown = f"`{group[0]}`" if last == number else f"`{group[0]}` … `{group[-1]}`"
        if len(group) == 2:
            shown = f"`{group[0]}`, `{group[1]}`"
        yield [numbers, shown, STEPS[game.name][verb]]
        number = last + 1


def written(entry: Entry) -> str:
    """An entry as it stands in a record."""
    fields = []
    for type_, marks in entry.parsed():
        if "~" not in marks and ("+" not in marks or entry.nature == TOLD):
            fields.append(f"[{type_}]" if type_ in ("cards", "scores") else type_)
    shown: list[str] = []
    for name in fields:
        # the second seat or place of an entry is the one it comes from, or goes to
        if name in shown:
            shown[shown.index(name)] = {"place": "from"}.get(name, name)
            name = {"place": "to", "seat": "from"}[name]
        shown.append(name)
    return "`[" + ", ".join([f'"{entry.kind}"', *shown]) + "]`"


def who_is_told(entry: Entry) -> str:
    hidden = [type_ for type_, marks in entry.parsed() if "?" in marks]
    if not hidden:
        return "all"
    parties = sum("!" in marks for _, marks in entry.parsed())
    what = f"the {hidden[0]}"
    if parties == 0:
        return f"that it happened: all; {what}: nobody until the sitting is over"
    who = "that seat" if parties == 1 else "the two seats concerned"
    return f"that it happened: all; {what}: {who}"


def in_words(game: Game, entry: Entry) -> str:
    """The sentences in which an entry is said."""
    fields = [type_ for type_, marks in entry.parsed() if "~" not in marks]
    if fields.count("seat") == 2:
        fields[fields.index("seat") + 1] = "from"
    if fields.count("place") == 2:
        fields = ["from", "to", *fields[2:]]
    templates = TEMPLATES[game.name]
    found = []
    for key, template in templates.items():
        if key == entry.kind or (key.startswith(f"{entry.kind} ") and not key.endswith("?")):
            plain = re.sub(r"(\w+)\|(\w+)", r"\2", template).format(*[f"*{name}*" for name in fields])
            about = key.removeprefix(entry.kind).strip()
            found.append(f"{about}: {plain}" if about else plain)
    return "<br>".join(found)


def entry_rows(game: Game) -> Iterator[list[str]]:
    for entry in game.entries:
        nature = "told, not recorded" if entry.nature == TOLD else entry.nature
        order = "; the cards in any order" if entry.unordered else ""
        said = [type_ for type_, _ in entry.parsed()]
        clause = "as told" if "clause" in said and entry.clause else entry.clause or "as cited"
        yield [written(entry), nature + order, clause, in_words(game, entry), who_is_told(entry)]


# --- the worked example -----------------------------------------------------------------------------------------------


def worked(game: Game) -> Iterator[str]:
    """The example played through the engine: every entry as it is recorded, and in words."""
    scene = SCENES[game.name]
    state = game.state_type(scene.players, game.options_for(scene.players, scene.options))
    journal = state.journal = Journal()
    state.begin(None)
    teller = Teller(game, [f"seat {seat}" for seat in range(scene.players)], -1)
    rows: list[list[str]] = []

    def give(items: tuple[Any, ...]) -> None:
        if "{rest}" in items:
            rest = [code for code in game.codes if code not in items]
            items = (*[item for item in items if item != "{rest}"], *rest)
        state.give([game.card(item) if isinstance(item, str) else item for item in items])

    for items in scene.chance:
        give(items)
    journal.clear()
    for what in scene.play:
        if isinstance(what, str):
            state.play(game.step_names.index(what))
        else:
            give(what)
        for row in journal.rows():
            entry = game.recorded(row)
            if entry is not None:
                shown = ", ".join(f'"{value}"' if isinstance(value, str) else cards(value) for value in entry)
                told = game.told(row)
                rows.append([f"`[{shown}]`", teller.say(told), game.clause_of(told)])
        journal.clear()
    yield "### A worked example"
    yield ""
    yield scene.lead
    yield ""
    yield from table(["entry", "in words", "clause"], rows)
    if scene.after:
        yield ""
        yield scene.after


def cards(value: Any) -> str:
    return "[" + ", ".join(f'"{item}"' for item in value) + "]" if isinstance(value, list) else str(value)


# --- the page ---------------------------------------------------------------------------------------------------------

INFERENCES = {
    "masquerade": "Nobody is told another hand, but all see a trick taken up, who draws from whom, and who cannot "
    "climb, mask or follow. A view keeps for each card the seats that may hold it.",
    "lost-heir": "Who does not follow the suit led, or does not lead a trump where HEIR-9 asks for one, and is not "
    "fined for it, has none. A view keeps for each card the seats that may hold it.",
    "sovereign": "All see whose turn it is. Under mistakes: prevented the turn passes by itself after the take where "
    "no change can be given, so who is still to act then can give it, though nobody sees his coins. A view keeps the "
    "coins that a seat was shown in other hands: offered wrongly, or drawn from its own.",
    "heraldry": "Taking is compulsory (HER-6), so who discards holds nothing that could have taken. A view keeps for "
    "each card the seats that may hold it; it may also still be in the pack.",
    "tontine": "Everything is open.",
}


def taught(game: Game, lab: Path) -> Iterator[str]:
    """What the game's study in the lab teaches, in words; nothing where there is no study."""
    study = lab / f"{game.name}.json"
    if not study.exists():
        return
    ids = "|".join(clause.id for clause in game.sheet.clauses)

    def told(result: dict[str, Any], sentences: int) -> str:
        words = " ".join(lessons(result, sentences))
        return re.sub(rf"\b({ids})\b", lambda found: f"[{found[1]}](#{found[1].lower()})", words)

    result = json.loads(study.read_text(encoding="utf-8"))
    yield "## What the lab teaches"
    yield ""
    yield told(result, 5)
    yield ""
    yield (
        f"{result['sittings']:,} sittings of each reading by `{result['bots']['table']}`, all on the same deals. "
        f"[The report](lab/{game.name}.html) has every figure, how it was measured, and what the measures mean."
    )
    yield ""
    thinking = lab / f"{game.name}-steady.json"
    if thinking.exists():
        result = json.loads(thinking.read_text(encoding="utf-8"))
        yield f"By `steady`, who thinks, in {result['sittings']:,} sittings of each: {told(result, 3)}"
        yield f"[Its report](lab/{game.name}-steady.html)."
        yield ""


def page(game: Game) -> str:
    """The page of a game."""
    sheet = game.sheet
    lines = [
        f"# {sheet.title}",
        "",
        "<!-- made by tools/pages.py from the sheet and the registry; do not edit -->",
        "",
        "## The game",
        "",
        sheet.summary,
        "",
        sheet.maker,
        "",
        f"{counts(sheet.players)} players (usually {sheet.usual}) · {sheet.cards} cards · "
        f"rules version {sheet.rules} · `parlour play {game.name}`",
        "",
        "## How to play it",
        "",
        f"**The aim.** {sheet.goal}",
        "",
        f"**Your turn.** {sheet.turn}",
        "",
        *worked(game),
        "",
        "## Clauses and readings",
        "",
        "Each rule of the sheet has a number, which events, refusals, tests and records cite. Its state says how far "
        "the sheet can be followed:",
        "",
        *[f"- **{state}**: {words}." for state, words in STATES.items()],
        "",
        *table(
            ["clause", "title", "state", "rule", "reading", "where"],
            [
                (anchored(clause.id), clause.title, clause.state, clause.rule, clause.reading, clause.source)
                for clause in sheet.clauses
            ],
        ),
        "",
        "## Options",
        "",
        f"Set one with `--set name=value` on the command line, or `Sitting(\"{game.name}\", name=value)` in Python.",
        "",
        *table(
            ["option", "what it changes", "default", "value", "what it means", "players"],
            [row for option in sheet.options for row in option_rows(option, sheet.players)],
        ),
        "",
        *taught(game, DOCS / "lab"),
        "## Codes",
        "",
        "### Cards",
        "",
        *table(["codes", "cards"], card_rows(game)),
        "",
        "### Steps",
        "",
        "There is one step." if game.steps == 1 else
        f"A step is a number below {game.steps} with a name; a move is one step or several.",
        "",
        *table(["steps", "names", "what they do"], step_rows(game)),
        "",
        "### Entries",
        "",
        "What happens, as the record writes it and as the seats are told while the sitting is played. A spectator is "
        "told what all are told.",
        "",
        *table(["entry", "kind", "clause", "in words", "who is told"], entry_rows(game)),
        "",
        "### What others can infer",
        "",
        INFERENCES[game.name],
        "",
        "## Version history",
        "",
        *table(["rules", "what changed"], [[str(number), HISTORY[game.name][number]] for number in versions(game)]),
        "",
    ]
    return "\n".join(lines)


def anchored(clause: str) -> str:
    """A clause that can be linked to, as in lost-heir.md#heir-10."""
    return f'<a id="{clause.lower()}"></a>{clause}'


def versions(game: Game) -> range:
    return range(1, game.rules + 1)


def pages() -> dict[Path, str]:
    """Every page as it should be."""
    return {DOCS / f"{game.name}.md": page(game) for game in REGISTRY.values()}


def main(arguments: list[str]) -> int:
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if arguments == ["--check"]:
        for path in stale:
            print(f"docs/{path.name} is not current: run python tools/pages.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(pages()[path], encoding="utf-8")
        print(f"docs/{path.name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
