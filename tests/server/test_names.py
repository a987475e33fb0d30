"""Names: ordinary ones of the whole world are taken as they are, and none that could pass for another's."""

from __future__ import annotations

import itertools
import sys
import unicodedata

import pytest

from parlour import Refusal
from parlour.server.lobby import digest
from parlour.server.names import LONGEST_NAME, alike, clean_name, script_of
from parlour.server.table import Table

ORDINARY = [
    *("José", "Zoë", "Øyvind", "Łukasz", "Nguyễn", "Dvořák", "Ștefan", "Þór", "Eiður", "İbrahim", "Əli", "Ƙasim"),
    *("Σωκράτης", "Ιωάννα", "Анна", "Мария", "Қайрат", "Արամ", "გიორგი", "עדי", "محمد", "علی", "فاطمة"),
    *("अनिता", "नेहा", "রবি", "ਗੁਰਪ੍ਰੀਤ", "தமிழ்", "ലക്ഷ്മി", "สมชาย", "မြို့", "አበበ", "དོན་གྲུབ"),
    *("花子", "さくら", "ジョン・スミス", "김철수", "ㄅㄆ", "王 Anna", "Xさん", "민 Lee"),
    *("O'Brien", "O’Neill", "Jean-Luc", "María José", "François d'Arc", "Kaʻiulani", "Anna 2", "Ann [M3]", "Kim 🌸"),
]
POINTED = ("עֲדִי", "مُحَمَّد", "أحمد")
TO_COPY = ("Anna", "Bob", "Alice", "Mia", "Ida", "Nina", "Łukasz", "Анна", "Ирина", "花子", "김철수")
POSING = [  # and as whom
    *(("MIA", "Mia"), ("ALICE", "Alice"), ("NINA", "Nina"), ("ida", "Ida"), ("MlA", "Mia"), ("mlA", "Mia")),
    *(("A1ice", "Alice"), ("A|ice", "Alice"), ("A!ice", "Alice"), ("AIice", "Alice"), ("B0b", "Bob")),
    *(("Ɓob", "Bob"), ("ROB", "Rob"), ("ROЬ", "Rob")),
    *(("Bᴏb", "Bob"), ("ᴀnna", "Anna"), ("ᗅnna", "Anna"), ("Bဝb", "Bob"), ("ꓮꓠꓠꓮ", "Anna"), ("ᎪᏁᏁᎪ", "Anna")),
    *(("A∣ice", "Alice"), ("Aǀice", "Alice"), ("Alɩce", "Alice"), ("Alɪce", "Alice"), ("Annɑ", "Anna")),
    *(("B०b", "Bob"), ("B٥b", "Bob"), ("B〇b", "Bob"), ("Bㅇb", "Bob"), ("ВОВ", "Bob"), ("Вов", "Bob")),
    *(("ΑΝΝΑ", "Anna"), ("АппА", "Anna"), ("Αηηα", "Anna"), ("ⲀⲚⲚⲀ", "Anna"), ("𐌀nna", "Anna"), ("🅐nna", "Anna")),
    *(("Anna\U0001d159", "Anna"), ("Anna\ufffc", "Anna"), ("Anna\u20dd", "Anna"), ("Anna\U00016fe4", "Anna")),
    *(("Anna.", "Anna"), ("An-na", "Anna"), ("An na", "Anna"), ("Anná", "Anna"), ("An\u02b9na", "Anna")),
    *(("Anna\ufe0f", "Anna"), ("An\u034fna", "Anna"), ("\uff21nna", "Anna"), ("𝐀nna", "Anna"), ("Anna\u180e", "Anna")),
    *(("Lukasz", "Łukasz"), ("AHHA", "Анна"), ("Anna\u02d9", "Anna"), ("محـمد", "محمد")),
    *(
        ("Anna`", "Anna"),
        ("Kim 👍🏿", "Kim 👍"),
        ("3axap", "Захар"),
        ("ҽва", "ева"),
        ("ΠΑΠΑ", "ПАПА"),
        ("ノ花", "丿花"),
    ),
    *(("על\u05b4י", "עלי"), ("مُحَمَّد", "محمد"), ("أحمد", "احمد"), ("علي", "على"), ("علی", "على"), ("كمال", "کمال")),
    *(("علی ۲", "علی ٢"), ("エ一ス", "エース")),
]


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        *(("Ann", "Ann"), (" A  b ", "A b"), ("e\u0301", "é"), ("a\u202eb\n", "ab"), ("Ann [M3]", "Ann [M3]")),
        *(("नेहा", "नेहा"), ("z" + 9 * "\u0334", "z" + 2 * "\u0334"), ("\u3164A", "A")),
    ],
)
def test_names_are_cleaned(name: str, clean: str) -> None:
    assert clean_name(name) == clean


EMPTY = ["", " ", 25 * "a", "\u3164\u3164", "\u2800", "\u0301", "...", "\u02d9"]
GIVEN = ["You", "seat 2", "Bot 1", "THE USHER", "Seat l", "b0t 1", "BOT I", "seat O", "the usher."]


@pytest.mark.parametrize("name", [*EMPTY, *GIVEN])
def test_a_name_that_is_empty_too_long_or_taken_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match=r"A name has|is what the table calls"):
        clean_name(name)


@pytest.mark.parametrize("name", ["\u0410nna", "Ann\u0430", "\u0391nna", "y\u043eu", "\u0455eat 1", "Анна Ivan"])
def test_a_name_with_letters_of_several_alphabets_is_refused(name: str) -> None:
    with pytest.raises(Refusal, match="one alphabet"):
        clean_name(name)


@pytest.mark.parametrize(("name", "other"), POSING)
def test_nobody_sits_down_under_a_name_that_looks_like_one_at_the_table(name: str, other: str) -> None:
    table = Table.open("t", bytes(32), game="heraldry", players=2, options={}, invite=b"", opened="")
    table.lobby.sit(other, digest("a"))
    with pytest.raises(Refusal, match=r"choose another name|take another name"):
        table.lobby.sit(name, digest("b"))


@pytest.mark.parametrize(
    ("one", "other"), [("Поп", "Пoп"), ("ОКО", "OKO"), ("Ιωνα", "Iωνα"), ("Ill", "lll"), ("rnaria", "maria")]
)
def test_names_that_people_take_for_each_other_are_alike(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.parametrize("name", [*ORDINARY, *POINTED])
def test_ordinary_names_of_the_world_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == name


def test_different_ordinary_names_are_not_alike() -> None:
    short = (
        "Mia Ida Nina Lia Ila Ali All Ann Anne Anna Hanna Lisa Elisa Bill Will Jill Leo Lea Ian Ivan Ina Lina".split()
    )
    several = "राम रीमा रमा かき かぎ สม สิม מור מיר".split()
    for one, other in itertools.combinations([*ORDINARY, *short, *several], 2):
        assert not alike(one, other), (one, other)


# --- properties of all characters -------------------------------------------------------------------------------------


def all_characters() -> list[str]:
    """All assigned characters, but only some of the many ideographs and syllables."""
    characters = map(chr, range(sys.maxunicode + 1))
    assigned = [each for each in characters if unicodedata.category(each) not in ("Cn", "Co", "Cs")]
    many = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "HANGUL SYLLABLE", "TANGUT", "EGYPTIAN", "CUNEIFORM")
    return [each for each in assigned if not unicodedata.name(each, "").startswith(many) or not ord(each) % 100]


CHARACTERS = all_characters()


def test_no_character_makes_a_name_that_only_looks_like_another() -> None:
    """Whatever is put into a name, the result is refused, is alike, or shows a character that people can tell apart."""
    for each in CHARACTERS:
        try:
            cleaned = clean_name(f"An{each}na")
        except Refusal:
            continue
        assert clean_name(cleaned) == cleaned and len(cleaned) <= LONGEST_NAME
        if not alike(cleaned, "Anna"):
            added = set(cleaned) - set("Anna")
            kinds = {unicodedata.category(other)[0] for other in added}
            assert not kinds & {"C", "Z"} and (kinds - {"M"} or not added), (each, cleaned)


def test_letters_of_two_scripts_are_mixed_only_where_people_do() -> None:
    together = {"Latin", "Han", "Kana", "Hangul", "Bopomofo"}
    for each in CHARACTERS:
        try:
            cleaned = clean_name(f"An{each}na")
        except Refusal:
            continue
        assert {script_of(other) for other in cleaned} - {""} <= together, each


def test_a_name_in_any_case_is_alike() -> None:
    for name in (*ORDINARY, *TO_COPY, "mIXED cASE Iil"):
        for other in (name.upper(), name.lower(), name.title(), name.swapcase(), name.casefold()):
            assert alike(name, other), (name, other)


def test_every_mark_and_every_invisible_character_leaves_a_latin_name_alike_or_refused() -> None:
    for each in CHARACTERS:
        kind = unicodedata.category(each)
        if kind[0] in "MCZ":
            for name in ("Bob", "Mia"):
                made = f"{name[0]}{each}{name[1:]}"
                try:
                    cleaned = clean_name(made)
                except Refusal:
                    continue
                assert alike(cleaned, name), f"{ord(each):x}"
