"""The rule book of a game: every clause in our words, what the sheet says, how we read it, what we add and why."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
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
        lines.append(f"  Reading: {note.reading}")
    if note.supplied:
        lines.append(f"  Supplied: {note.supplied}")
    if evidence:
        for item in note.evidence:
            lines.append(f"  Evidence ({item.kind}): {item.says}" + (f" [{item.source}]" if item.source else ""))
    if note.reading or note.supplied:
        lines.append(f"  Certainty: {note.certainty}, {CERTAINTIES[note.certainty]}")
    lines.append(f"  From: {note.where}")
    return lines


def clause_text(sheet: Sheet, id: str) -> str:
    """One clause with its options; an unknown id raises SheetError."""
    clause = sheet.clause(id)
    lines = clause_lines(sheet, clause)
    for option in sheet.options:
        if option.clause == clause.id:
            lines += ["  " + line for line in option_lines(option)]
    return "\n".join(lines)


def option_lines(option: Option) -> list[str]:
    """An option as lines of text."""
    if option.values:
        lines = [f"Option {option.name}: {option.changes}"]
        for value in option.values:
            usual = " (usual)" if value.name == option.default else ""
            since = f" (since rules version {value.since})" if value.since > 1 else ""
            lines.append(f"  {option.name}={value.name}{usual}{since}: {value.means}")
    else:
        lines = [f"Option {option.name}={option.low} to {option.high:,} (usual: {option.usual}): {option.changes}"]
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
    if sheet.options:
        paragraphs += ["", "THE OPTIONS (set one with --set name=value)"]
    for option in sheet.options:
        paragraphs += ["", *option_lines(option), f"  Belongs to {option.clause}."]
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
    names |= {"glossary": "glossary", "teaching": "teaching"}
    return {name: whole[known] for known, name in names.items()}


def schema() -> str:
    """The JSON Schema of a catalogue."""
    return (HERE / "schema.json").read_text("utf-8")


def overview(sheet: Sheet) -> list[str]:
    """One line for each clause of a sheet: its id, state and title, and the readings to choose from."""
    lines = []
    for clause in sheet.clauses:
        readings = [
            f"{option.name}: " + (" | ".join(str(value.name) for value in option.values) or "a number")
            for option in sheet.options
            if option.clause == clause.id
        ]
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
        "where": note.where,
    }


def option_data(option: Option) -> dict[str, Any]:
    """An option as plain data."""
    data: dict[str, Any] = {"name": option.name, "clause": option.clause, "default": option.default}
    data |= {"changes": option.changes, "label": option.label, "offered": option.offered}
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
