"""The faces of the packs: every card has one of its own, which is plain SVG that can stand beside any other."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import parlour
from parlour.cli.main import main
from parlour.games import GAMES
from parlour.play import faces

DRAWN = {"svg", "symbol", "g", "path", "line", "circle", "ellipse", "rect", "polygon", "polyline", "text"}


@pytest.mark.parametrize("game", GAMES)
def test_every_card_has_a_face_of_its_own(game: str) -> None:
    drawn = faces.drawings(game)
    assert set(drawn) == {*parlour.game(game).codes, faces.BACK}
    assert len(set(drawn.values())) == len(drawn)


@pytest.mark.parametrize("game", GAMES)
def test_faces_are_plain_drawings(game: str) -> None:
    """No scripts, styles, links or names: many stand in one page, and what is drawn is all there is."""
    for code, drawing in faces.drawings(game).items():
        tree = ElementTree.fromstring(faces.card(game, code))
        kinds = {element.tag.partition("}")[2] for element in tree.iter()}
        assert kinds <= DRAWN, (code, kinds - DRAWN)
        for element in tree.iter():
            assert not {"id", "style", "class", "href", "onload"} & set(element.attrib), code
        assert not re.search(r"\b(nan|inf|None)\b|url\(", drawing), code
        assert len(drawing) < (80_000 if code == faces.BACK else 20_000), code


@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_has_every_card_by_its_name(game: str) -> None:
    tree = ElementTree.fromstring(faces.sheet(game))
    assert [symbol.attrib["id"] for symbol in tree] == [f"{game}-{code}" for code in faces.drawings(game)]


@pytest.mark.parametrize("game", GAMES)
def test_a_card_says_its_value_at_both_ends(game: str) -> None:
    """Whichever way a card is held, its index stands upright at the top left: it is drawn twice, once turned."""
    for code, drawing in faces.drawings(game).items():
        if code != faces.BACK:
            assert "rotate(180 125 175)" in drawing, code


def test_cards_are_written_as_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faces", "sovereign", "--out", str(tmp_path / "pack")]) == 0
    assert capsys.readouterr().out.startswith("9 cards of Change for a Sovereign and their back are in ")
    assert {path.name for path in (tmp_path / "pack").iterdir()} == {
        *(f"{code}.svg" for code in parlour.game("sovereign").codes),
        "back.svg",
    }


@pytest.mark.parametrize("game", ["masquerade", "heraldry"])
def test_a_card_is_called_as_it_is_lettered(game: str) -> None:
    """The caption under the picture is the first of the card's names, in sentences and labels too."""
    known = parlour.game(game)
    for code, drawing in faces.drawings(game).items():
        if code != faces.BACK:
            captions = re.findall(r"<text[^>]*>([^<]{3,})</text>", drawing)
            assert captions and captions[0] == known.card_names[code].split(", ")[0], code


def test_the_knight_is_called_by_both_names_whichever_number_it_bears() -> None:
    heraldry = parlour.game("heraldry")
    assert heraldry.card_names["X10"] == "Knight of the Cross, 10" and heraldry.card_names["X7"] == "7 of the Cross"
    assert heraldry.other_names(heraldry.options_for(4)) == {}
    other = heraldry.options_for(4, {"knight": 7})
    assert heraldry.other_names(other) == {"X7": "Knight of the Cross, 7", "X10": "10 of the Cross"}
