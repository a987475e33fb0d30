"""Generates the page of each game in docs/ from its sheet, steps, entries and study, so that none of them can drift.

python tools/pages.py           write the pages
python tools/pages.py --check   say which are out of date
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from parlour import REGISTRY, Game, Journal
from parlour.engine.game import TOLD, Entry
from parlour.engine.messages import parsed
from parlour.engine.words import words_of
from parlour.lab.beside import figures_of, heads
from parlour.lab.lessons import lessons
from parlour.lab.lessons import with_labels as lesson_labels
from parlour.play.sentences import Teller
from parlour.sheets.citation import sheet_line
from parlour.sheets.edition import CERTAINTIES, KINDS, STATES, Apparatus, edition_of
from parlour.sheets.model import Option, Sheet
from parlour.sheets.rulebook import in_words as with_labels
from parlour.sheets.rulebook import parted, tag_line

DOCS = Path(__file__).resolve().parent.parent / "docs"
FIRST_VERSION = "The first. A record without `rules` is of this version."


def page_data(game: Game) -> dict[str, Any]:
    """The part of a page that is written by hand: page.toml in the game's folder."""
    return tomllib.loads(game.text("page.toml") or "")


# --- tables -----------------------------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
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
    """The rows of an option, one for each value."""
    since = f", since rules version {option.since}" if option.since > 1 else ""
    with_ = "".join(f", only with `{name}={value}`" for name, value in option.needs)
    name = f"**{option.called}** `{option.name}` ([{option.clause}](#{option.clause.lower()})){since}{with_}"
    if not option.values:
        yield [
            name,
            option.changes,
            f"{option.low} to {option.high:,}; usually {option.usual}",
            "",
            counts(all_players),
        ]
        return
    for number, value in enumerate(option.values):
        head = [name, option.changes] if number == 0 else ["", ""]
        since = f" (since rules version {value.since})" if value.since > 1 else ""
        usual = ", usual" if value.name == option.default else ""
        yield [*head, f"{option.call(value.name)} `{value.name}`{usual}{since}", value.means, counts(value.players)]


def labelled(label: str, name: str) -> str:
    """What people call an option or a value, and its name for machines in small type."""
    return f"*{label}* `{name}`"


# --- codes ------------------------------------------------------------------------------------------------------------


def suits(game: Game) -> list[list[str]]:
    """The codes by suit: in blocks of `suit_size`, or in turn through `suits`; cards of no suit stand alone."""
    codes, data = game.codes, page_data(game)
    if "suits" in data:
        return [codes[suit :: data["suits"]] for suit in range(data["suits"])]
    size = data.get("suit_size", 1)
    whole = len(codes) // size * size
    return [codes[at : at + size] for at in range(0, whole, size)] + [[code] for code in codes[whole:]]


def card_rows(game: Game) -> Iterator[list[str]]:
    """The cards, one row for each suit, with the words that their names share written once."""
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
            between = "; " if any(word.endswith(",") for name in names for word in name) else ", "
            rest = [" ".join(name[len(common) : len(name) - len(ends)]) for name in names]
            yield [" ".join(f"`{code}`" for code in codes), " ".join([*common, between.join(rest), *ends])]
        else:
            yield [f"`{codes[0]}`", " ".join(names[0])]


def step_rows(game: Game) -> Iterator[list[str]]:
    """The steps, one row for each first word."""
    number = 0
    for verb, names in groupby(game.step_names, key=lambda name: name.split()[0]):
        group = list(names)
        last = number + len(group) - 1
        numbers = f"{number}" if last == number else f"{number} to {last}"
        shown = f"`{group[0]}`" if last == number else f"`{group[0]}` … `{group[-1]}`"
        if len(group) == 2:
            shown = f"`{group[0]}`, `{group[1]}`"
        yield [numbers, shown, with_labels(game.sheet, words_of(game).STEP_MEANINGS[verb], labelled)]
        number = last + 1


def written(entry: Entry) -> str:
    """An entry as a record writes it."""
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
    """Which seats are told an entry, and which of them its hidden field."""
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
    """The sentences for an entry."""
    found = []
    for key, template in words_of(game).TEMPLATES.items():
        if key == entry.kind or (key.startswith(f"{entry.kind} ") and not key.endswith("?")):
            plain = "".join(
                f"*{part.name}*" if part.name else part.forms[1] if part.forms else part.text
                for part in parsed(template)
            )
            about = key.removeprefix(entry.kind).strip()
            found.append(f"{about}: {plain}" if about and not about.isalpha() else plain)
    return "<br>".join(found)


def entry_rows(game: Game) -> Iterator[list[str]]:
    """The kinds of entry, one row each."""
    for entry in game.entries:
        nature = "told, not recorded" if entry.nature == TOLD else entry.nature
        order = "; the cards in any order" if entry.unordered else ""
        said = [type_ for type_, _ in entry.parsed()]
        clause = "as told" if "clause" in said and entry.clause else entry.clause or "as cited"
        yield [written(entry), nature + order, clause, in_words(game, entry), who_is_told(entry)]


# --- the worked example -----------------------------------------------------------------------------------------------


def items_of(chance: dict[str, Any], game: Game) -> list[int]:
    """A result of chance: items, or a pack that gives these hands when it is dealt one card at a time."""
    if "items" in chance:
        return [game.card(item) if isinstance(item, str) else item for item in chance["items"]]
    hands = [hand.split() for hand in chance["hands"]]
    pack = [hands[seat][turn] for turn in range(len(hands[0])) for seat in chance["order"]]
    pack += chance.get("rest", "").split()
    if pack[-1] == "…":
        pack[-1:] = [code for code in game.codes if code not in pack]
    return [game.card(code) for code in pack]


def worked(game: Game) -> Iterator[str]:
    """The worked example, played through the engine: every entry as the record writes it, and as a sentence."""
    example = page_data(game)["example"]
    players = example["players"]
    state = game.state_type(players, game.options_for(players, example.get("options", {})))
    journal = state.journal = Journal()
    state.begin(None)
    teller = Teller(game, [f"seat {seat}" for seat in range(players)], -1)
    rows: list[list[str]] = []
    heard: list[list[Any]] = []
    for chance in example["chance"]:
        state.give(items_of(chance, game))
    journal.clear()
    for what in example["play"]:
        if isinstance(what, str):
            state.play(game.step_names.index(what))
        else:
            state.give(items_of({"items": what}, game))
        for row in journal.rows():
            entry = game.recorded(row)
            if entry is not None:
                shown = ", ".join(f'"{value}"' if isinstance(value, str) else cards(value) for value in entry)
                heard.append(game.told(row))
                rows.append([f"`[{shown}]`", teller.say_at(heard, len(heard) - 1), game.clause_of(heard[-1])])
        journal.clear()
    yield "### A worked example"
    yield ""
    yield example["lead"]
    yield ""
    yield from table(["entry", "in words", "clause"], rows)
    if "after" in example:
        yield ""
        yield example["after"]


def cards(value: Any) -> str:
    """A number, or a list of cards, as a record writes it."""
    return "[" + ", ".join(f'"{item}"' for item in value) + "]" if isinstance(value, list) else str(value)


# --- the page ---------------------------------------------------------------------------------------------------------


def taught(game: Game, lab: Path) -> Iterator[str]:
    """The results of the game's study in the lab, in words; nothing where there is no study."""
    study = lab / f"{game.name}.json"
    if not study.exists():
        return
    ids = "|".join(clause.id for clause in game.sheet.clauses)

    def told(result: dict[str, Any], sentences: int) -> str:
        words = lesson_labels(game.sheet, " ".join(lessons(result, sentences)), labelled)
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
        yield f"With `steady`, which searches, in {result['sittings']:,} sittings of each: {told(result, 3)}"
        yield f"[Its report](lab/{game.name}-steady.html)."
        yield ""
    for more in sorted(lab.glob(f"{game.name}-*.json")):
        if not more.stem.endswith("-steady"):
            result = json.loads(more.read_text(encoding="utf-8"))
            options = list(dict.fromkeys(name for row in result["rows"] for name in row["option"].split("+") if name))
            compared = " and ".join(f"`{name}`" for name in options) + (" in every combination" if options[1:] else "")
            yield f"A study of {compared}, in {result['sittings']:,} sittings of each: {told(result, 5)}"
            yield f"[Its report](lab/{more.stem}.html)."
            yield ""


def page(game: Game) -> str:
    """The page of a game."""
    sheet, data = game.sheet, page_data(game)
    history = {"1": FIRST_VERSION} | data.get("history", {})
    usual = sheet.what_scores(game.options_for(sheet.usual))
    scores = [[row.points, row.what, f"[{row.clause}](#{row.clause.lower()})"] for row in usual]
    lines = [
        f"# {sheet.title}",
        "",
        "<!-- made by tools/pages.py from the sheet and the registry; do not edit -->",
        "",
        "## The game",
        "",
        sheet.summary,
        "",
        edition_of(sheet).document.maker,
        "",
        *([f"{tag_line(sheet)}.", ""] if tag_line(sheet) else []),
        f"{counts(sheet.players)} players (usually {sheet.usual}) · {sheet.cards} cards · "
        f"rules version {sheet.rules} · `parlour play {game.name}`",
        "",
        "## How to play it",
        "",
        f"**The aim.** {sheet.goal}",
        "",
        f"**Your turn.** {sheet.turn}",
        "",
        *([f"**The cards.** {sheet.order}", ""] if sheet.order else []),
        *table([sheet.unit, "for", "clause"], scores),
        "",
        f"**The end.** {sheet.ends}",
        "",
        *worked(game),
        "",
        "## Clauses and readings",
        "",
        "Each rule has a number, which events, refusals, tests and records cite. The rules are in our words; double "
        "quotation marks hold words of the sheet, as the scan has them. The state says how these words stand:",
        "",
        *[f"- **{state}**: {words}." for state, words in STATES.items()],
        "",
        "What we add is called *supplied*. The certainty is that of the usual reading: "
        + "; ".join(f"*{name}*: {words}" for name, words in CERTAINTIES.items())
        + ".",
        "",
        *table(
            ["clause", "title", "state", "in our words", "the words", "reading and supplied", "certainty"],
            [
                (
                    anchored(sheet, clause.id),
                    clause.title,
                    note.standing,
                    clause.rule,
                    f"“{note.lemma}”" if note.lemma else "",
                    taken(sheet, note),
                    note.certainty if note.reading or note.supplied else "",
                )
                for clause in sheet.clauses
                for note in [edition_of(sheet).of(clause)]
            ],
        ),
        "",
        f"The evidence of each clause is on [the page of the edition](edition/{game.name}.md).",
        "",
        "## Options",
        "",
        f'Set one with `--set name=value` on the command line, or `Sitting("{game.name}", name=value)` in Python.',
        "",
        *option_lines(sheet),
        *taught(game, DOCS / "lab"),
        "## Codes",
        "",
        "### Cards",
        "",
        *table(["codes", "cards"], card_rows(game)),
        "",
        "### Steps",
        "",
        "There is one step."
        if game.steps == 1
        else f"A step is a number below {game.steps} with a name; a move is one step or several.",
        "",
        *table(["steps", "names", "what they do"], step_rows(game)),
        "",
        "### Entries",
        "",
        "Everything that happens, as the record writes it and as the seats are told during the sitting. A spectator "
        "is told what everyone is told.",
        "",
        *table(["entry", "kind", "clause", "in words", "who is told"], entry_rows(game)),
        "",
        "### What others can infer",
        "",
        data["inference"],
        "",
        "## Version history",
        "",
        *table(["rules", "what changed"], [[str(number), history[str(number)]] for number in range(1, game.rules + 1)]),
        "",
    ]
    return "\n".join(lines)


def option_lines(sheet: Sheet) -> Iterator[str]:
    """The options in two tables: how doubtful words are read, and the length and stakes of a game."""
    for title, options in parted(sheet):
        rows = [row for option in options for row in option_rows(option, sheet.players)]
        yield from [
            f"### {title}",
            "",
            *table(["option", "what it changes", "value", "what it means", "players"], rows),
            "",
        ]


def taken(sheet: Sheet, note: Apparatus) -> str:
    """How the words of a clause are taken, and what is added to them."""
    parts = [note.reading, f"*Supplied:* {note.supplied}" if note.supplied else ""]
    return "<br>".join(with_labels(sheet, part, labelled) for part in parts if part)


def edition_page(game: Game) -> str:
    """The page of a game's edition: the document, the evidence, glossary, related games, teaching notes."""
    sheet, edition = game.sheet, edition_of(game.sheet)
    document, teaching = edition.document, edition.teaching
    lines = [
        f"# {sheet.title}: the edition",
        "",
        "<!-- made by tools/pages.py from edition.toml; do not edit -->",
        "",
        f"[The game and its rules](../{game.name}.md) · `parlour edition {game.name}` · these texts: CC BY 4.0",
        "",
        "## The document",
        "",
        f"**{sheet_line(sheet)}**",
        "",
        document.maker,
        "",
        document.described,
        "",
        *(line for item in document.history for line in (item, "")),
    ]
    if document.additions:
        rows = [(item.part, f"[{item.says}]", item.source) for item in document.additions]
        lines += ["What it does not say of itself, and who says so:", ""]
        lines += [*table(["part", "supplied", "source"], rows), ""]
    lines += ["## Bibliography", ""]
    lines += [f"- {f'[{work.cite}]({work.url})' if work.url else work.cite} {work.about}" for work in edition.works]
    lines += ["", "## The clauses and their evidence", ""]
    lines += ["Kinds: " + "; ".join(f"*{kind}*, {words}" for kind, words in KINDS.items()) + "."]
    for clause in sheet.clauses:
        note = edition.of(clause)
        link = f"[{clause.id}](../{game.name}.md#{clause.id.lower()})"
        head = f"{anchored(sheet, clause.id).removesuffix(clause.id)}**{link} {clause.title}**"
        lines += ["", f"{head} · {note.standing} · {note.where}"]
        if note.lemma:
            lines += ["", f"{document.called}: " + ", ".join(f"“{lemma}”" for lemma in note.lemmas)]
        lines += ["", f"In our words: {clause.rule}"]
        for title, words in (("Reading", note.reading), ("Supplied", note.supplied)):
            lines += ["", f"{title}: {with_labels(sheet, words, labelled)}"] * bool(words)
        if note.reading or note.supplied:
            lines += ["", f"Certainty: {note.certainty}"]
        if note.evidence:
            lines += [""]
            lines += [
                f"- *{item.kind}*: {with_labels(sheet, item.says, labelled)}"
                + (f" [{item.source}]" if item.source else "")
                for item in note.evidence
            ]
    lines += ["", *argued(game, DOCS / "lab"), "## Words that are no rule", ""]
    lines += [f"- “{remark.lemma}”: {remark.about}" for remark in edition.remarks]
    lines += ["", "## Glossary", ""]
    lines += table(["word", "meaning"], [(term.word, term.means) for term in edition.glossary])
    lines += ["", "## Related games", "", *[f"- **{item.name}.** {item.about}" for item in edition.relatives]]
    lines += ["", "## For teachers", "", f"Age: {teaching.age}. Time: {teaching.time}.", "", teaching.learned, ""]
    lines += [*[f"- {with_labels(sheet, idea, labelled)}" for idea in teaching.ideas], ""]
    return "\n".join(lines)


def argued(game: Game, lab: Path) -> Iterator[str]:
    """Why the usual readings are usual: for each option the words, and beside them what the lab measured."""
    sheet, study = game.sheet, lab / f"{game.name}.json"
    result: dict[str, Any] = json.loads(study.read_text(encoding="utf-8"))
    yield from ["## Why these readings are the usual ones", ""]
    yield (
        "The words decide where they can; figures only inform. The figures are those of "
        f"[the report](../lab/{game.name}.html), from {result['sittings']:,} sittings of each reading by "
        f"`{result['bots']['table']}`: of the usual reading what was measured, of the others the difference and its "
        "95 % interval, or a dash where no difference is sure. "
        "A usual reading is no rule: a record stores all readings."
    )
    for option in sheet.options:
        named = {str(value.name): option.call(value.name) for value in option.values}
        rows = [
            [labelled(named.get(value, value), f"{option.name}={value}") + ("" if at else " (usual)"), *cells]
            for at, (value, cells) in enumerate(figures_of(result, option.name))
        ]
        if rows:
            yield from ["", f"### {option.called} `{option.name}`", ""]
            yield f"[{option.clause}](#{option.clause.lower()}): " + with_labels(
                sheet, edition_of(sheet).of(sheet.clause(option.clause)).usual, labelled
            )
            yield from ["", *table(["reading", *(head.lower() for head in heads(result))], rows)]
    yield ""


def anchored(sheet: Sheet, clause: str) -> str:
    """A clause with anchors for links such as lost-heir.md#heir-10, also by the ids of clauses that it replaces."""
    ids = [clause, *(old for old, now in sheet.retired if now == clause)]
    return "".join(f'<a id="{id.lower()}"></a>' for id in ids) + clause


def pages() -> dict[Path, str]:
    """Every page as it should be."""
    made = {DOCS / f"{game.name}.md": page(game) for game in REGISTRY.values()}
    return made | {DOCS / "edition" / f"{game.name}.md": edition_page(game) for game in REGISTRY.values()}


def main(arguments: list[str]) -> int:
    """Write the pages, or check them."""
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if arguments == ["--check"]:
        for path in stale:
            print(f"docs/{path.relative_to(DOCS).as_posix()} is out of date: run python tools/pages.py")
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(exist_ok=True)
        path.write_text(pages()[path], encoding="utf-8")
        print(f"docs/{path.relative_to(DOCS).as_posix()} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
