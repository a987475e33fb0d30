"""The command that shows the edition of a game, exports it, and lays a transcription beside it: edition."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from ..games import game as game_of
from ..play.terminal import terminal_width
from ..sheets.citation import sheet_line, sources_line
from ..sheets.collation import Collation, collate
from ..sheets.edition import edition_of
from ..sheets.model import Sheet
from ..sheets.rulebook import in_words, wrapped
from .arguments import add_command, add_game
from .output import GOOD, WRONG, Misuse, check_apart, unreadable, write_file

if TYPE_CHECKING:
    from .arguments import Commands

FORMATS = ("text", "json", "tei", "dc", "marc", "jsonld")
MOST_BYTES = 1_000_000  # of a transcription


def add_edition(commands: Commands) -> None:
    """parlour edition."""
    words = "show or export the edition of a game, or lay a transcription of its sheet beside it"
    command = add_command(commands, "edition", do_edition, words, "parlour edition heraldry --text sheet.txt")
    add_game(command)
    command.add_argument("--text", metavar="FILE", help="a transcription of the sheet, in UTF-8")
    command.add_argument("--html", metavar="OUT", help="with --text: also write the two side by side as a web page")
    command.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text (the default), json; without --text also tei (TEI P5), dc (Dublin Core), marc (MARCXML), jsonld "
        "(schema.org)",
    )


def do_edition(asked: argparse.Namespace) -> int:
    """Show, export or collate an edition."""
    sheet = game_of(asked.game).sheet
    if asked.text is not None:
        return do_collate(asked, sheet)
    if asked.html is not None:
        raise Misuse("--html needs --text, the transcription to show.")
    if asked.format == "text":
        print("\n".join(wrapped(line, terminal_width()) for line in edition_lines(sheet)))
        return GOOD
    from ..sheets.exports import dublin_core, json_ld, marc_xml, tei
    from ..sheets.rulebook import catalogue

    if asked.format == "json":
        print(json.dumps(catalogue([sheet]), ensure_ascii=False, indent=1))
    elif asked.format == "jsonld":
        print(json.dumps(json_ld([sheet]), ensure_ascii=False, indent=1))
    else:
        print({"tei": tei, "dc": dublin_core, "marc": marc_xml}[asked.format](sheet), end="")
    return GOOD


def do_collate(asked: argparse.Namespace, sheet: Sheet) -> int:
    """Lay a transcription beside the edition."""
    from ..sheets.parallel import collation_lines, html

    if asked.format not in ("text", "json"):
        raise Misuse(f"--text is shown as text or json, not as {asked.format}.")
    check_apart({"--text": asked.text, "--html": asked.html})
    found = collate(edition_of(sheet), read_transcription(asked.text))
    if not found.sentences:
        raise Misuse(f"{asked.text} has no words in it.")
    if asked.html is not None:
        write_file(asked.html, html(sheet, found))
    if asked.format == "json":
        print(json.dumps(collation_data(sheet, found), ensure_ascii=False, indent=1))
    else:
        print("\n".join(wrapped(line, terminal_width()) for line in collation_lines(sheet, found)))
    return GOOD if found.complete else WRONG


def read_transcription(path: str) -> str:
    """The text of a file in UTF-8; anything else raises Misuse."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error) from None
    if len(data) > MOST_BYTES:
        raise Misuse(f"{path} is too long for the transcription of a sheet; it may have 1 MB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Misuse(f"{path} is not in UTF-8; save it as plain text in UTF-8.") from None


def collation_data(sheet: Sheet, found: Collation) -> dict[str, object]:
    """A collation as plain data."""
    return {
        "game": sheet.game,
        "sentences": [
            {
                "text": sentence.text,
                "clauses": sentence.clauses,
                "found": [
                    {"clause": item.owner, "lemma": item.lemma, "nearly": item.nearly} for item in sentence.found
                ],
                "remarks": list(dict.fromkeys(sentence.remarks)),
            }
            for sentence in found.sentences
        ],
        "uncovered": [sentence.text for sentence in found.uncovered],
        "missing": [{"clause": id, "lemma": lemma} for id, lemma in found.missing],
        "silent": list(found.silent),
    }


def edition_lines(sheet: Sheet) -> Iterator[str]:
    """What the edition says about the document as a whole, as lines of text, not yet wrapped."""
    edition = edition_of(sheet)
    document = edition.document
    yield sheet_line(sheet)
    if sources_line(sheet):
        yield sources_line(sheet)
    yield ""
    yield from filter(None, (document.maker, document.described, *document.history))
    parts = [
        ("WORKS", [f"{work.cite} {work.about}" for work in edition.works]),
        ("RELATED GAMES", [f"{item.name}: {item.about}" for item in edition.relatives]),
        ("GLOSSARY", [f"{term.word}: {term.means}" for term in edition.glossary]),
        ("NOT A RULE", [f"“{remark.lemma}”: {remark.about}" for remark in edition.remarks]),
    ]
    teaching = asdict(edition.teaching)
    notes = [f"{name.capitalize()}: {teaching[name]}" for name in ("age", "time", "learned") if teaching[name]]
    parts.append(("TEACHING", [*notes, *(in_words(sheet, idea) for idea in edition.teaching.ideas)]))
    for title, rows in parts:
        if rows:
            yield ""
            yield title
            yield from (f"  {row}" for row in rows)
    yield ""
    yield f"The clauses with their evidence: `parlour rules {sheet.game} CLAUSE`."
