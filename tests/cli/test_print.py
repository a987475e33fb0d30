"""Printed games: every part of every game as a PDF, measured and looked into."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest
from pypdfium2 import raw

import parlour
from parlour.printing import cards, leaflet
from parlour.printing.colours import shade
from parlour.printing.documents import document, parts_of
from parlour.printing.layout import BLEED, MARGIN, PAPERS, SIZES, Sheet, booklet, sheet_of
from support.cli import Cli

POINT = 25.4 / 72  # millimetres
each_sheet = pytest.mark.parametrize("sheet", [sheet_of(paper, size) for paper in PAPERS for size in SIZES])


def printed(name: str, *parts: str, **more: Any) -> pdfium.PdfDocument:
    game = parlour.game(name)
    options = game.options_for(game.sheet.usual)
    return pdfium.PdfDocument(document(game, parts, players=game.sheet.usual, options=options, **more))


def text_of(page: pdfium.PdfPage) -> str:
    return " ".join(str(page.get_textpage().get_text_range()).split())


def fonts_of(page: pdfium.PdfPage) -> Iterator[tuple[str, bool]]:
    """The fonts on a page, and whether each is embedded."""
    for thing in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=9):
        font = raw.FPDFTextObj_GetFont(thing.raw)
        name = ctypes.create_string_buffer(200)
        raw.FPDFFont_GetBaseFontName(font, name, 200)
        yield name.value.decode(), bool(raw.FPDFFont_GetIsEmbedded(font))


@each_sheet
def test_cards_fit_the_paper_and_do_not_touch(sheet: Sheet) -> None:
    wide, high = sheet.cell
    assert sheet.columns * wide <= sheet.paper[0] - 2 * MARGIN and sheet.rows * high <= sheet.paper[1] - 2 * MARGIN
    places = [sheet.front(at) for at in range(sheet.count)]
    assert sorted({*places[0][2:4]}) == pytest.approx(sorted(sheet.card))
    for one in range(sheet.count):
        for other in range(one):
            across, down = (abs(places[one][axis] - places[other][axis]) for axis in (0, 1))
            assert across >= wide - 1e-9 or down >= high - 1e-9


@each_sheet
def test_backs_meet_fronts_when_the_paper_is_turned_over(sheet: Sheet) -> None:
    for at in range(sheet.count):
        front, back = sheet.front(at), sheet.back(at)
        assert back.left + back.width == pytest.approx(sheet.paper[0] - front.left)
        assert (back.top, back.width, back.height) == pytest.approx((front.top, front.width, front.height))
        assert (front.turn + back.turn) % 360 == 0  # what was at the right is at the left, from behind


@each_sheet
def test_crop_marks_point_at_every_cut_and_lie_outside(sheet: Sheet) -> None:
    marks = list(sheet.marks())
    assert len(marks) == 4 * (sheet.columns + sheet.rows)
    places = [sheet.front(at) for at in range(sheet.count)]
    cuts = {round(edge, 6) for place in places for edge in (place.left, place.left + place.width)}
    assert {round(mark.left, 6) for mark in marks if mark.left == mark.right} == cuts
    first = sheet.front(0)
    for mark in marks:
        if mark.left == mark.right:
            assert mark.bottom < first.top - BLEED or mark.top > sheet.paper[1] - first.top + BLEED
        assert 0 <= mark.left <= mark.right <= sheet.paper[0] and 0 <= mark.top <= mark.bottom <= sheet.paper[1]


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_a_pack_is_printed_whole_with_a_back_for_each_card(name: str) -> None:
    game = parlour.game(name)
    pack = cards.pack_of(game, game.options_for(game.sheet.usual))
    assert len(pack) == game.sheet.cards and set(pack) <= set(game.codes)
    sheet = sheet_of("a4", "poker")
    pdf = printed(name, "cards")
    assert len(pdf) == 2 * -(-len(pack) // sheet.count)
    for number, page in enumerate(pdf):
        assert page.get_size() == pytest.approx([side / POINT for side in sheet.paper], abs=0.1)
        assert f"{game.title} · cards, sheet {number // 2 + 1} of {len(pdf) // 2}" in text_of(page)
        assert all(embedded for _, embedded in fonts_of(page))


def ink(page: pdfium.PdfPage, left: float, top: float, width: float, height: float) -> float:
    """How dark a part of a page is on average, from 0 to 1; in millimetres from the top left."""
    scale = 2.0
    picture = page.render(scale=scale, grayscale=True).to_numpy()
    box = [round(side / POINT * scale) for side in (top, top + height, left, left + width)]
    return 1 - float(picture[box[0] : box[1], box[2] : box[3]].mean()) / 255


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_seen_lies_where_it_was_laid_out(paper: str) -> None:
    sheet = sheet_of(paper, "poker")
    front, back = list(printed("heraldry", "cards", paper=paper))[-2:]
    left = 48 % sheet.count or sheet.count
    for at in range(sheet.count):
        for page, place in ((front, sheet.front(at)), (back, sheet.back(at))):
            assert (ink(page, *place[:4]) > 0.15) == (at < left)
    assert ink(back, *sheet.back(0)[:4]) == pytest.approx(ink(back, *sheet.back(1)[:4]), abs=0.01)


def test_narrow_cards_show_the_whole_drawing() -> None:
    assert cards.face_size(sheet_of("a4", "bridge")) == pytest.approx((57.15, 80.01))
    assert cards.face_size(sheet_of("a4", "poker")) == pytest.approx((63.5, 88.9))


def test_black_and_white_has_no_colour() -> None:
    pages = [*printed("heraldry", "cards", grey=True), *printed("tontine", "rules", "counters", grey=True)]
    for page in pages:
        picture = page.render(scale=0.6).to_numpy()[..., :3].astype(int)
        assert (picture.max(axis=2) - picture.min(axis=2)).max() <= 2
    for game in parlour.REGISTRY.values():
        for name, drawing in cards.card_files(game, game.options_for(game.sheet.usual), grey=True).items():
            colours = set(re.findall(r'(?:fill|stroke|color)="([^"]*)"', drawing.decode()))
            assert colours <= {"none", "currentColor"} | {shade(each) for each in colours if each[0] == "#"}, name
    assert shade("#db6") == shade("#ddbb66")
    assert shade("#fbf5e6") == "#ffffff" and shade("#000000") == "#000000" and shade("#b23a24") == "#525252"


@pytest.mark.parametrize(("name", "paper"), [*((name, "a4") for name in parlour.REGISTRY), ("lost-heir", "letter")])
def test_the_rules_fill_sheets_that_are_folded(name: str, paper: str) -> None:
    sheet = parlour.sheet(name)
    pages, count = leaflet.leaflet(parlour.game(name), PAPERS[paper], parlour.game(name).options_for(sheet.usual))
    read = [text_of(page) for page in pdfium.PdfDocument(pages)]
    assert len(read) == count and count <= 8
    assert sheet.title in read[0]
    whole = " ".join(read)
    for clause in sheet.clauses:
        assert clause.id in whole
    for option in sheet.options:
        for value in option.values:
            assert f"{option.name}: {value.name}" not in whole  # people are told labels
    folded = printed(name, "rules", paper=paper)
    assert len(folded) == 2 * -(-count // 4)
    assert sheet.title in text_of(folded[0])
    assert all(embedded for page in folded for _, embedded in fonts_of(page))
    assert any("OldStandardTT" in font for page in folded for font, _ in fonts_of(page))


@pytest.mark.parametrize(
    ("first", "marked"), [("highest", "The highest score wins"), ("namer", "named trumps counts first")]
)
def test_the_rules_mark_the_readings_that_are_played(first: str, marked: str) -> None:
    game = parlour.game("lost-heir")
    options = game.options_for(4, {"first": first, "goal": 40, "wrong_boy": "less"})
    pages = pdfium.PdfDocument(leaflet.leaflet(game, PAPERS["a4"], options)[0])
    whole = " ".join(text_of(page) for page in pages)
    clause = whole[whole.index("HEIR-17") : whole.index("HEIR-18")]
    assert clause.count("(as played)") == 1 and f"{marked} (as played):" in clause
    assert "Points to win (40)" in clause
    assert "beside the 1 for the trick" in whole and "instead of the 1" not in whole  # what scores with these readings


def test_how_to_play_says_what_is_not_as_usual() -> None:
    game = parlour.game("heraldry")
    read = []
    for given in ({}, {"discard": "free", "knight": 3, "deal_limit": 5}):
        options = game.options_for(4, given)
        pages = pdfium.PdfDocument(leaflet.leaflet(game, PAPERS["a4"], options)[0])
        whole = " ".join(" ".join(text_of(page) for page in pages).split())
        read.append(whole[: whole.index("HER-1 ")])
    assert "Not as usual" not in read[0]
    assert "Not as usual here:" in read[1] and "Any player at any turn, as in Casino." in read[1]
    assert "Which Cross card is the Knight: 3." in read[1] and "Longest game, in deals: 5." in read[1]
    assert "Who is first at 21" not in read[1]


def test_no_card_is_parted_from_its_number() -> None:
    pages = pdfium.PdfDocument(
        leaflet.leaflet(game := parlour.game("masquerade"), PAPERS["a4"], game.options_for(4))[0]
    )
    lines = [line.strip() for page in pages for line in page.get_textpage().get_text_range().splitlines()]
    assert sum("No. " in line for line in lines) > 10 and not any(line.endswith("No.") for line in lines)


def test_partners_share_a_column_of_the_score_sheet() -> None:
    game = parlour.game("lost-heir")
    lines = []
    for given in ({}, {"sides": "two"}):
        page = pdfium.PdfDocument(document(game, ("scores",), players=4, options=game.options_for(4, given)))[0]
        lines.append(len(list(page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=9))))
    assert lines[1] < lines[0]


@pytest.mark.parametrize(("pages", "sheets"), [(3, [((0, 1), (2, 3))]), (8, [((8, 1), (2, 7)), ((6, 3), (4, 5))])])
def test_a_booklet_reads_in_order(pages: int, sheets: list[Any]) -> None:
    assert booklet(pages) == sheets


@pytest.mark.parametrize("name", parlour.REGISTRY)
def test_scores_or_counters_and_a_label(name: str) -> None:
    sheet = parlour.sheet(name)
    part = parts_of(parlour.game(name))[2]
    paper, label = printed(name, part, "label", url="https://parlour.example/")
    assert sheet.title in text_of(paper) and sheet.title in text_of(label)
    assert ("counters to cut out" in text_of(paper)) == (sheet.unit == "counters")
    assert "Playit:https://parlour.example/" in text_of(label).replace(" ", "")  # it may go on in a second line
    without = printed(name, "label")[0]
    assert "Play it" not in text_of(without)


def test_print_writes_a_pdf(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "sovereign.pdf"
    code, printed, errors = cli("print", "sovereign", "--out", str(out), "--only", "counters,label")
    assert (code, errors) == (0, "")
    assert printed.startswith(f"Change for a Sovereign is in {out}: counters and label. Print it at 100 %")
    assert len(pdfium.PdfDocument(out)) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--only", "scores"),
            "Change for a Sovereign has no scores to print; its parts are cards, rules, counters and label.",
        ),
        (("--url", "parlour.example"), "--url must begin with http:// or https://, not 'parlour.example'."),
        (("--players", "12"), "Change for a Sovereign is for 2 to 11 players, not 12 (SOV-3)."),
    ],
)
def test_what_cannot_be_printed_is_one_sentence(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    out = tmp_path / "no.pdf"
    assert cli("print", "sovereign", "--out", str(out), *arguments) == (2, "", f"parlour: {sentence}\n")
    assert not out.exists()
