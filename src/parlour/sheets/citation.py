"""Citations of a sheet or chapter and of this version of Parlour: as text, BibTeX, CSL-JSON or CITATION.cff."""

from __future__ import annotations

import json
from typing import Any

from .._version import __version__
from .edition import DOCUMENTS, Document, edition_of
from .model import Sheet
from .rulebook import LICENCE

AUTHORS, TITLE = "The Parlour authors", "Parlour"  # as in CITATION.cff
ABSTRACT = "Five card games of imperfect information: engine, bots and open records."
FORMATS = ("text", "bibtex", "csl", "cff")
UNIDENTIFIED = "[A book of games, not identified]"
SPECIAL = {sign: f"\\{sign}" for sign in "&%$#_"}
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def cite(sheet: Sheet, form: str) -> str:
    """Cite a sheet and this version in one of the `FORMATS`."""
    return {"text": as_text, "bibtex": as_bibtex, "csl": as_csl, "cff": as_cff}[form](sheet)


def software_line(sheet: Sheet, version: str, rules: int) -> str:
    """A version of Parlour in one line, with its rules version of this game."""
    return f"{AUTHORS}. {TITLE}, version {version}; {sheet.title}, rules version {rules}. {LICENCE} licence."


def sheet_line(sheet: Sheet) -> str:
    """The document in one line; what it does not say of itself stands in square brackets, as libraries write it."""
    document = edition_of(sheet).document
    author = f"{document.author}. " if document.author else ""
    place, publisher = stated(document, "place") or "[no place]", stated(document, "publisher") or "[no publisher]"
    date = date_of(document) or "[no year]"
    return f"{author}{document.title}. {DOCUMENTS[document.kind]}. {place}: {publisher}, {date}."


def sources_line(sheet: Sheet) -> str:
    """Where the details in square brackets come from; empty where there are none."""
    additions = edition_of(sheet).document.additions
    if not additions:
        return ""
    return "Supplied: " + "; ".join(f"{item.part} [{item.says}] ({item.source})" for item in additions) + "."


def stated(document: Document, part: str) -> str:
    """A part of the imprint: as it is printed, or in square brackets as we supply it."""
    printed: str = getattr(document, part)
    found = document.addition(part)
    return printed or (f"[{found.says}]" if found else "")


def date_of(document: Document) -> str:
    """The date in words."""
    year, month = dated(document)
    return f"{MONTHS[month - 1]} {year}" if month else str(year or stated(document, "date"))


def dated(document: Document) -> tuple[int, int]:
    """The printed year and month, or 0 where there is none."""
    year, _, month = document.date.partition("-")
    return int(year or 0), int(month or 0)


def as_text(sheet: Sheet) -> str:
    """Lines of text: the document, where supplied details come from, and the software."""
    lines = [sheet_line(sheet), sources_line(sheet), software_line(sheet, __version__, sheet.rules)]
    return "".join(f"{line}\n" for line in lines if line)


def note_of(sheet: Sheet) -> str:
    """What the document says of itself, and where supplied details come from."""
    return " ".join(filter(None, (edition_of(sheet).document.maker, sources_line(sheet))))


def as_bibtex(sheet: Sheet) -> str:
    """Two BibTeX entries: the document and the software."""
    document = edition_of(sheet).document
    year, month = dated(document)
    chapter = document.kind == "chapter"
    publisher = stated(document, "publisher")
    published = f", published by {publisher}" if publisher else ""
    fields = {
        "author": braced(document.author),
        "title": braced(f"{{{document.title}}}"),  # braces keep its capitals
        "booktitle": braced(UNIDENTIFIED) if chapter else "",
        "howpublished": "" if chapter else braced(f"{DOCUMENTS[document.kind]}{published}"),
        "address": braced(stated(document, "place")),
        "year": str(year) if year else braced(stated(document, "date")),
        "month": MONTHS[month - 1][:3].lower() if month else "",
        "note": braced(note_of(sheet)),
    }
    software = {
        "author": braced(f"{{{AUTHORS}}}"),
        "title": braced(f"{{{TITLE}}}"),
        "howpublished": braced("Computer software"),
        "version": braced(__version__),
        "note": braced(f"Version {__version__}; {sheet.title}, rules version {sheet.rules}"),
    }
    kind = "incollection" if chapter else "booklet"
    entries = []
    for head, known in ((f"@{kind}{{{sheet.game}-sheet", fields), ("@misc{parlour", software)):
        lines = [f"  {name} = {value}," for name, value in known.items() if value]
        entries.append("\n".join([f"{head},", *lines, "}\n"]))
    return "\n".join(entries)


def braced(words: str) -> str:
    """Text as a BibTeX field with TeX's special characters escaped; an empty text stays empty."""
    return "{" + "".join(SPECIAL.get(sign, sign) for sign in words) + "}" if words else ""


def as_csl(sheet: Sheet) -> str:
    """Two CSL-JSON items: the document and the software."""
    document = edition_of(sheet).document
    chapter = document.kind == "chapter"
    kind = "chapter" if chapter else "pamphlet"
    item: dict[str, Any] = {"id": f"{sheet.game}-sheet", "type": kind, "title": document.title}
    if chapter:
        item["container-title"] = UNIDENTIFIED
    item["genre"] = DOCUMENTS[document.kind]
    if document.author:
        family, given = document.author.split(", ")
        item["author"] = [{"family": family, "given": given}]
    for name, part in (("publisher", "publisher"), ("publisher-place", "place")):
        if said := stated(document, part):
            item[name] = said
    if document.date:
        item["issued"] = {"date-parts": [[part for part in dated(document) if part]]}
    elif said := stated(document, "date"):
        item["issued"] = {"literal": said}
    item["note"] = note_of(sheet)
    software = {"id": "parlour", "type": "software", "title": TITLE, "author": [{"literal": AUTHORS}]}
    software |= {"version": __version__, "note": f"{sheet.title}, rules version {sheet.rules}"}
    return json.dumps([item, software], ensure_ascii=False, indent=1) + "\n"


def as_cff(sheet: Sheet) -> str:
    """A CITATION.cff of the software, with the document among its references."""
    document = edition_of(sheet).document
    year, month = dated(document)
    publisher, place = stated(document, "publisher"), stated(document, "place")
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use this game, please cite Parlour and the sheet."',
        "type: software",
        f"title: {quoted(TITLE)}",
        f"abstract: {quoted(ABSTRACT)}",
        f"version: {quoted(__version__)}",
        f"license: {LICENCE}",
        "authors:",
        f"  - name: {quoted(AUTHORS)}",
        "references:",
        f"  - type: {'book' if document.kind == 'chapter' else 'pamphlet'}",
        f"    title: {quoted(UNIDENTIFIED if document.kind == 'chapter' else document.title)}",
        *([f"    section: {quoted(document.title)}"] if document.kind == "chapter" else []),
        "    authors:",
    ]
    if document.author:
        family, given = document.author.split(", ")
        lines += [f"      - family-names: {quoted(family)}", f"        given-names: {quoted(given)}"]
    else:
        # the format requires an author and recommends this word where there is none
        lines.append(f"      - name: {quoted(publisher or 'anonymous')}")
    if publisher:
        lines += ["    publisher:", f"      name: {quoted(publisher)}"]
        lines += [f"      city: {quoted(place)}"] * bool(place)
    lines += [f"    year: {year}"] * bool(year) + [f"    month: {month}"] * bool(month)
    lines.append(f"    notes: {quoted(f'{note_of(sheet)} Played by rules version {sheet.rules}.')}")
    return "\n".join(lines) + "\n"


def quoted(words: str) -> str:
    """Text as a YAML string; every JSON string is one."""
    return json.dumps(words, ensure_ascii=False)
