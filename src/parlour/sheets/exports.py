"""The edition for catalogues and scholars: Dublin Core, MARCXML, schema.org as JSON-LD, and TEI P5."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from .._version import __version__
from .citation import AUTHORS, TITLE, UNIDENTIFIED, date_of, note_of, sheet_line, stated
from .edition import CERTAINTIES, DOCUMENTS, STATES, Apparatus, Document, edition_of
from .model import Clause, Sheet
from .rulebook import in_words

LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/"
RIGHTS = "To our knowledge the rules are in the public domain. Texts of the edition: CC BY 4.0, the Parlour authors."
UNKNOWN_PUBLISHER = "[publisher not identified]"
PLACES = {"New York": "nyu", "London": "enk", "United States": "xxu"}  # in MARC's code list for countries
ENTERED = "261119"  # the day on which these records were first made, as MARC writes it
CARRIERS = {"sheet": ("sheet", "nb"), "leaflet": ("volume", "nc"), "chapter": ("volume", "nc")}  # as RDA calls them
CERT = {"sure": "high", "likely": "medium", "even": "low", "guess": "low"}  # as TEI grades it


def dublin_core(sheet: Sheet) -> str:
    """The document as a Dublin Core record (oai_dc); what is supplied stands in square brackets."""
    document = edition_of(sheet).document
    fields = [
        ("title", document.title),
        ("creator", document.author),
        ("publisher", _published(document)),
        ("date", document.date or stated(document, "date")),
        ("identifier", identifier(sheet)),
        ("type", "Text"),
        ("format", DOCUMENTS[document.kind]),
        ("language", "en"),
        ("subject", "Card games -- Rules"),
        ("description", document.described),
        ("description", note_of(sheet)),
        ("relation", f"{TITLE}, version {__version__}: {sheet.game}, rules version {sheet.rules}"),
        ("rights", RIGHTS),
    ]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/">',
        *(f"  <dc:{name}>{escape(text)}</dc:{name}>" for name, text in fields if text),
        "</oai_dc:dc>",
    ]
    return "\n".join(lines) + "\n"


Field = tuple[str, str, dict[str, str]]  # a tag, two indicators, and subfields by their codes


def _published(document: Document) -> str:
    """The publisher with the place, for which Dublin Core has no element of its own; empty if neither is known."""
    place, publisher = stated(document, "place"), stated(document, "publisher")
    return f"{place}: {publisher or UNKNOWN_PUBLISHER}" if place else publisher


def identifier(sheet: Sheet) -> str:
    """What the record of a document is called in the catalogues that are made here."""
    return f"parlour-{sheet.game}"


def marc_xml(sheet: Sheet) -> str:
    """The document as a MARC 21 record in MARCXML, without ISBD punctuation; what is supplied is in brackets."""
    document = edition_of(sheet).document
    leader = f"00000na{'a' if document.kind == 'chapter' else 'm'} a22000007c 4500"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<collection xmlns="http://www.loc.gov/MARC21/slim"><record>',
        f"  <leader>{leader}</leader>",
        f'  <controlfield tag="001">{identifier(sheet)}</controlfield>',
        f'  <controlfield tag="008">{_marc_codes(document)}</controlfield>',
    ]
    for tag, indicators, said in _marc_fields(sheet):
        parts = "".join(f'<subfield code="{code}">{escape(text)}</subfield>' for code, text in said.items())
        lines.append(f'  <datafield tag="{tag}" ind1="{indicators[0]}" ind2="{indicators[1]}">{parts}</datafield>')
    return "\n".join([*lines, "</record></collection>"]) + "\n"


def _marc_codes(document: Document) -> str:
    """Field 008: when, where and in which language it was published; what is not coded is filled with bars."""
    years = re.findall(r"\d{4}", document.date or stated(document, "date"))
    dates = {0: "nuuuuuuuu", 1: f"s{''.join(years)}    "}.get(len(years), f"q{''.join(years[:2])}")
    place = next((code for name, code in PLACES.items() if name in stated(document, "place")), "xx ")
    return f"{ENTERED}{dates}{place}{'|' * 17}eng d"


def _marc_fields(sheet: Sheet) -> Iterator[Field]:
    document = edition_of(sheet).document
    yield "040", "  ", {"a": AUTHORS, "b": "eng", "c": AUTHORS}
    if document.author:
        yield "100", "1 ", {"a": document.author, "e": "author"}
    article = len(document.title) - len(document.title.removeprefix("The "))  # is passed over where titles are sorted
    yield "245", f"{int(bool(document.author))}{article}", {"a": document.title}
    if document.title != sheet.title:
        yield "246", "3 ", {"a": sheet.title}
    yield (
        "264",
        " 1",
        {
            "a": stated(document, "place") or "[Place of publication not identified]",
            "b": stated(document, "publisher") or UNKNOWN_PUBLISHER,
            "c": date_of(document) or "[date of publication not identified]",
        },
    )
    carrier, code = CARRIERS[document.kind]
    yield "336", "  ", {"a": "text", "b": "txt", "2": "rdacontent"}
    yield "337", "  ", {"a": "unmediated", "b": "n", "2": "rdamedia"}
    yield "338", "  ", {"a": carrier, "b": code, "2": "rdacarrier"}
    yield "500", "  ", {"a": f"{DOCUMENTS[document.kind]}. {document.described}"}
    yield "500", "  ", {"a": note_of(sheet)}
    yield "520", "  ", {"a": sheet.summary}
    yield "540", "  ", {"a": RIGHTS, "u": LICENCE_URL}
    if owner := document.addition("owner"):
        yield "561", "1 ", {"a": f"{owner.says} ({owner.source})"}
    yield "650", " 4", {"a": "Card games", "v": "Rules"}
    if document.kind == "chapter":
        yield "773", "08", {"i": "Chapter of:", "t": UNIDENTIFIED}
    about = f"{TITLE}, version {__version__}: {sheet.game}, rules version {sheet.rules}"
    yield "787", "08", {"i": "Edited and made playable in:", "t": about}


def json_ld(sheets: Iterable[Sheet]) -> dict[str, Any]:
    """Games as linked data in the words of schema.org."""
    return {"@context": "https://schema.org", "@graph": [game_data(sheet) for sheet in sheets]}


def json_ld_in_page(sheets: Iterable[Sheet]) -> str:
    """The same in short, as an element for the head of a web page."""
    left_out = ("citation", "teaches", "audience")
    found = json_ld(sheets)
    for game in found["@graph"]:
        for name in left_out:
            game.pop(name, None)
        game["isBasedOn"].pop("description")
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def game_data(sheet: Sheet) -> dict[str, Any]:
    """A game, and the document that its rules come from."""
    edition = edition_of(sheet)
    document, teaching = edition.document, edition.teaching
    source: dict[str, Any] = {"@type": "Chapter" if document.kind == "chapter" else "CreativeWork"}
    source |= {"name": document.title, "genre": DOCUMENTS[document.kind], "inLanguage": "en"}
    source["description"] = note_of(sheet)
    if document.kind == "chapter":
        source["isPartOf"] = {"@type": "Book", "name": UNIDENTIFIED}
    if document.author:
        family, given = document.author.split(", ")
        source["author"] = {"@type": "Person", "familyName": family, "givenName": given}
    if publisher := stated(document, "publisher"):
        source["publisher"] = {"@type": "Organization", "name": publisher}
    if place := stated(document, "place"):
        source["locationCreated"] = {"@type": "Place", "name": place}
    if document.date:
        source["datePublished"] = document.date
    elif date := date_of(document):
        source["temporal"] = date
    counts = {"@type": "QuantitativeValue", "minValue": sheet.players[0], "maxValue": sheet.players[-1]}
    data: dict[str, Any] = {"@type": "Game", "name": sheet.title, "identifier": sheet.game}
    data |= {"description": sheet.summary, "numberOfPlayers": counts, "inLanguage": "en", "isBasedOn": source}
    data |= {"license": LICENCE_URL, "creator": {"@type": "Organization", "name": AUTHORS}, "version": __version__}
    data["citation"] = [work.cite for work in edition.works]
    if teaching.age:
        data |= {"audience": {"@type": "Audience", "audienceType": teaching.age}, "teaches": teaching.learned}
    if sheet.minutes:
        data["timeRequired"] = f"PT{sheet.minutes}M"
    return data


def tei(sheet: Sheet) -> str:
    """The apparatus as TEI P5: an entry for each clause, with the words of the sheet and our readings of them."""
    return "\n".join(_tei(sheet)) + "\n"


def _tei(sheet: Sheet) -> Iterator[str]:
    edition = edition_of(sheet)
    document = edition.document
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en">'
    yield "<teiHeader><fileDesc>"
    yield f"<titleStmt><title>{escape(sheet.title)}: the apparatus</title>"
    yield f'<editor xml:id="parlour">{AUTHORS}</editor></titleStmt>'
    yield f"<editionStmt><p>{TITLE}, version {__version__}; rules version {sheet.rules}</p></editionStmt>"
    yield f"<publicationStmt><publisher>{AUTHORS}</publisher><availability>"
    yield f'<licence target="{LICENCE_URL}">CC BY 4.0</licence></availability></publicationStmt>'
    yield f'<sourceDesc><listWit><witness xml:id="scan">A scan of {escape(sheet_line(sheet))}</witness></listWit><bibl>'
    if document.author:
        yield f"<author>{escape(document.author)}</author>"
    yield f"<title>{escape(document.title)}</title>"
    for tag, part in (("pubPlace", "place"), ("publisher", "publisher"), ("date", "date")):
        printed, found = getattr(document, part), document.addition(part)
        when = f" when={quoteattr(printed)}" if tag == "date" and printed else ""
        if printed:
            yield f"<{tag}{when}>{escape(date_of(document) if when else printed)}</{tag}>"
        elif found:
            yield f'<{tag}><supplied resp="#parlour" source="#from-{part}">{escape(found.says)}</supplied></{tag}>'
    yield f"<note>{escape(document.maker)}</note><note>{escape(document.described)}</note>"
    for item in document.additions:
        says = f"{item.part}: {item.says} ({item.source})"
        yield f'<note type="provenance" xml:id="from-{item.part}">{escape(says)}</note>'
    yield "</bibl></sourceDesc></fileDesc>"
    yield "<encodingDesc><editorialDecl><p>A lemma quotes the scan as it is. A reading of type “reading” says how "
    yield "the words are taken, one of type “supplied” what is added to them. The type of an entry is the state of "
    yield "the words: " + "; ".join(f"{state}: {escape(words)}" for state, words in STATES.items()) + ".</p>"
    yield "</editorialDecl>"
    yield '<variantEncoding method="double-end-point" location="external"/></encodingDesc></teiHeader>'
    yield '<text><body><div type="clauses">'
    for clause in sheet.clauses:
        yield from _entry(sheet, clause, edition.of(clause))
    yield "</div>"
    if edition.remarks:
        yield '<div type="remarks"><head>Words that are no rule</head><list>'
        for remark in edition.remarks:
            quotes = " … ".join(f"<quote>{escape(lemma)}</quote>" for lemma in (remark.lemma, *remark.also))
            yield f"<item>{quotes} {escape(remark.about)}</item>"
        yield "</list></div>"
    yield "</body>"
    yield "<back>"
    if edition.works:
        yield '<div type="bibliography"><listBibl>'
        for work in edition.works:
            yield f"<bibl>{escape(work.cite)} <note>{escape(work.about)}</note></bibl>"
        yield "</listBibl></div>"
    if edition.glossary:
        yield '<div type="glossary"><list type="gloss">'
        for term in edition.glossary:
            yield f"<label>{escape(term.word)}</label><item>{escape(term.means)}</item>"
        yield "</list></div>"
    if not (edition.works or edition.glossary):
        yield "<div><p/></div>"
    yield "</back></text></TEI>"


def _entry(sheet: Sheet, clause: Clause, note: Apparatus) -> Iterator[str]:
    def told(text: str) -> str:
        return escape(in_words(sheet, text))

    yield f'<div type="clause" xml:id={quoteattr(clause.id)}><head>{escape(clause.title)}</head>'
    yield f"<p>{escape(clause.rule)}</p>"
    yield f'<p><app type="{note.state}" loc={quoteattr(note.where)}>'
    if note.lemma:
        yield f'<lem wit="#scan">{escape(note.lemma)}</lem>'
    for kind, text in (("reading", note.reading), ("supplied", note.supplied)):
        if text:
            yield f'<rdg type="{kind}" resp="#parlour" xml:id="{clause.id}-{kind}">{told(text)}</rdg>'
    for lemma in note.also:
        yield f'<note type="also"><quote>{escape(lemma)}</quote></note>'
    for item in note.evidence:
        source = f" <bibl>{escape(item.source)}</bibl>" if item.source else ""
        yield f'<note type="evidence" subtype="{item.kind}">{told(item.says)}{source}</note>'
    if note.usual:
        yield f'<note type="usual">{told(note.usual)}</note>'
    yield "</app>"
    about = [f"#{clause.id}-{kind}" for kind, text in (("reading", note.reading), ("supplied", note.supplied)) if text]
    if about:
        yield f'<certainty target="{" ".join(about)}" locus="value" cert="{CERT[note.certainty]}" resp="#parlour">'
        yield f"<desc>{note.certainty}: {escape(CERTAINTIES[note.certainty])}</desc></certainty>"
    yield "</p></div>"
