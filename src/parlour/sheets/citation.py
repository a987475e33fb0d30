"""Citations of a rule sheet and of this version of Parlour: as text, BibTeX, CSL-JSON or CITATION.cff."""

from __future__ import annotations

import json
from typing import Any

from .._version import __version__
from .model import Sheet
from .rulebook import LICENCE

AUTHORS, TITLE = "The Parlour authors", "Parlour"  # as in CITATION.cff
ABSTRACT = "Five card games of imperfect information: engine, bots and open records."
FORMATS = ("text", "bibtex", "csl", "cff")
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
    """The sheet in one line; whatever it does not say stands in square brackets, as libraries write it."""
    printed = sheet.printed
    author = f"{printed.author}. " if printed.author else ""
    imprint = f"{printed.place or '[no place]'}: {printed.publisher or '[no publisher]'}"
    year, month = dated(sheet)
    date = f"{MONTHS[month - 1]} {year}" if month else str(year or "[no year]")
    return f"{author}{sheet.title}. Rule sheet of a card game. {imprint}, {date}."


def dated(sheet: Sheet) -> tuple[int, int]:
    """The year and the month of a sheet, or 0 where it gives none."""
    year, _, month = sheet.printed.date.partition("-")
    return int(year or 0), int(month or 0)


def as_text(sheet: Sheet) -> str:
    """Two lines of text: the sheet and the software."""
    return f"{sheet_line(sheet)}\n{software_line(sheet, __version__, sheet.rules)}\n"


def as_bibtex(sheet: Sheet) -> str:
    """Two BibTeX entries: the sheet and the software."""
    printed, (year, month) = sheet.printed, dated(sheet)
    published = f", published by {printed.publisher}" if printed.publisher else ""
    fields = {
        "author": braced(printed.author),
        "title": braced(f"{{{sheet.title}}}"),  # braces keep its capitals
        "howpublished": braced(f"Rule sheet of a card game{published}"),
        "address": braced(printed.place),
        "year": str(year or ""),
        "month": MONTHS[month - 1][:3].lower() if month else "",
        "note": braced(sheet.maker),
    }
    software = {
        "author": braced(f"{{{AUTHORS}}}"),
        "title": braced(f"{{{TITLE}}}"),
        "howpublished": braced("Computer software"),
        "version": braced(__version__),
        "note": braced(f"Version {__version__}; {sheet.title}, rules version {sheet.rules}"),
    }
    entries = []
    for head, known in ((f"@booklet{{{sheet.game}-sheet", fields), ("@misc{parlour", software)):
        lines = [f"  {name} = {value}," for name, value in known.items() if value]
        entries.append("\n".join([f"{head},", *lines, "}\n"]))
    return "\n".join(entries)


def braced(words: str) -> str:
    """Text as a BibTeX field with TeX's special characters escaped; an empty text stays empty."""
    return "{" + "".join(SPECIAL.get(sign, sign) for sign in words) + "}" if words else ""


def as_csl(sheet: Sheet) -> str:
    """Two CSL-JSON items: the sheet and the software."""
    printed, date = sheet.printed, dated(sheet)
    item: dict[str, Any] = {"id": f"{sheet.game}-sheet", "type": "pamphlet", "title": sheet.title}
    item["genre"] = "Rule sheet of a card game"
    if printed.author:
        family, given = printed.author.split(", ")
        item["author"] = [{"family": family, "given": given}]
    if printed.publisher:
        item["publisher"] = printed.publisher
    if printed.place:
        item["publisher-place"] = printed.place
    if printed.date:
        item["issued"] = {"date-parts": [[part for part in date if part]]}
    item["note"] = sheet.maker
    software = {"id": "parlour", "type": "software", "title": TITLE, "author": [{"literal": AUTHORS}]}
    software |= {"version": __version__, "note": f"{sheet.title}, rules version {sheet.rules}"}
    return json.dumps([item, software], ensure_ascii=False, indent=1) + "\n"


def as_cff(sheet: Sheet) -> str:
    """A CITATION.cff of the software, with the sheet among its references."""
    printed, (year, month) = sheet.printed, dated(sheet)
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
        "  - type: pamphlet",
        f"    title: {quoted(sheet.title)}",
        "    authors:",
    ]
    if printed.author:
        family, given = printed.author.split(", ")
        lines += [f"      - family-names: {quoted(family)}", f"        given-names: {quoted(given)}"]
    else:
        # the format requires an author and recommends this word where there is none
        lines.append(f"      - name: {quoted(printed.publisher or 'anonymous')}")
    if printed.publisher:
        lines += ["    publisher:", f"      name: {quoted(printed.publisher)}"]
        lines += [f"      city: {quoted(printed.place)}"] * bool(printed.place)
    lines += [f"    year: {year}"] * bool(year) + [f"    month: {month}"] * bool(month)
    lines.append(f"    notes: {quoted(f'{sheet.maker} Played by rules version {sheet.rules}.')}")
    return "\n".join(lines) + "\n"


def quoted(words: str) -> str:
    """Text as a YAML string; every JSON string is one."""
    return json.dumps(words, ensure_ascii=False)
