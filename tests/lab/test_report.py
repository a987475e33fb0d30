"""Reports of the lab: complete, self-contained, true to their figures, and the same bytes each time."""

from __future__ import annotations

import csv
import json
import re
from copy import deepcopy
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import parlour
from parlour.engine import build
from parlour.lab import figures, lessons, report
from parlour.lab import study as lab
from parlour.lab.metrics import METRICS as MEASURED
from parlour.sheets.edition import edition_of
from parlour.sheets.rulebook import in_words
from support.cli import Cli
from support.studies import GAMES, study

if TYPE_CHECKING:
    from playwright.sync_api import Browser

METRICS = [metric.as_data() for metric in MEASURED]
ROOT = Path(__file__).resolve().parents[2]
VOID = {"meta", "br", "link", "img", "line", "circle", "polygon"}
each_game = pytest.mark.parametrize("name", GAMES)
each_kind = pytest.mark.parametrize("kind", ["readings", "game"])


class Page(HTMLParser):
    """The elements of a page with their attributes and text; unbalanced tags fail."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.within: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(text)
        self.close()
        assert not self.within

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        element = (tag, dict(attrs), [])
        self.elements.append(element)
        if tag not in VOID:
            self.within.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        assert self.within.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        for _, _, text in self.within:
            text.append(data)

    def all(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, "".join(text)) for name, attributes, text in self.elements if name == tag]

    def said(self) -> str:
        return " ".join("".join(self.elements[0][2]).replace("\N{NO-BREAK SPACE}", " ").split())


@cache
def html_of(name: str, kind: str = "readings") -> str:
    """The report of a study, drawn once."""
    return report.html(study(name, kind))


@cache
def page_of(name: str, kind: str = "readings") -> Page:
    """The report of a study, read once."""
    return Page(html_of(name, kind))


# --- the page ---------------------------------------------------------------------------------------------------------


@each_kind
@each_game
def test_a_page_is_complete_and_self_contained(name: str, kind: str) -> None:
    text = report.html(study(name, kind), ["data.csv"])
    page = Page(text)
    for tag in ("script", "link", "img", "iframe", "object"):
        assert not page.all(tag)
    assert not re.search(r"url\(|@import|src=", text)
    targets = [attributes["href"] or "" for attributes, _ in page.all("a")]
    ids = [str(attributes["id"]) for _, attributes, _ in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {target for target in targets if not target.startswith("#")} == {"data.csv"}
    assert {target[1:] for target in targets if target.startswith("#")} <= set(ids)


@each_kind
@each_game
def test_the_same_result_gives_the_same_bytes(name: str, kind: str) -> None:
    result = study(name, kind)
    before = deepcopy(result)
    text, table = report.html(result), report.csv(result)
    assert result == before
    kept = json.loads(json.dumps(result))
    assert (report.html(kept), report.csv(kept)) == (text, table)


@each_kind
@each_game
def test_every_plot_has_a_title_and_a_description(name: str, kind: str) -> None:
    page = page_of(name, kind)
    pictures = page.all("svg")
    assert len(pictures) > len(METRICS) - 3
    assert all(attributes["role"] == "img" for attributes, _ in pictures)
    assert len(page.all("desc")) == len(pictures) and all(text.strip(". ") for _, text in page.all("desc"))
    assert sum(bool(text) for _, text in page.all("title")) == len(pictures) + 1  # and the page's own


@each_kind
@each_game
def test_every_table_has_a_caption_and_headers(name: str, kind: str) -> None:
    page = page_of(name, kind)
    assert len(page.all("caption")) == len(page.all("table")) > 0
    assert all(attributes.get("scope") in ("col", "row", "rowgroup") for attributes, _ in page.all("th"))
    heads = [text.split()[0] for _, text in page.all("h2")]
    assert heads[0] == ("Which" if kind == "readings" else "The")


@each_game
def test_every_figure_is_on_the_page(name: str) -> None:
    result = study(name)
    said = Page(report.html(result)).said()
    for row in result["rows"]:
        for metric in result["metrics"]:
            assert figures.in_full(row["values"][metric["name"]]) in said
            if row["differences"][metric["name"]]:
                assert figures.in_full(row["differences"][metric["name"]], True) in said


@each_game
def test_every_reading_is_in_the_words_of_the_sheet(name: str) -> None:
    result, sheet = study(name), parlour.sheet(name)
    said = Page(report.html(result)).said()
    for row in result["rows"]:
        if row["option"]:
            option, clause = sheet.option(row["option"]), sheet.clause(row["clause"])
            note = edition_of(sheet).of(clause)
            labelled = [in_words(sheet, text, "{} {}".format) for text in (note.reading, note.supplied)]
            assert all(text in said for text in (option.changes, clause.rule, clause.title, *labelled))
            named = {str(value.name): f"{value.label} {value.name}" for value in option.values}
            assert named.get(row["value"], row["value"]) in said
            assert all(value.means in said for value in option.values if str(value.name) == row["value"])
    doubtful = [note for note in edition_of(sheet).clauses.values() if note.state != "clear"]
    for note in doubtful:
        assert all(in_words(sheet, text, "{} {}".format) in said for text in (note.reading, note.supplied))


@each_kind
@each_game
def test_a_page_says_how_it_was_made_and_how_to_cite_it(name: str, kind: str) -> None:
    result = study(name, kind) | {"version": "0.0.9"}  # older than the code that reports it
    said = Page(report.html(result)).said()
    assert "Parlour, version 0.0.9;" in said and parlour.__version__ not in said
    for part in (result["command"], result["version"], "seed 1", "Cite as", "thumb", "95 % interval", result["format"]):
        assert part in said
    for metric in METRICS:
        assert metric["says"] in said and metric["known_as"] in said
    assert said.count("left out of the ranking") == 1


def name_of(result: dict[str, Any], item: dict[str, Any]) -> str:
    """What the page calls a reading: by its label, or where it is a number as it is."""
    return in_words(parlour.sheet(result["game"]), lessons.reading(item), "{} {}".format)


def test_the_ranking_comes_first_and_in_order() -> None:
    result = study("lost-heir")
    page = Page(report.html(result))
    (first, *_) = [text for attributes, text in page.all("table")]
    places = [first.index(name_of(result, item)) for item in result["ranking"]]
    effect = f"Effect: {result['method']['yardstick']}."
    assert places == sorted(places) and effect in first.replace("\n", " ")


def test_a_reading_without_effect_has_no_metric_in_the_ranking() -> None:
    result = study("lost-heir")
    same = [item for item in result["ranking"] if item["effect"] == 0]
    assert [item["value"] for item in same] == ["dealer"]  # which thumb never meets
    rows = re.findall(r"<tr>.*?</tr>", report.html(result), re.DOTALL)
    (row,) = [row for row in rows if "all_pass=dealer" in row and "strip" in row]
    cells = [text for _, text in Page(f"<table>{row}</table>").all("td")]
    assert cells[0] == cells[-1] == "–"


@each_game
def test_the_limits_for_unwanted_readings_are_always_given(name: str) -> None:
    result = study(name)
    limits = (
        "these limits: completion lower by 0.02, shared wins higher by 0.02, balance lower by 0.01 or real choices"
        " lower by 0.05 than with the usual reading, by the whole 95 % interval of the difference."
    )
    result["unwanted"] = []
    assert f"None by {limits}" in Page(report.html(result)).said()
    why = "With a reading fewer sittings end."
    result["unwanted"] = [{"option": "a", "value": "b", "why": why, "metric": "completion"}]
    assert f"{why} By {limits}" in Page(report.html(result)).said()


@each_kind
def test_the_method_is_in_sentences_that_fit_the_kind_of_study(kind: str) -> None:
    result = study("masquerade", kind)
    said = Page(report.html(result)).said()
    deals = result["method"]["luck"]["deals"]
    for part in (
        f"{result['sittings']} sittings, in which thumb has every seat.",
        f"Thumb against random on {deals} deals, each played twice, with the sides exchanged.",
        f"{deals} deals, each played 4 times by thumb, which takes a random step at one choice in 8, at different",
        "in worlds that agree with what the seat knows, in 2 halves of 16 each; the step that is best in one half is",
    ):
        assert part in said
    assert not re.search(r"slips|halves:|plays:|bots:|weaker", said)
    of_readings = ("whatever the reading,", "of a difference", "a number's logarithm, ranked by", "paired by blocks")
    assert all((words in said) == (kind == "readings") for words in of_readings)
    result["bots"]["table"] = "thumb,random"
    assert "in which thumb and random take turns." in Page(report.html(result)).said()


@each_kind
def test_a_metric_without_a_value_says_why(kind: str) -> None:
    page = page_of("tontine", kind)
    assert report.NO_VALUE in page.said()
    if kind == "game":
        (figure,) = [text for _, text in page.all("figure") if report.NO_VALUE in text]
        assert figure.startswith("Weight of a choice")
    assert report.NO_VALUE not in page_of("masquerade", kind).said()


def test_a_unit_is_written_once_and_options_do_not_break() -> None:
    result = study("heraldry")
    text = report.html(result)
    said = Page(text).said()
    assert "Length in deals (" not in said and "Lead changes (" not in said and "Drama (of a win)" in said
    assert text.count("<span>--sittings</span>") == 2 and said.count(result["command"]) == 2


def test_the_accent_of_a_page_is_its_games() -> None:
    game = parlour.game("heraldry")
    light, dark = re.findall(r"--accent: (#\w+);", report.style(game.accent))[:2]
    assert (light, dark) == game.accent


def test_combined_readings_have_a_section_of_their_own() -> None:
    result = study("masquerade")
    row = deepcopy(result["rows"][-1])
    row |= {"option": "following+last", "value": "suit+seat", "clause": "MASQ-7, MASQ-11"}
    row["options"] = result["rows"][0]["options"] | {"following": "suit", "last": "seat"}
    result["rows"].append(row)
    head = {"option": row["option"], "value": row["value"], "clause": row["clause"]}
    result["ranking"].insert(0, result["ranking"][0] | head)
    page = Page(report.html(result))
    assert "Readings together" in page.said() and "suit+seat" in page.said()
    assert "with *following+last: climb+card*" in lessons.lessons(result)[0]
    assert "#together" in {attributes["href"] for attributes, _ in page.all("a")}


@pytest.mark.skipif(not build.is_compiled(), reason="only the longest game has such a reading")
def test_a_reading_that_needs_another_says_so() -> None:
    result = study("sovereign")
    (item,) = [item for item in result["left_to_the_table"] if item["option"] == "penalty"]
    result["ranking"] = [item | {"interval": [0.1, 0.2]}]
    assert "played with Can be made, at a price mistakes=penalised" in Page(report.html(result)).said()
    lesson = lessons.lessons(result)[0]
    assert "(SOV-4a, played with mistakes: penalised)" in lesson and lesson.endswith("than with *penalty: 1*.")


def test_the_text_of_a_result_cannot_become_markup() -> None:
    result = study("tontine")
    result["command"] = result["seed"] = result["version"] = "<script>&"
    result["unwanted"] = [{"option": "a", "value": "b", "why": "<b>Bold & sharp.</b>", "metric": "balance"}]
    result["metrics"] = [METRICS[0] | {"title": "A<i>&"}, *METRICS[1:]]
    page = Page(report.html(result))
    assert not page.all("script") and "<b>Bold & sharp.</b>" in page.said() and "A<i>&" in page.said()


@pytest.mark.parametrize("accent", [game.accent for game in parlour.REGISTRY.values()])
def test_colours_have_enough_contrast(accent: tuple[str, str]) -> None:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    def contrast(one: str, other: str) -> float:
        low, high = sorted((light(one), light(other)))
        return (high + 0.05) / (low + 0.05)

    style = (ROOT / "src" / "parlour" / "lab" / "report.css").read_text(encoding="utf-8")
    grounds = [dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in re.findall(r":root \{([^}]*)\}", style)]
    for colour, ground in zip(accent, grounds[:2], strict=True):
        for paper in (ground["paper"], ground["tint"]):
            assert min(contrast(colour, paper), contrast(ground["ink"], paper), contrast(ground["faint"], paper)) >= 4.5


def test_the_style_sheet_knows_every_colour_of_the_plots() -> None:
    text = html_of("heraldry") + html_of("heraldry", "game")
    used = set(re.findall(r'(?:fill|stroke)="(#\w+)"', text.split("</style>")[1]))
    assert used and used <= set(report.COLOURS.values())


@each_kind
@pytest.mark.parametrize("name", ["sovereign", "tontine"])  # the longest and the shortest
def test_a_browser_shows_a_page_without_complaint_at_any_width(
    name: str, kind: str, browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "report.html").write_text(html_of(name, kind), encoding="utf-8")
    grounds = []
    for width, scheme in ((320, "light"), (390, "dark"), (1280, "light")):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        complaints: list[str] = []
        page.on("console", lambda message, said=complaints: said.append(message.text))
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert complaints == []
        grounds.append(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        page.close()
    assert grounds[0] == grounds[2] != grounds[1]


# --- figures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimate", "signed", "shown"),
    [
        ((0.3124, 0.3021, 0.3227), False, "0.312 (0.302 to 0.323)"),
        ((-0.0412, -0.0521, -0.0303), True, "−0.041 (−0.052 to −0.030)"),
        ((1234.5, 1210.0, 1259.0), False, "1,234 (1,210 to 1,259)"),
        ((1.0, 1.0, 1.0), False, "1.000 (1.000 to 1.000)"),
        ((0.0, 0.0, 0.0), True, "0.000 (0.000 to 0.000)"),
        ((-0.0038, -0.0076, -0.000004), True, "−0.003800 (−0.007600 to −0.000004)"),
        ((0.0, -1e-19, 0.0019), False, "0.0000 (0.0000 to 0.0019)"),
        ((0.5, 0.499999, 0.500001), True, "+0.500000 (+0.499999 to +0.500001)"),
        ((1.0, 0.99996, 1.0), False, "1.00000 (0.99996 to 1.00000)"),
    ],
)
def test_figures_have_as_many_digits_as_their_interval_justifies(
    estimate: tuple[float, float, float], signed: bool, shown: str
) -> None:
    assert figures.in_full(dict(zip(("value", "low", "high"), estimate, strict=True)), signed) == shown
    assert figures.in_full(None) == "–"


@each_kind
@each_game
def test_the_csv_has_a_line_for_every_row_and_metric(name: str, kind: str) -> None:
    result = study(name, kind)
    lines = list(csv.DictReader(StringIO(report.csv(result))))
    assert len(lines) == len(result["rows"]) * len(METRICS)
    at = iter(lines)
    for row in result["rows"]:
        for metric in METRICS:
            line, value = next(at), row["values"][metric["name"]]
            assert (line["metric"], line["value"]) == (metric["name"], row["value"])
            assert (int(line["players"]), line["usual"]) == (row["players"], str(row["usual"]).lower())
            assert json.loads(line["options"]) == row["options"]
            found = [line[part] for part in ("estimate", "low", "high")]
            assert [float(part) for part in found] == list(value.values()) if value else found == [""] * 3


# --- lessons ----------------------------------------------------------------------------------------------------------


def ranked(*intervals: tuple[float, float, float]) -> list[dict[str, Any]]:
    """Readings of Heraldry with these intervals, and the most that each may change on any metric."""
    rows = [row for row in study("heraldry")["rows"] if not row["usual"]]
    return [
        {name: row[name] for name in ("option", "value", "clause")}
        | {"metric": "decisions", "effect": (low + high) / 2, "interval": [low, high], "at_most": most}
        for row, (low, high, most) in zip(rows, intervals, strict=False)
    ]


APART = ((0.6, 0.7, 0.7), (0.4, 0.5, 0.5), (0.2, 0.3, 0.3))
OPEN = ((0.6, 0.7, 0.7), (0.4, 0.5, 0.65), (0.3, 0.5, 0.5), (0.1, 0.2, 0.2), (-0.1, 0.05, 0.05))


def test_an_order_is_settled_only_where_intervals_lie_apart() -> None:
    assert lessons.places(ranked(*APART)) == [(1, 1), (2, 2), (3, 3)]
    assert [len(group) for group in lessons.groups(ranked(*APART))] == [1, 1, 1]
    assert lessons.places(ranked(*OPEN)) == [(1, 2), (1, 3), (2, 3), (4, 4), (5, 5)]
    assert [len(group) for group in lessons.groups(ranked(*OPEN))] == [3, 1, 1]
    elsewhere = [item | {"at_most": 0.9} for item in ranked(*APART)]  # another metric may be changed more
    assert lessons.places(elsewhere) == [(1, 3)] * 3
    assert lessons.places(ranked((0.0, 0.0, 0.0), (-0.1, 0.1, 0.1))) == [(1, 2), (1, 2)]
    assert lessons.places([]) == [] == lessons.groups([])


def test_lessons_claim_an_order_only_where_it_is_settled() -> None:
    result = study("heraldry") | {"unwanted": [], "ranking": ranked(*APART)}
    told = lessons.lessons(result)
    names = [f"*{lessons.reading(item)}* ({item['clause']})" for item in ranked(*OPEN)]
    assert told[0].startswith(f"The reading {names[0]} matters most: ") and lessons.foremost(result) == told[0]
    assert told[1].startswith(f"The reading {names[1]} comes next: ") and told[2].startswith(f"Then {names[2]}: ")
    result["ranking"] = ranked(*OPEN)
    first, *_, last = told = lessons.lessons(result)
    several = f"The readings {names[0]}, {names[1]} and {names[2]} matter most, in an order that is open: "
    assert first.startswith(several) and first.count("; with *") == 2 and lessons.foremost(result) == first
    assert told[1].startswith(f"The reading {names[3]} comes next: ") and last.endswith("no measurable difference.")
    cut, rest, _ = lessons.lessons(result, 3)  # there is no room for the figures of the second and the third
    assert cut.startswith(f"The reading {names[0]} surely matters: ")
    shared = [f"*{lessons.reading(item)}*" for item in ranked(*OPEN)]
    matter = f"{shared[1]} and {shared[2]} surely matter too, and the order of all of these is open"
    assert rest == f"{matter}; smaller effects come from {shared[3]}."
    result["ranking"] = ranked((0.4, 0.5, 0.5), (-0.1, 0.6, 0.6))
    assert lessons.lessons(result)[0].startswith(f"The reading {names[0]} surely matters: ")
    result["ranking"] = ranked((-0.1, 0.6, 0.6))
    assert lessons.foremost(result) == "With this many sittings, no reading makes a measurable difference."


@each_kind
@each_game
def test_lessons_are_few_and_places_are_on_the_page(name: str, kind: str) -> None:
    result = study(name, kind)
    told = lessons.lessons(result)
    assert len(told) <= 6 and all(sentence.endswith(".") for sentence in told)
    assert bool(told) == (kind == "readings")
    said = page_of(name, kind).said()
    for item, (first, last) in zip(result["ranking"], lessons.places(result["ranking"]), strict=True):
        assert item["at_most"] >= item["interval"][1]
        place = f"{first}." if first == last else f"{first}–{last}."
        assert f"{place} {name_of(result, item)}" in said


@pytest.mark.parametrize(
    ("metric", "sign", "told"),
    [
        ("real_choices", 1, "the share of real choices is higher by 0.100 (95 % interval 0.090 to 0.110)"),
        ("skill", -1, "skill is lower by 0.100 (95 % interval 0.090 to 0.110)"),
        ("decisions", 1, "a sitting takes 0.100 decisions more (95 % interval 0.090 to 0.110)"),
        ("lead_changes", -1, "a sitting has 0.100 changes of the lead fewer (95 % interval 0.090 to 0.110)"),
    ],
)
def test_a_lesson_gives_direction_size_and_interval(metric: str, sign: int, told: str) -> None:
    result = study("heraldry")
    item = result["ranking"][0] | {"option": "capture", "value": "choice", "clause": "HER-5", "metric": metric}
    result["ranking"] = [item | {"interval": [0.09, 0.11]}]
    (row,) = [row for row in result["rows"] if row["value"] == "choice"]
    low, high = sorted((0.09 * sign, 0.11 * sign))
    row["differences"][metric] = {"value": 0.1 * sign, "low": low, "high": high}
    usual = result["rows"][0]["options"]["capture"]
    assert lessons.lessons(result)[0] == (
        f"The reading *capture: choice* (HER-5) matters most: {told} than with *capture: {usual}*."
    )


@pytest.mark.parametrize("sentences", [5, 3, 1])
@each_game
def test_lessons_name_every_reading(name: str, sentences: int) -> None:
    result = study(name)
    count = len(result["ranking"])
    for step in (0.0, 0.2):  # all in an open order, or each in its own place
        lows = [0.1 + step * (count - at) for at in range(count)]
        sure = [
            item | {"interval": [low, low + 0.1], "at_most": low + 0.1}
            for item, low in zip(result["ranking"], lows, strict=True)
        ]
        for some in range(count + 1):
            result["ranking"] = sure[:some]
            told = lessons.lessons(result, sentences)
            whole = " ".join(told[: len(told) - bool(result["unwanted"])])
            names = re.findall(r"(?<!than with )\*(\w+: [\w-]+)\*", whole)
            assert list(dict.fromkeys(names)) == [lessons.reading(item) for item in sure[:some]]
            room = max(1, sentences - bool(result["unwanted"]))
            shares = {"Smaller effects come from": step > 0, "the order of all of these is open": step == 0}
            for words, apart in shares.items():
                assert any(words in sentence for sentence in told) == (some > room and apart), words


def test_an_uncertain_effect_is_no_lesson() -> None:
    result = study("tontine")
    for item in result["ranking"]:
        item["interval"] = [-0.1, 0.5]
    result["unwanted"] = []
    (only,) = lessons.lessons(result)
    assert re.fullmatch(r"With this many sittings, \*.*\* makes? no measurable difference\.", only)


# --- the command ------------------------------------------------------------------------------------------------------


def small(cli: Cli, *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a small study."""
    return cli("lab", *arguments, "--sittings", "5", "--seed", "7")


@pytest.mark.parametrize("asked", [["readings", "heraldry"], ["game", "heraldry", "--players", "3,4"]])
def test_the_command_writes_the_page_and_the_csv(asked: list[str], tmp_path: Path, cli: Cli) -> None:
    page, table = tmp_path / "page.html", tmp_path / "data" / "all figures #1.csv"
    table.parent.mkdir()
    code, out, err = small(cli, *asked, "--html", str(page), "--csv", str(table), "--json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert page.read_bytes() == report.html(result, ["data/all figures #1.csv"]).encode()
    assert table.read_bytes() == report.csv(result).encode()
    link = '<a href="data/all%20figures%20%231.csv">data/all figures #1.csv</a>'
    assert f"<b>The data</b> of this page: {link}." in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--out", "--csv"])
def test_one_file_for_two_options_is_refused(option: str, tmp_path: Path, cli: Cli) -> None:
    file, asked = tmp_path / "study.json", ["game", "tontine", "--players", "4"]
    assert small(cli, *asked, option, str(file))[0] == 0
    before = file.read_bytes()
    other = f"{tmp_path}/../{tmp_path.name}/study.json"
    code, out, err = small(cli, *asked, "--html", other, option, str(file))
    first, second = sorted(("--html", option), key=["--out", "--html", "--csv"].index)
    assert (code, out) == (2, "") and file.read_bytes() == before
    assert re.fullmatch(rf"parlour: {first} and {second} both name .*study.json; each needs a file of its own.\n", err)


def test_an_interrupted_run_leaves_no_empty_page(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lab, "play_study", stop)
    old, link = tmp_path / "old.csv", tmp_path / "link.html"
    old.write_text("what was there", encoding="utf-8")
    link.symlink_to(tmp_path / "nothing.html")
    for page in (tmp_path / "page.html", link):
        assert small(cli, "game", "tontine", "--html", str(page), "--csv", str(old))[0] == 130
        assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "old.csv"] and link.is_symlink()
    assert old.read_text(encoding="utf-8") == "what was there"


def test_combinations_are_announced_before_they_are_played(cli: Cli) -> None:
    asked = ("readings", "heraldry", "--options", "capture, twelfth")  # a space does no harm
    assert small(cli, *asked)[::2] == (0, "")
    code, _, err = small(cli, *asked, "--combinations")
    assert (code, err) == (0, "parlour: This plays 6 rows of 5 sittings each.\n")
