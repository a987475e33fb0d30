"""Names of people: cleaned, so that everyone can read them, and compared by how they look, so that nobody poses.

After Unicode's security mechanisms (UTS 39): a name has letters of one script in use today, and two names are alike if
their shapes (skeletons) are equal in any case.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..engine.words import words_of
from ..games import REGISTRY

LONGEST_NAME = 24
MOST_ACCENTS, MOST_MARKS = 2, 4  # upon one letter; some scripts write vowels and tones as marks
# Characters that are drawn as nothing, besides those of category C (control and format).
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
ACCENT = re.compile("[\u0300-\u036f]")  # that a letter of any script may have
# Letters, marks and digits of the scripts that UAX 31 recommends. Latin is without phonetic letters, small capitals and
# clicks, Greek and Cyrillic without archaic letters.
SCRIPTS = (
    (
        "Latin",
        "AZ az ÀÖ Øö øķ Ĺň Ŋž ƁƁ ƆƆ ƉƊ ƏƐ ƓƔ Ƙƙ ƝƝ Ơơ Ưư ƲƲ Ǎǜ Ǟǰ Ǵǵ Ǹț Ȟȟ Ȧȳ ɓɔ ɖɗ əə ɛɛ ɠɠ ɣɣ ɲɲ ʋʋ Ḁẛ ẞẞ Ạỹ",
    ),
    ("Greek", "ΆΆ Έώ ἀῼ"),
    ("Cyrillic", "Ѐџ Ҋԯ"),
    ("Armenian", "Աև"),
    ("Hebrew", "\u0591\u05f4"),
    ("Arabic", "\u0620\u06d3 \u06d5\u06dc \u06df\u06ff \u0750\u077f"),
    ("Thaana", "\u0780\u07b1"),
    ("Devanagari", "\u0900\u097f \ua8e0\ua8ff"),
    *(("Bengali", "\u0980\u09ff"), ("Gurmukhi", "\u0a00\u0a7f"), ("Gujarati", "\u0a80\u0aff")),
    *(("Oriya", "\u0b00\u0b7f"), ("Tamil", "\u0b80\u0bff"), ("Telugu", "\u0c00\u0c7f")),
    *(("Kannada", "\u0c80\u0cff"), ("Malayalam", "\u0d00\u0d7f"), ("Sinhala", "\u0d80\u0dff")),
    *(("Thai", "\u0e00\u0e3a \u0e40\u0e7f"), ("Lao", "\u0e80\u0eff"), ("Tibetan", "\u0f00\u0fff")),
    *(("Myanmar", "\u1000\u109f"), ("Ethiopic", "\u1200\u139f"), ("Khmer", "\u1780\u17e9")),
    ("Georgian", "\u10d0\u10ff \u1c90\u1cbf"),
    ("Hangul", "\u1100\u11ff \uac00\ud7a3"),
    ("Kana", "\u3041\u3096 \u3099\u309a \u309d\u309f \u30a1\u30fa \u30fc\u30ff \u31f0\u31ff"),
    ("Bopomofo", "\u3105\u312f \u31a0\u31bf"),
    ("Han", "\u3005\u3007 \u3400\u4dbf \u4e00\u9fff \U00020000\U0003134f"),
)
RANGES = sorted((pair[0], pair[-1], script) for script, pairs in SCRIPTS for pair in pairs.split())
# Scripts that are written together.
TOGETHER = ({"Latin", "Han", "Kana"}, {"Latin", "Han", "Hangul"}, {"Latin", "Han", "Bopomofo"})
# What else a name may have: printable ASCII, the punctuation of names, accents, and pictures.
OTHERS = re.compile("[ -~¡¿«»·£€ʻʼ‘’“”–—・\u0300-\u036f☀-⛿✨❤⭐\U0001f300-\U0001f6ff\U0001f900-\U0001faff]")

# Letters by the one that they look like. A bar stands for capital I, small l, figure 1 and the bar itself.
LETTERS = (
    ("I1l|!0", "|||||o"),  # Latin, and figures
    ("ıøłđħŧŋɓɖɗƙɠɣɲʋßǥØŁĐÐĦŦŊƁƉƊƘƓƔƝƲǤ", "io|dhtnbddkgynubgOLDDHTNBDDKGYNUG"),  # Latin, with a stroke or a hook
    ("АВЕЅІЈКМНОРСТУХҮԌԚԜаеіјкорсухѕԁԛԝһүәєӏӀп", "ABES|JKMHOPCTYXYGQWaeijkopcyxsdqwhyəɛ||n"),  # Cyrillic
    ("ӨөгьЬбҚҢҲҪҫҰұҽћЗӠԐԑГЛПф", "Oorbb6KHXCcYyeh33ƐɛΓΛΠφ"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγεηικνορςστυχωπ", "ABEZH|KMNOPTYXayɛnikvopcotuxwn"),  # Greek
    ("ՕՍՏԼօսոհցզքռգա", "OUSLounhgqpnqw"),  # Armenian
    ("וןסטاهہە", "||ov|ooo"),  # Hebrew, Arabic
    ("كڪىي١۰۱۲۳۴۵۶۷۸۹", "ککیی|٠|٢٣٤٥٦٧٨٩"),  # Arabic of several countries
    ("ニロカエタハトーへり〇丨\u110b\u1175ㄒㄚㄥ", "二口力工夕八卜一ヘリo|o|TYL"),  # kana, Han, Hangul, Bopomofo
    ("ノ\u1173ㄧ", "丿一一"),
)
LOOKS_LIKE = {ord(one): other for ones, others in LETTERS for one, other in zip(ones, others, strict=True)}
LOOKS_LIKE |= {ord(one): both for ones, both in (("æӕ", "ae"), ("ÆӔ", "AE"), ("œ", "oe"), ("Œ", "OE")) for one in ones}
PAIRS = (("rn", "m"), ("vv", "w"))  # of letters that together look like one
# Accents, points and vowel signs that are usually left out, the Arabic stroke that draws a word out, apostrophes.
UNSEEN = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06edʻʼ]")


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
        elif kind[0] == "C" or INVISIBLE.match(each) or marks > (MOST_ACCENTS if ACCENT.match(each) else MOST_MARKS):
            continue
        elif not marks or "".join(letters[-1:]).strip():  # an accent upon nothing is not seen
            letters.append(each)
    cleaned = " ".join("".join(letters).split())
    if not 1 <= len(cleaned) <= LONGEST_NAME or all(unicodedata.category(each)[0] in "MZP" for each in cleaned):
        raise Refusal(say("name length", "A name has 1 to {most} letters.", most=LONGEST_NAME))
    for each in cleaned:
        if not OTHERS.match(each) and not script_of(each):
            how = "A name cannot have the character {character:text}; choose another name."
            raise Refusal(say("name character", how, character=each))
    scripts = set(map(script_of, cleaned)) - {""}
    astray = any(is_astray(*pair) for pair in pairwise(cleaned))
    if astray or (len(scripts) > 1 and not any(scripts <= together for together in TOGETHER)):
        how = "A name has letters of one alphabet, not of several that look alike; choose another name."
        raise Refusal(say("name alphabet", how))
    if is_taken(cleaned):
        how = "{name:text} is what the table calls a seat; choose another name."
        raise Refusal(say("name of seat", how, name=cleaned))
    return cleaned


def script_of(each: str) -> str:
    """The script of a letter, or of a mark or digit that only this script has; "" if it is in no script of today."""
    found = bisect_right(RANGES, each, key=lambda letters: letters[0]) - 1
    first, last, script = RANGES[max(0, found)]
    return script if first <= each <= last else ""


def is_astray(before: str, mark: str) -> bool:
    """Whether the second of two characters is a mark of another script than the first."""
    return unicodedata.category(mark)[0] == "M" and script_of(mark) not in ("", script_of(before))


def shape(name: str) -> str:
    """How a name looks, by one character for all that look alike; accents, spaces and punctuation are not seen."""
    shapes = UNSEEN.sub("", unicodedata.normalize("NFKD", name)).translate(LOOKS_LIKE).casefold()
    shapes = "".join(each for each in shapes if not is_unseen(unicodedata.category(each)))
    for pair, one in PAIRS:
        shapes = shapes.replace(pair, one)
    return shapes


def is_unseen(kind: str) -> bool:
    """Whether characters of a category make no name another: spaces, punctuation, accents that stand alone."""
    return kind[0] in "CZP" or kind == "Sk"


def shapes(name: str) -> set[str]:
    """How a name looks as it is written, in small letters and in capitals."""
    return {shape(each) for each in (name, name.casefold(), name.upper())}


def alike(one: str, other: str) -> bool:
    """Whether people could take two names for each other."""
    return not shapes(one).isdisjoint(shapes(other))


def looks_like_any(name: str, others: Iterable[str]) -> bool:
    """Whether people could take a name for one of some others."""
    return any(alike(name, other) for other in others if other)


def is_taken(name: str) -> bool:
    """Whether a name looks like one that tables give to seats by themselves."""
    if re.fullmatch(r"(seat|bot)[o|2-9]+", shape(name)):
        return True
    return not shapes(name).isdisjoint(given_names(tuple(REGISTRY.values())))


@cache
def given_names(games: tuple[Game, ...]) -> frozenset[str]:
    """How the names look that tables give to seats."""
    names = ("you", *(name for game in games for name in cast_of(game)))
    return frozenset(each for name in names for each in shapes(name))
