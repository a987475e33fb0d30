"""Names of people: cleaned, so that everyone can read them, and compared by how they look, so that nobody poses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.words import words_of
from ..games import REGISTRY

LONGEST_NAME = 24
MOST_MARKS = 2  # upon one letter
# Characters that are drawn as nothing, besides those of category C (control and format).
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
# Scripts whose letters can be taken for each other's; a name has letters of one of them at most.
ALIKE = frozenset(("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN", "LISU", "GOTHIC", "OLD"))
# Letters by the Latin one that they look like, capitals where only these look alike.
LETTERS = (
    ("АВЕЅІЈКМНОРСТУХҮԌԚԜаеіјкорсухѕԁԛԝӏһѵ", "ABESlJKMHOPCTYXYGQWaeijkopcyxsdqwlhv"),  # Cyrillic
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχ", "ABEZHlKMNOPTYXayiknoptux"),  # Greek
    ("ՕՍօսոհց", "OUounhg"),  # Armenian
    ("ᎪᏴᏟᎬᎻᎫᏦᏞᎷᏢᏚᎢᏙᎳᏃ", "ABCEHJKLMPSTVWZ"),  # Cherokee
    ("ıȷɑɡI|10ß", "ijaglllob"),  # Latin, and figures
)
LOOKS_LIKE = {ord(one): other for ones, others in LETTERS for one, other in zip(ones, others, strict=True)}
PAIRS = (("rn", "m"), ("vv", "w"))  # of letters that together look like one


def cast_of(game: Game) -> tuple[str, ...]:
    """What bots are called in a game: the characters of its pack."""
    return words_of(game).CAST


def clean_name(name: str) -> str:
    """A name without invisible, controlling or piled-up characters; one that could pass for another is refused."""
    letters: list[str] = []
    marks = 0
    for each in unicodedata.normalize("NFKC", INVISIBLE.sub("", name)):
        kind = unicodedata.category(each)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind in ("Zs", "Zl", "Zp"):
            letters.append(" ")
        elif kind[0] != "C" and marks <= MOST_MARKS and not INVISIBLE.match(each):
            letters.append(each)
    cleaned = " ".join("".join(letters).split())
    if not 1 <= len(cleaned) <= LONGEST_NAME or all(unicodedata.category(each)[0] in "MZ" for each in cleaned):
        raise Refusal(f"A name has 1 to {LONGEST_NAME} letters.")
    if len(scripts_of(cleaned) & ALIKE) > 1:
        raise Refusal("A name has letters of one alphabet, not of several that look alike; choose another name.")
    if is_taken(cleaned):
        raise Refusal(f"{cleaned} is what the table calls a seat; choose another name.")
    return cleaned


def scripts_of(name: str) -> set[str]:
    """The scripts of the letters of a name, each by the first word of its letters' names."""
    letters = (each for each in name if unicodedata.category(each)[0] == "L")
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}


def looks(name: str) -> str:
    """A name by how it looks: equal for names that people could take for each other."""
    shapes = unicodedata.normalize("NFKD", INVISIBLE.sub("", name)).translate(LOOKS_LIKE).casefold()
    shapes = "".join(each for each in shapes if unicodedata.category(each)[0] not in "MCZ")
    for pair, one in PAIRS:
        shapes = shapes.replace(pair, one)
    return shapes


def looks_like_any(name: str, others: Iterable[str]) -> bool:
    """Whether people could take a name for one of some others."""
    shape = looks(name)
    return any(looks(other) == shape for other in others if other)


def is_taken(name: str) -> bool:
    """Whether a name looks like one that tables give to seats by themselves."""
    if re.fullmatch(r"(seat|bot)\W*\d+", name.casefold()):
        return True
    return looks(name) in given_names(tuple(REGISTRY.values()))


@cache
def given_names(games: tuple[Game, ...]) -> frozenset[str]:
    """How the names look that tables give to seats."""
    return frozenset(map(looks, ("you", *(name for game in games for name in cast_of(game)))))
