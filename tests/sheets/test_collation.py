"""A transcription beside the edition: tolerant of how it was typed, and nothing of a scan is left without a word."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from parlour.games import GAMES, sheet
from parlour.sheets.collation import Letters, collate, sentences_of
from parlour.sheets.edition import edition_of
from support.cli import Cli
from support.scans import needs_scans, scan

each_game = pytest.mark.parametrize("game", GAMES)

MADE_UP = """THE GAME OF TONTINE.

A stranger wrote this. It is PLAYED  with an entire
pack of fifty-
two cards; The player whose card turned up is a king draws three coun-
ters from the box. He that has a ten neither draws or pays anything!
"""


@each_game
@needs_scans
def test_every_sentence_of_a_scan_is_covered_or_no_rule(game: str) -> None:
    found = collate(edition_of(sheet(game)), scan(game))
    assert [sentence.text for sentence in found.uncovered] == []
    assert found.missing == () and len(found.sentences) > 10
    assert not any(item.nearly for sentence in found.sentences for item in sentence.found)
    silent = [note.id for note in edition_of(sheet(game)).clauses.values() if not note.lemma]
    assert list(found.silent) == silent


@each_game
@needs_scans
def test_whitespace_line_ends_case_and_signs_make_no_difference(game: str) -> None:
    edition, text = edition_of(sheet(game)), scan(game)
    words = re.sub(r"[,;:]", "", " ".join(text.split())).upper()
    broken = re.sub(r"\b([A-Z]{4})([A-Z]{4})", r"\1-\n\2", words)
    for changed in (text.replace("\n", "\r\n"), words, broken):
        assert collate(edition, changed).missing == ()


def test_a_transcription_that_differs_a_little_is_found_and_says_so() -> None:
    found = collate(edition_of(sheet("tontine")), MADE_UP)
    by_text = {sentence.text: sentence for sentence in found.sentences}
    assert [sentence.text for sentence in found.uncovered] == ["A stranger wrote this."]
    assert by_text["THE GAME OF TONTINE."].remarks == ["The title."]
    ten = next(sentence for sentence in found.sentences if "ten" in sentence.text.split())
    assert ten.clauses == ["TON-6"] and ten.found[0].nearly == ""
    king = next(sentence for sentence in found.sentences if "king" in sentence.text.split())
    assert king.clauses == ["TON-1", "TON-5"] and "counters from the box" in king.text
    assert {id for id, _ in found.missing} >= {"TON-2", "TON-14"} and found.silent == ("TON-13",)
    near = collate(edition_of(sheet("tontine")), "He that outlived all the rest by having counters left.")
    assert near.sentences[0].found[0].nearly == "He that outlived all the rest by having counters left"


def test_an_undamaged_sheet_shows_who_leads_first() -> None:
    sentence = "Then the dealer plays a card from his hand, calling its number and title."
    found = collate(edition_of(sheet("masquerade")), sentence)
    assert [each.clauses for each in found.sentences] == [["MASQ-5"]]


def test_long_s_and_ligatures_are_letters() -> None:
    assert Letters("the ﬁrſt deceaſed").find("the first deceased") == (0, 17)
    assert Letters("a place").find("ace") is None and Letters("an ace.").find("ace") == (3, 6)


def test_sentences_go_on_over_pages_and_numbers_are_no_ends() -> None:
    text = "1. He plays No. 6\n\nupon No. 7. Then\n - 2. Wm. B. Smith pays. \n\nTO WIN\n\nAll win"
    said = [sentence.text for sentence in sentences_of(text)]
    assert said == ["1. He plays No. 6 upon No. 7.", "Then", "- 2. Wm. B. Smith pays.", "TO WIN", "All win"]


class Page(HTMLParser):
    """What a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given[name] or "" for name in ("href", "src") if name in given]


def test_the_command_shows_both_and_writes_a_page_that_needs_nothing_else(cli: Cli, tmp_path: Path) -> None:
    text, page = tmp_path / "sheet.txt", tmp_path / "page.html"
    text.write_text(MADE_UP + "\nIs <b> & so forth?\n", "utf-8")
    code, out, _ = cli("edition", "tontine", "--text", str(text), "--html", str(page))
    assert code == 1 and "2 that no clause covers." in out and "TON-14 quotes “He who outlives" in " ".join(out.split())
    made = page.read_text("utf-8")
    read = Page()
    read.feed(made)
    assert "script" not in read.tags and "<b>" not in made and "&lt;b&gt; &amp; so" in made
    assert sorted(read.ids) == sorted(clause.id for clause in sheet("tontine").clauses)
    assert all(link.removeprefix("#") in read.ids for link in read.links)
    assert '<mark title="TON-1">PLAYED with an entire pack of fiftytwo cards</mark>' in made
    data = json.loads(cli("edition", "tontine", "--text", str(text), "--format", "json")[1])
    assert data["uncovered"] == ["A stranger wrote this.", "Is <b> & so forth?"]


@needs_scans
def test_a_whole_scan_ends_with_success(cli: Cli, tmp_path: Path) -> None:
    text = tmp_path / "sheet.txt"
    text.write_text(scan("sovereign"), "utf-8-sig")
    code, out, _ = cli("edition", "sovereign", "--text", str(text))
    assert code == 0 and "0 that no clause covers." in out and "SOV-5a, SOV-12, SOV-13" in out


def test_misuse_is_one_sentence(cli: Cli, tmp_path: Path) -> None:
    bad, empty = tmp_path / "bad.txt", tmp_path / "empty.txt"
    bad.write_bytes(b"\xff\xfe\x00")
    empty.write_text(" \n…\n", "utf-8")
    for arguments, said in (
        (["--text", str(tmp_path / "none.txt")], "none.txt cannot be read: No such file or directory."),
        (["--text", str(bad)], "bad.txt is not in UTF-8; save it as plain text in UTF-8."),
        (["--text", str(empty)], "empty.txt has no words in it."),
        (["--text", str(empty), "--html", str(empty)], "each needs a file of its own."),
        (["--text", str(empty), "--format", "tei"], "--text is shown as text or json, not as tei."),
        (["--html", "x.html"], "--html needs --text, the transcription to show."),
    ):
        code, out, err = cli("edition", "tontine", *arguments)
        assert (code, out) == (2, "") and err.count("\n") == 1 and err.rstrip().endswith(said), err
