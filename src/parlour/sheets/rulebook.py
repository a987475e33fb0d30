"""The rule book of a game: every clause in our words, what the sheet says, how we read it, what we add and why."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from .._version import __version__
from ..util.english import joined
from .edition import CERTAINTIES, KINDS, STATES, TEXT_LICENCE, Apparatus, edition_of
from .model import HERE, Clause, Option, Setting, Sheet

FORMAT = "parlour sheets 2"  # the same as in schema.json
LICENCE = "MIT"


def clause_lines(sheet: Sheet, clause: Clause, evidence: bool = True) -> list[str]:
    """A clause as lines of text, not yet wrapped."""
    edition = edition_of(sheet)
    note = edition.of(clause)
    lines = [f"{clause.id}  {clause.title}  [{note.standing}]", f"  In our words: {clause.rule}"]
    if note.lemma:
        lines.append(f"  {edition.document.called}: “{note.lemma}”")
    if note.reading:
        lines.append(f"  Reading: {in_words(sheet, note.reading)}")
    if note.supplied:
        lines.append(f"  Supplied: {in_words(sheet, note.supplied)}")
    if evidence:
        for item in note.evidence:
            source = f" [{item.source}]" if item.source else ""
            lines.append(f"  Evidence ({item.kind}): {in_words(sheet, item.says)}{source}")
    if note.reading or note.supplied:
        lines.append(f"  Certainty: {note.certainty}, {CERTAINTIES[note.certainty]}")
    if note.usual and evidence:
        lines.append(f"  Why the usual reading: {in_words(sheet, note.usual)}")
    lines.append(f"  From: {note.where}")
    return lines


def clause_text(sheet: Sheet, id: str) -> str:
    """One clause with its options; an unknown id raises SheetError."""
    clause = sheet.clause(id)
    lines = clause_lines(sheet, clause)
    for option in sheet.options:
        if option.clause == clause.id:
            lines += ["  " + line for line in option_lines(sheet, option)]
    return "\n".join(lines)


def bracketed(option: Option, value: Setting) -> str:
    """A value as people call it, with the names for machines in brackets: “Alone [sides=each]”."""
    return f"{option.call(value)} [{option.name}={value}]"


def in_words(sheet: Sheet, text: str, mark: Callable[[str, str], str] = "{} [{}]".format) -> str:
    """A text of the edition with what people call options and values, in place of “name: value” and “option name”.

    `mark` makes one text of such a label and the name for machines.
    """
    for option in sheet.options:
        for value in option.values:
            marked = mark(option.call(value.name), f"{option.name}={value.name}")
            text = re.sub(rf"\b{option.name}: {value.name}\b", marked, text)
        text = re.sub(rf"\boption {option.name}\b", f"option {mark(option.called, option.name)}", text)
    return text


def needs_line(sheet: Sheet, option: Option) -> str:
    """With which other values alone an option changes anything; empty where it always does."""
    others = [(sheet.option(name), value) for name, value in option.needs]
    needed = [f"{other.called}: {bracketed(other, value)}" for other, value in others]
    return f"Only with {joined(needed)}." if needed else ""


def option_lines(sheet: Sheet, option: Option) -> list[str]:
    """An option as lines of text: what people call it and its values, the names for machines in brackets."""
    if option.values:
        lines = [f"{option.called} [{option.name}]: {option.changes}"]
        for value in option.values:
            usual = " (usual)" if value.name == option.default else ""
            since = f" (since rules version {value.since})" if value.since > 1 else ""
            lines.append(f"  {bracketed(option, value.name)}{usual}{since}: {value.means}")
    else:
        range_ = f"{option.low} to {option.high:,}, usually {option.usual}"
        lines = [f"{option.called} [{option.name}={range_}]: {option.changes}"]
    if option.needs:
        lines.append(f"  {needs_line(sheet, option)}")
    if option.since > 1:
        how = f"with {option.before}" if option.before else "without it"
        lines.append(f"  New in rules version {option.since}; what was played before goes on {how}.")
    return lines


def scores_lines(sheet: Sheet, options: Mapping[str, Setting] | None = None) -> list[str]:
    """What scores under some options (by default the usual ones), as lines of text."""
    rows = sheet.what_scores(sheet.options_for(sheet.usual, {}) if options is None else options)
    if not rows:
        return []
    wide = max(len(row.points) for row in rows)
    return [f"What scores, in {sheet.unit}:", *[f"  {row.points:>{wide}}  {row.what} ({row.clause})" for row in rows]]


def parted(sheet: Sheet) -> list[tuple[str, list[Option]]]:
    """The options in two parts: how doubtful words are read, and the length and stakes of a game."""
    parts = {"Readings": False, "Length and stakes": True}
    named = [(title, [option for option in sheet.options if option.size == size]) for title, size in parts.items()]
    return [(title, options) for title, options in named if options]


def readings_lines(sheet: Sheet, options: Mapping[str, Setting]) -> list[str]:
    """What is played under some options, as lines of text: first the readings, then length and stakes."""
    lines = []
    for title, known in parted(sheet):
        lines.append(f"{title}:")
        for option in known:
            if not option.matters(options):
                continue
            others = [option.call(value.name) for value in option.values if value.name != options[option.name]]
            rest = f"; otherwise: {joined(others, 'or')}" if others else ""
            lines.append(f"  {option.called}: {bracketed(option, options[option.name])}{rest} ({option.clause})")
    return lines


def readings_in_short(sheet: Sheet, options: Mapping[str, Setting], players: int) -> str:
    """Which readings are not the usual ones, in a sentence; empty for a game that leaves nothing open."""
    known = [option for option in sheet.options if not option.size and option.matters(options)]
    other = [option for option in known if options[option.name] != option.default_for(players)]
    if not known:
        return ""
    if not other:
        return "Doubtful words are read in the usual way."
    named = "; ".join(f"{option.called}: {option.call(options[option.name])}" for option in other)
    return f"Not as usual here: {named}."


def tag_line(sheet: Sheet) -> str:
    """What the game is like, how long it takes and how much skill decides: "Like Casino · 10 min · skill and luck"."""
    return " · ".join(filter(None, (sheet.like, f"{sheet.minutes} min" if sheet.minutes else "", sheet.skill)))


def rule_book(sheet: Sheet, width: int = 100) -> str:
    """The whole rule book, wrapped to a width: a summary, and then the clauses."""
    counts = joined(sheet.players, "or")
    if len(sheet.players) > 6:
        counts = f"{sheet.players[0]} to {sheet.players[-1]}"
    paragraphs = [
        sheet.title.upper(),
        edition_of(sheet).document.maker,
        "",
        sheet.summary,
        *([f"{tag_line(sheet)}."] if tag_line(sheet) else []),
        f"Players: {counts}; usually {sheet.usual}. Cards: {sheet.cards}. Rules version {sheet.rules}.",
        "",
        "IN SHORT",
        f"Aim: {sheet.goal}",
        f"Your turn: {sheet.turn}",
        *([f"The cards: {sheet.order}"] if sheet.order else []),
        *scores_lines(sheet),
        *([f"The end: {sheet.ends}"] if sheet.ends else []),
        "",
        "THE CLAUSES",
        "Each clause is in our words; quotation marks hold words of the sheet, as the scan has them. A state says how "
        "its words stand, and what we add is called supplied. `parlour rules GAME CLAUSE` gives the evidence.",
        *[f"  [{state}] {words}." for state, words in STATES.items()],
    ]
    for clause in sheet.clauses:
        paragraphs += ["", *clause_lines(sheet, clause, evidence=False)]
    for title, options in parted(sheet):
        paragraphs += ["", f"{title.upper()} (set one with --set and what stands in its brackets)"]
        for option in options:
            paragraphs += ["", *option_lines(sheet, option), f"  Belongs to {option.clause}."]
    return "\n".join(wrapped(paragraph, width) for paragraph in paragraphs)


def wrapped(paragraph: str, width: int) -> str:
    """Wrap a paragraph; later lines are indented like the first, plus two spaces."""
    indent = paragraph[: len(paragraph) - len(paragraph.lstrip())]
    later = indent + ("  " if indent or ": " in paragraph[:20] else "")
    return textwrap.fill(paragraph, width, subsequent_indent=later) if paragraph else ""


def as_data(sheet: Sheet) -> dict[str, Any]:
    """The sheet as plain data, for programs."""
    return {
        "game": sheet.game,
        "title": sheet.title,
        "maker": edition_of(sheet).document.maker,
        "kind": edition_of(sheet).document.kind,
        "summary": sheet.summary,
        "goal": sheet.goal,
        "turn": sheet.turn,
        "order": sheet.order,
        "ends": sheet.ends,
        "unit": sheet.unit,
        "what_scores": [asdict(row) for row in sheet.what_scores(sheet.options_for(sheet.usual, {}))],
        "rules": sheet.rules,
        "players": list(sheet.players),
        "usual": sheet.usual,
        "cards": sheet.cards,
        "like": sheet.like,
        "minutes": sheet.minutes,
        "skill": sheet.skill,
        "clauses": [clause_data(sheet, clause) for clause in sheet.clauses],
        "options": [option_data(option) for option in sheet.options],
        "retired": dict(sheet.retired),
        "glossary": [asdict(term) for term in edition_of(sheet).glossary],
    }


def catalogue(sheets: Iterable[Sheet]) -> dict[str, Any]:
    """Sheets as one document, in the format that `schema.json` describes."""
    return {
        "format": FORMAT,
        "version": __version__,
        "licence": TEXT_LICENCE,
        "states": STATES,
        "certainties": CERTAINTIES,
        "evidence": KINDS,
        "sheets": [as_data(sheet) | edition_data(sheet) for sheet in sheets],
    }


def edition_data(sheet: Sheet) -> dict[str, Any]:
    """What the edition says about the document as a whole, as plain data."""
    whole = asdict(edition_of(sheet))
    names = {"document": "document", "remarks": "remarks", "works": "works", "relatives": "related"}
    names |= {"teaching": "teaching"}
    return {name: whole[known] for known, name in names.items()}


def schema() -> str:
    """The JSON Schema of a catalogue."""
    return (HERE / "schema.json").read_text("utf-8")


def overview(sheet: Sheet) -> list[str]:
    """One line for each clause of a sheet: its id, state and title, and the readings to choose from."""
    lines = []
    for clause in sheet.clauses:
        readings = [f"{option.called} [{option.name}]" for option in sheet.options if option.clause == clause.id]
        state = edition_of(sheet).of(clause).state
        lines.append(f"{clause.id:<8} {state:<9} {clause.title:<28} {'; '.join(readings)}".rstrip())
    return lines


def clause_data(sheet: Sheet, clause: Clause) -> dict[str, Any]:
    """A clause as plain data."""
    note: Apparatus = edition_of(sheet).of(clause)
    return {"id": clause.id, "title": clause.title, "rule": clause.rule} | {
        "state": note.state,
        "lemma": note.lemma,
        "also": list(note.also),
        "reading": note.reading,
        "supplied": note.supplied,
        "evidence": [asdict(item) for item in note.evidence],
        "certainty": note.certainty,
        "usual": note.usual,
        "where": note.where,
    }


def option_data(option: Option) -> dict[str, Any]:
    """An option as plain data."""
    data: dict[str, Any] = {"name": option.name, "clause": option.clause, "default": option.default}
    data |= {"changes": option.changes, "label": option.label, "offered": option.offered, "size": option.size}
    if option.needs:
        data["needs"] = dict(option.needs)
    if option.since > 1:
        data |= {"since": option.since, "before": option.before}
    if option.earlier:
        data["earlier"] = {str(last): default for last, default in option.earlier}
    if option.values:
        data["values"] = [
            {"name": value.name, "label": value.label, "means": value.means, "players": list(value.players)}
            | ({"since": value.since} if value.since > 1 else {})
            for value in option.values
        ]
    else:
        data |= {"min": option.low, "max": option.high}
    return data
