"""The edition: every clause argued, every quotation as the scan has it, nothing of a scan left without a word."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from parlour.games import GAMES, sheet
from parlour.sheets.edition import CERTAINTIES, DOCUMENTS, KINDS, STATES, edition_of
from support.scans import needs_scans, scan, seeds

PROVED = Path(__file__).with_name("lemmas.json")
LAB = Path(__file__).resolve().parents[2] / "docs" / "lab"
MEASURED = (("decisions", 1), ("real_choices", 100))
each_game = pytest.mark.parametrize("game", GAMES)


def quoted(game: str) -> list[str]:
    """All words that the edition of a game quotes as lemmas."""
    edition = edition_of(sheet(game))
    notes = [*edition.clauses.values()]
    return [lemma for note in notes for lemma in note.lemmas] + [
        lemma for remark in edition.remarks for lemma in (remark.lemma, *remark.also)
    ]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@each_game
@needs_scans
def test_every_lemma_stands_in_the_scan_word_for_word(game: str) -> None:
    text = " ".join(scan(game).split())
    assert [lemma for lemma in quoted(game) if lemma not in text] == []


@each_game
def test_every_lemma_was_proved_against_the_scan(game: str) -> None:
    """Where the scans are missing: each lemma is, letter for letter, one that was found in the scan of this digest."""
    proved = json.loads(PROVED.read_text("utf-8"))[game]
    if seeds() is not None:
        assert proved["scan"] == hashlib.sha256(scan(game).encode()).hexdigest()
    assert sorted({digest(lemma) for lemma in quoted(game)}) == proved["lemmas"]


@each_game
def test_no_quotation_is_longer_than_a_dozen_words(game: str) -> None:
    for lemma in quoted(game):
        assert 0 < len(lemma.split()) <= 12, lemma


@each_game
def test_every_clause_is_argued(game: str) -> None:
    head = sheet(game)
    edition = edition_of(head)
    assert list(edition.clauses) == [clause.id for clause in head.clauses]
    for note in edition.clauses.values():
        assert note.state in STATES and note.certainty in CERTAINTIES and note.where, note.id
        assert bool(note.lemma) == ("silent" not in note.where), note.id
        assert note.lemma or note.supplied, note.id
        assert note.state != "supplied" or note.supplied, note.id
        assert note.state not in ("damaged", "open") or (note.reading and note.evidence), note.id
        assert not note.supplied or note.evidence, note.id
        assert note.certainty == "sure" or note.evidence, note.id
        for text in (note.reading, note.supplied, *[item.says for item in note.evidence]):
            assert not text or text.endswith((".", "?", '."')), (note.id, text)
            assert "  " not in text and "\n" not in text and "`" not in text, (note.id, text)
        assert all(item.kind in KINDS for item in note.evidence), note.id
        assert all(item.source for item in note.evidence if item.kind == "parallel"), note.id


@each_game
def test_the_usual_reading_of_every_doubtful_word_is_argued(game: str) -> None:
    head = sheet(game)
    edition = edition_of(head)
    doubtful = {option.clause for option in head.options if not option.size}
    argued = {note.id for note in edition.clauses.values() if note.usual}
    assert argued == doubtful
    for id in argued:
        said = edition.clauses[id].usual
        assert said.endswith(".") and "  " not in said and "\n" not in said and "`" not in said, id


@each_game
def test_the_figures_in_the_arguments_are_those_of_the_study(game: str) -> None:
    study = json.loads((LAB / f"{game}.json").read_text("utf-8"))
    for note in edition_of(sheet(game)).clauses.values():
        rows = [row["values"] for row in study["rows"] if row["clause"] == note.id or row["usual"]]
        long, free = ([round(scale * row[name]["value"]) for row in rows] for name, scale in MEASURED)
        for said, usual in re.findall(r"(\d+) decisions instead of (\d+)", note.usual):
            assert int(usual) == long[0] and int(said) in long[1:], (note.id, said, usual)
        for said in re.findall(r"choice in (\d+) decisions of 100", note.usual):
            assert int(said) in free[1:], (note.id, said)
        for usual in re.findall(r"of 100 instead of (\d+)", note.usual):
            assert int(usual) == free[0], (note.id, usual)


@each_game
@needs_scans
def test_words_in_double_quotation_marks_are_words_of_the_scan(game: str) -> None:
    text = " ".join(scan(game).split()).casefold()
    for note in edition_of(sheet(game)).clauses.values():
        for said in (note.reading, note.supplied, note.usual, *[item.says for item in note.evidence]):
            for quote in re.findall('"([^"]*)"', said):
                assert quote.rstrip(".,").casefold() in text, (note.id, quote)


@each_game
def test_only_clauses_of_the_next_rules_are_in_the_file_besides(game: str) -> None:
    head = sheet(game)
    assert head.folder
    data = tomllib.loads((head.folder / "edition.toml").read_text("utf-8"))
    more = set(data["clause"]) - {clause.id for clause in head.clauses}
    assert more <= ({"HER-16"} if head.rules == 1 else set())


def test_the_edition_is_read_only_when_it_is_asked_for() -> None:
    code = "import sys, parlour; parlour.game('tontine'); print('parlour.sheets.edition' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@each_game
def test_the_document_is_described(game: str) -> None:
    edition = edition_of(sheet(game))
    assert edition.document.kind in DOCUMENTS and edition.document.maker and edition.document.described
    assert all(item.says and item.source for item in edition.document.additions)
    assert edition.works and edition.relatives and edition.glossary and edition.teaching.ideas
    said = {"author", "publisher", "place", "date"}
    for item in edition.document.additions:
        assert item.part in {*said, "source", "owner"}
        assert item.part not in said or not getattr(edition.document, item.part), item


def prove() -> None:
    """Write `lemmas.json` again: PYTHONPATH=tests python tests/sheets/test_edition.py, where the scans are."""
    made = {}
    for game in GAMES:
        text = " ".join(scan(game).split())
        assert all(lemma in text for lemma in quoted(game)), [lemma for lemma in quoted(game) if lemma not in text]
        whole = hashlib.sha256(scan(game).encode()).hexdigest()
        made[game] = {"scan": whole, "lemmas": sorted({digest(lemma) for lemma in quoted(game)})}
    PROVED.write_text(json.dumps(made, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    prove()
