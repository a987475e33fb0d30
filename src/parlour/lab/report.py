"""A study's result as people read it: one HTML page that needs nothing else, its figures as CSV, its lessons in words.

A result is plain data, as `docs/lab.md` describes it; the words are those of the sheet.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from csv import writer
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..games import sheet
from ..sheets.citation import sheet_line, software_line
from ..sheets.model import Option, Sheet
from ..sheets.rulebook import STATES
from . import plots
from .study import UNWANTED

Result = Mapping[str, Any]
Row = Mapping[str, Any]
Estimate = Mapping[str, float]

BETTER = {"more": "more is better", "less": "less is better", "neither": ""}
SENTENCES = 5  # of the lessons, at most
NO_VALUE = "No value: there was nothing to decide, or too little to measure."
COLUMNS = (
    *("game", "rules", "version", "seed", "kind", "players", "option", "value", "clause", "usual", "options"),
    *("sittings", "metric", "estimate", "low", "high", "difference", "difference_low", "difference_high"),
)
# By game: the accent on paper and by lamplight, each at least 4.5 : 1 on its ground.
ACCENTS = {
    "masquerade": ("#573a5c", "#cfa8d6"),
    "lost-heir": ("#1f3b63", "#9dbde8"),
    "sovereign": ("#2e5a45", "#8fcbab"),
    "heraldry": ("#7d5410", "#ddb45f"),
    "tontine": ("#a83420", "#f2a08a"),
}
ACCENT = (plots.BLUE, "#93bdf0")  # of a game that has none of its own
# Plots bear their colours as attributes, to be whole by themselves; a page's style goes before an attribute.
COLOURS = {
    "ink": plots.INK,
    "faint": plots.FAINT,
    "rule": plots.RULE,
    "accent": plots.BLUE,
    "paper": plots.PAPER,
}


# --- figures in words -------------------------------------------------------------------------------------------------


def places(estimate: Estimate) -> int:
    """How many decimals are worth writing: two digits of half the interval, four at most, or what its ends need."""
    half = (estimate["high"] - estimate["low"]) / 2
    if half <= 0:
        return 3
    wanted = min(4, max(0, 1 - math.floor(math.log10(half))))
    ends = [abs(estimate[end]) for end in ("low", "high")]
    # neither does an end become zero by it, nor are both the same
    while wanted < 6 and (
        any(5e-7 < end < 0.5 / 10**wanted for end in ends)
        or round(estimate["low"], wanted) == round(estimate["high"], wanted)
    ):
        wanted += 1
    return wanted


def figure(value: float, decimals: int, signed: bool = False) -> str:
    """A number with so many decimals, and a true minus; zero has no sign."""
    shown = f"{value:{'+' if signed else ''}z,.{decimals}f}".replace("-", "−")
    return shown if float(shown.replace("−", "-").replace(",", "")) else shown.lstrip("+")


def interval(estimate: Estimate, signed: bool = False) -> str:
    decimals = places(estimate)
    return f"{figure(estimate['low'], decimals, signed)} to {figure(estimate['high'], decimals, signed)}"


def in_full(estimate: Estimate | None, signed: bool = False) -> str:
    """An estimate with its interval behind it."""
    if estimate is None:
        return "–"
    return f"{figure(estimate['value'], places(estimate), signed)} ({interval(estimate, signed)})"


def cell(estimate: Estimate | None, signed: bool = False) -> str:
    """An estimate for a table, its interval kept together."""
    value, bracket, rest = in_full(estimate, signed).partition(" (")
    return f"{value} <span>({rest}</span>" if bracket else value


def clear_of_zero(low: float, high: float) -> bool:
    return not low <= 0 <= high


def drawn(label: str, estimate: Estimate | None) -> plots.Row | None:
    """An estimate as plots take it."""
    return plots.Row(label, estimate["value"], (estimate["low"], estimate["high"])) if estimate else None


# --- readings in words ------------------------------------------------------------------------------------------------


def option_of(result: Result, name: str) -> Option | None:
    """The option of that name; none where several options were changed together."""
    return next((option for option in sheet(result["game"]).options if option.name == name), None)


def meaning(option: Option, value: str) -> str:
    """What a value of an option means, in the sheet's words; a number means itself."""
    return next((f": {known.means}" for known in option.values if str(known.name) == value), "")


def besides(row: Row, result: Result) -> str:
    """What else had to be changed for a reading to be played."""
    usual = usual_row(result)["options"]
    changed = {name: value for name, value in row["options"].items() if value != usual[name]}
    return listed(f"{name}: {value}" for name, value in changed.items() if name not in row["option"].split("+"))


def usual_row(result: Result) -> Row:
    """The row in which all is as usual."""
    return next(row for row in result["rows"] if row["usual"])


def other_row(row: Row, result: Result) -> Row:
    """The row that a row is compared with: the usual one, or where it needs more changed the one with that changed."""
    other: Row = result["rows"][row["against"]]
    return other


def other_value(row: Row, result: Result) -> str:
    """What stands in the place of a row's value, or of its values, where it is compared with."""
    other = other_row(row, result)["options"]
    return "+".join(str(other[name]) for name in row["option"].split("+"))


def reading(item: Mapping[str, Any]) -> str:
    """A reading by its name, as everywhere in Parlour."""
    return f"{item['option']}: {item['value']}"


def metric_of(result: Result, name: str) -> Mapping[str, Any]:
    return next(metric for metric in result["metrics"] if metric["name"] == name)


def row_of(result: Result, item: Mapping[str, Any]) -> Row:
    """The row of a ranked reading."""
    wanted = (item["option"], item["value"])
    return next(row for row in result["rows"] if (row["option"], row["value"]) == wanted)


def table_of(result: Result) -> str:
    """The numbers of players, in words."""
    counts = sorted({row["players"] for row in result["rows"]})
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return listed(map(str, counts))


# --- lessons ----------------------------------------------------------------------------------------------------------


def lessons(result: Result, sentences: int = SENTENCES) -> list[str]:
    """What a study teaches of the doubtful words, most effect first; *stars* mark them.

    Every reading is named; where there are more than so many sentences have room for, those that change less together.
    """
    told = [item for item in result["ranking"] if clear_of_zero(*item["interval"])]
    silent = [item for item in result["ranking"] if not clear_of_zero(*item["interval"])]
    last = []
    if silent:
        names = listed(f"*{reading(item)}*" for item in silent)
        last.append(f"So many sittings show no difference for {names}.")
    if result["unwanted"]:
        names = listed(dict.fromkeys(f"*{reading(item)}*" for item in result["unwanted"]))
        last.append(f"A table would not want {names}.")
    room = max(1, sentences - len(last))  # what matters most is always told
    if len(told) > room:
        room = max(1, room - 1)  # for the others need a sentence too
        names = listed(f"*{reading(item)}*" for item in told[room:])
        last.insert(0, f"Less is changed by {names}.")
    return [lesson(result, item, place) for place, item in enumerate(told[:room])] + last


def lesson(result: Result, item: Mapping[str, Any], place: int) -> str:
    """One reading, where it differs most from the one that it is compared with: which way, and by how much."""
    row = row_of(result, item)
    difference = row["differences"][item["metric"]]
    more = besides(row, result)
    named = f"*{reading(item)}* ({item['clause']}{f', played with {more}' if more else ''})"
    way, size = ("higher", difference) if difference["value"] >= 0 else ("lower", opposite(difference))
    opening = (f"The reading {named} matters most", f"The reading {named} comes next", f"Then {named}")[min(place, 2)]
    title = lowered(metric_of(result, item["metric"])["title"])
    shown = f"{figure(size['value'], places(size))} (95 % interval {interval(size)})"
    return f"{opening}: {title} {way} by {shown} than with *{other_value(row, result)}*."


def opposite(estimate: Estimate) -> Estimate:
    """An estimate the other way round."""
    return {"value": -estimate["value"], "low": -estimate["high"], "high": -estimate["low"]}


def lowered(title: str) -> str:
    """A title as it stands within a sentence."""
    return title[0].lower() + title[1:]


def listed(items: Iterable[str], last_after: str = "and") -> str:
    """Items in words: the last one after “and”, or another word."""
    *most, last = list(items) or [""]
    return f"{', '.join(most)} {last_after} {last}" if most else last


# --- data -------------------------------------------------------------------------------------------------------------


def csv(result: Result) -> str:
    """Every figure of a study as CSV, a line for each row and metric; what could not be estimated is empty."""
    out = StringIO()
    table = writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for row in result["rows"]:
        head = [result[name] for name in ("game", "rules", "version", "seed", "kind")]
        head += [row["players"], row["option"], row["value"], row["clause"], str(row["usual"]).lower()]
        head += [json.dumps(row["options"], ensure_ascii=False), row["sittings"]]
        for metric in result["metrics"]:
            found = (row["values"].get(metric["name"]), row["differences"].get(metric["name"]))
            cells = [estimate[part] if estimate else "" for estimate in found for part in ("value", "low", "high")]
            table.writerow([*head, metric["name"], *cells])
    return out.getvalue()


# --- the page ---------------------------------------------------------------------------------------------------------


def html(result: Result, data: Sequence[str] = ()) -> str:
    """The report of a study as one HTML page; `data` names files with its figures, by their path from the page."""
    game = sheet(result["game"])
    sections = READINGS if result["kind"] == "readings" else PORTRAIT
    made = [(id, title, list(body(result, game))) for id, title, body in sections]
    shown = [(id, title, lines) for id, title, lines in made if lines]
    name = title_of(result)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        # nothing is fetched and nothing runs, and the browser sees to it
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
        f"<title>{escape(name)}</title>",
        f'<meta name="description" content="{escape(subtitle(result))}">',
        f"<style>\n{style(result['game'])}</style>",
        "</head>",
        "<body>",
        "<header>",
        '<p class="kicker">Parlour · The Lab</p>',
        f"<h1>{escape(game.title)}</h1>",
        f'<p class="deck">{escape(DECKS[result["kind"]])}</p>',
        f'<p class="facts">{escape(subtitle(result))}</p>',
        "</header>",
        '<nav aria-label="Contents"><ul>',
        *[f'<li><a href="#{id}">{escape(title)}</a></li>' for id, title, _ in shown],
        "</ul></nav>",
        "<main>",
    ]
    for id, title, body in shown:
        lines += [f'<section id="{id}">', f"<h2>{escape(title)}</h2>", *body, "</section>"]
    lines += ["</main>", *colophon(result, game, data), "</body>", "</html>", ""]
    return "\n".join(lines).replace(" %", "\N{NO-BREAK SPACE}%")


def style(game: str) -> str:
    """The style of a page: the accent of its game, the colours of its plots, and what all pages have."""
    light, dark = ACCENTS.get(game, ACCENT)
    lines = [
        f":root {{ --accent: {light}; }}",
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ --accent: {dark}; }} }}",
    ]
    for name, colour in COLOURS.items():
        lines += [f'svg [{kind}="{colour}"] {{ {kind}: var(--{name}); }}' for kind in ("fill", "stroke")]
    return "\n".join(lines) + "\n" + (Path(__file__).parent / "report.css").read_text("utf-8")


DECKS = {
    "readings": "What each reading of the sheet does to the game",
    "game": "A portrait of the game, by number of players",
}


def title_of(result: Result) -> str:
    return f"{sheet(result['game']).title}: {lowered(DECKS[result['kind']])}"


def subtitle(result: Result) -> str:
    """What was studied, in one line."""
    each = "reading" if result["kind"] == "readings" else "number of players"
    return (
        f"{table_of(result)} players · {result['bots']['table']} · {result['sittings']:,} sittings for each {each} · "
        f"seed\N{NO-BREAK SPACE}{result['seed']} · rules version {result['rules']} · Parlour {result['version']}"
    )


def emphasised(words: str) -> str:
    """Words as HTML, what stands between stars emphasised."""
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(words))


def answer(result: Result, game: Sheet) -> Iterator[str]:
    """Which doubtful word matters most: in words, then as a ranked picture."""
    yield '<ul class="lead">' + "".join(f"<li>{emphasised(sentence)}</li>" for sentence in lessons(result)) + "</ul>"
    if result["ranking"]:
        yield from ranked(result, game, result["ranking"])


def left(result: Result, game: Sheet) -> Iterator[str]:
    """What the sheet offers in clear words, ranked in the same way."""
    if result["left_to_the_table"]:
        yield "<p>The sheet itself offers these, in clear words: they are not in doubt, and a table may choose.</p>"
        yield from ranked(result, game, result["left_to_the_table"])


def ranked(result: Result, game: Sheet, ranking: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Readings by their effect, as a table with a picture in every line."""
    rows = [
        plots.Row(f"{reading(item)} ({item['clause']})", item["effect"], (item["interval"][0], item["interval"][1]))
        for item in ranking
    ]
    reaches = [value for row in rows for value in (row.value, *(row.interval or ()))]
    below, above = min(0.0, *reaches), max(0.0, *reaches)
    ticks = plots.round_ticks(below if -below > above / 50 else 0.0, above, 5)  # a hair below is not drawn
    yield '<table class="ranking">'
    yield "<caption>Readings by their effect on the game, each where it surely changes most. Effect:"
    yield f"{escape(result['method']['yardstick'])}. Lines are intervals that hold all at once with 95 %; a dot is full"
    yield "where its interval is clear of zero.</caption>"
    yield '<thead><tr><th scope="col">Reading</th><th scope="col">Most in</th>'
    yield f'<th scope="col" class="strip">Effect {plots.strip_axis(ticks, "The axis of effects")}</th>'
    yield '<th scope="col" class="number">Effect (95 %)</th></tr></thead><tbody>'
    for item, row in zip(ranking, rows, strict=True):
        low, high = item["interval"]
        most_in, effect = "–", "–"
        if item["effect"]:  # else nothing changes, and no metric most
            most_in = metric_of(result, item["metric"])["title"]
            effect = cell({"value": item["effect"], "low": low, "high": high})
        yield (
            f'<tr><th scope="row"><b>{escape(reading(item))}</b> <span>{cited(game, item)}</span></th>'
            f"<td>{escape(most_in)}</td>"
            f'<td class="strip">{plots.strip(row, ticks)}</td><td class="number">{effect}</td></tr>'
        )
    yield "</tbody></table>"


def cited(game: Sheet, item: Mapping[str, Any]) -> str:
    """The clauses behind a reading, linked to where they are told."""
    clauses = [game.clause(id) for id in item["clause"].split(", ")]
    if len(clauses) == 1:
        return f'<a href="#{clauses[0].id.lower()}">{clauses[0].id}</a> {escape(clauses[0].title)}'
    return f'<a href="#together">{escape(item["clause"])}</a>'


def unwanted(result: Result, game: Sheet) -> Iterator[str]:
    """The readings that a table would not want, with the reason, and by which limits."""
    if result["unwanted"]:
        yield "<ul>"
        yield from (f"<li>{escape(item['why'])}</li>" for item in result["unwanted"])
        yield "</ul>"
    bounds = [
        f"{lowered(metric_of(result, name)['title'])} {'lower' if limit < 0 else 'higher'} by {abs(limit):g}"
        for name, (limit, _) in UNWANTED.items()
    ]
    yield f"<p>{'By' if result['unwanted'] else 'None by'} these limits: {escape(listed(bounds, 'or'))} than with the"
    yield "usual reading, by the whole 95 % interval of the difference. Readings are defended by the text of the sheet"
    yield "first; figures inform, they do not decide.</p>"


def as_usual(result: Result, game: Sheet) -> Iterator[str]:
    """The game as it is usually read: every metric."""
    yield '<table class="figures"><caption>Every metric with its 95 % interval, all readings usual.</caption>'
    yield '<thead><tr><th scope="col">Metric</th><th scope="col" class="number">Value</th></tr></thead><tbody>'
    for metric in result["metrics"]:
        value = cell(usual_row(result)["values"].get(metric["name"]))
        yield f'<tr><th scope="row">{measured(metric)}</th><td class="number">{value}</td></tr>'
    yield "</tbody></table>"
    if None in usual_row(result)["values"].values():
        yield f"<p>– {NO_VALUE}</p>"


def measured(metric: Mapping[str, Any]) -> str:
    """A metric's title, with its unit where the title does not say it."""
    said = not metric["unit"] or metric["title"].endswith(metric["unit"])
    return escape(metric["title"]) + ("" if said else f" <small>({escape(metric['unit'])})</small>")


def words(result: Result, game: Sheet) -> Iterator[str]:
    """The doubtful words one by one: the clause, its readings, and what they do."""
    yield (
        "<p>Each clause in our own words, how far the sheet can be followed there, and its readings. In the small plots"
        " a diamond is the usual reading and dots are the others; lines are 95 % intervals. At the right stands the"
        " difference to the usual reading on the same deals: the dot is full where the interval is clear of zero.</p>"
    )
    names = list(dict.fromkeys(item["option"] for item in [*result["ranking"], *result["left_to_the_table"]]))
    clauses = dict.fromkeys(option.clause for name in names if (option := option_of(result, name)))
    for id in clauses:
        clause = game.clause(id)
        yield f'<article id="{id.lower()}">'
        yield f'<h3><span class="id">{id}</span> {escape(clause.title)} <span class="state">{clause.state}</span></h3>'
        yield f"<blockquote><p>{escape(clause.rule)}</p></blockquote>"
        if clause.reading:
            yield f"<p>{with_readings(game, clause.reading)}</p>"
        yield f'<p class="source">{escape(STATES[clause.state].capitalize())}. From: {escape(clause.source)}.</p>'
        for name in names:
            option = option_of(result, name)
            if option is not None and option.clause == id:
                yield from option_block(result, option)
        yield "</article>"
    together = [name for name in names if option_of(result, name) is None]
    if together:
        yield '<article id="together"><h3>Readings together</h3>'
        for name in together:
            yield f"<h4>{escape(name)}</h4>"
            yield from plots_and_table(result, name)
        yield "</article>"
    alone = [clause for clause in game.clauses if clause.state != "clear" and clause.id not in clauses]
    if alone:
        yield "<h3>Doubtful, but not compared here</h3><ul>"
        for clause in alone:
            yield f"<li><b>{clause.id}</b> {escape(clause.title)} ({clause.state}): {escape(clause.reading)}</li>"
        yield "</ul>"


def with_readings(game: Sheet, text: str) -> str:
    """A text of the sheet as HTML, the readings that it names made to stand out."""
    names = [f"{option.name}: {value.name}" for option in game.options for value in option.values]
    return re.sub(rf"\b({'|'.join(map(re.escape, names))})\b", r"<b>\1</b>", escape(text))


def option_block(result: Result, option: Option) -> Iterator[str]:
    """The readings of one option in words, then what each does."""
    yield f'<h4><code>{option.name}</code>: {escape(option.changes)}</h4><ul class="readings">'
    rows = [row for row in result["rows"] if row["option"] == option.name]
    usual = other_value(rows[0], result)
    yield f'<li><b>{escape(usual)}</b> <span class="state">usual</span>{escape(meaning(option, usual))}</li>'
    for row in rows:
        more = f", played with {besides(row, result)}" if besides(row, result) else ""
        yield f"<li><b>{escape(row['value'])}</b>{escape(meaning(option, row['value']) + more)}</li>"
    yield "</ul>"
    yield from plots_and_table(result, option.name)


def plots_and_table(result: Result, option: str) -> Iterator[str]:
    """Every metric by reading: small plots, then all their figures with intervals and differences."""
    others = [row for row in result["rows"] if row["option"] == option]
    rows = [other_row(others[0], result), *others]
    labels = [other_value(others[0], result), *[row["value"] for row in others]]
    known = [metric for metric in result["metrics"] if any(row["values"].get(metric["name"]) for row in rows)]
    yield '<div class="plots">'
    for metric in known:
        values = [drawn(metric["title"], row["values"].get(metric["name"])) for row in rows]
        differences = [None, *[drawn(metric["title"], row["differences"].get(metric["name"])) for row in others]]
        yield f"<figure><figcaption>{measured(metric)}</figcaption>"
        yield plots.against_usual(values, differences, labels, title=f"{metric['title']} by {option}") + "</figure>"
    yield "</div>"
    yield '<table class="figures">'
    yield f"<caption>All figures of <code>{escape(option)}</code>, with 95 % intervals.</caption>"
    yield '<thead><tr><th scope="col">Reading</th><th scope="col" class="number">Value</th>'
    yield '<th scope="col" class="number">Difference to the usual</th></tr></thead>'
    for metric in known:
        yield f'<tbody><tr><th scope="rowgroup" colspan="3">{measured(metric)}</th></tr>'
        for label, row in zip(labels, rows, strict=True):
            difference = None if row is rows[0] else row["differences"].get(metric["name"])
            shown = "usual" if row is rows[0] else cell(difference, True)
            clear = " clear" if difference and clear_of_zero(difference["low"], difference["high"]) else ""
            value = cell(row["values"].get(metric["name"]))
            yield f'<tr><th scope="row">{escape(label)}</th><td class="number">{value}</td>'
            yield f'<td class="number{clear}">{shown}</td></tr>'
        yield "</tbody>"
    yield "</table>"


def portrait(result: Result, game: Sheet) -> Iterator[str]:
    """Every metric by number of players."""
    rows = sorted(result["rows"], key=lambda row: row["players"])
    counts = [row["players"] for row in rows]
    yield '<div class="plots">'
    for metric in result["metrics"]:
        found = [drawn(f"{row['players']} players", row["values"].get(metric["name"])) for row in rows]
        title = f"{metric['title']} by number of players"
        yield f"<figure><figcaption>{measured(metric)}<span>{escape(metric['says'])}</span></figcaption>"
        shown = plots.by_number(counts, found, title=title, axis="players") if any(found) else f"<p>{NO_VALUE}</p>"
        yield f"{shown}</figure>"
    yield "</div>"


def by_players(result: Result, game: Sheet) -> Iterator[str]:
    """All figures of a portrait, a line for each number of players."""
    yield '<table class="figures"><caption>Every metric with its 95 % interval, by number of players.</caption>'
    yield '<thead><tr><th scope="col">Players</th><th scope="col" class="number">Sittings</th>'
    yield '<th scope="col" class="number">Value</th></tr></thead>'
    for metric in result["metrics"]:
        yield f'<tbody><tr><th scope="rowgroup" colspan="3">{measured(metric)}</th></tr>'
        for row in sorted(result["rows"], key=lambda row: row["players"]):
            value = cell(row["values"].get(metric["name"]))
            yield f'<tr><th scope="row">{row["players"]}</th><td class="number">{row["sittings"]:,}</td>'
            yield f'<td class="number">{value}</td></tr>'
        yield "</tbody>"
    yield "</table>"


def metrics(result: Result, game: Sheet) -> Iterator[str]:
    """What is measured, and what it is called elsewhere."""
    yield "<dl>"
    for metric in result["metrics"]:
        low, high = metric["range"]
        notes = [f"from {plots.number(low)} " + ("up" if high is None else f"to {plots.number(high)}")]
        notes += [BETTER[metric["better"]]] * bool(BETTER[metric["better"]])
        notes += [f"known as {metric['known_as']}"] * bool(metric["known_as"])
        notes += ["left out of the ranking"] * (not metric.get("ranked", True))  # older results rank all
        yield f"<dt>{measured(metric)}</dt><dd>{escape(metric['says'])} <small>{escape('; '.join(notes))}.</small></dd>"
    yield "</dl>"


def method(result: Result, game: Sheet) -> Iterator[str]:
    """How the figures came about, so that anybody can make them again."""
    compared = result["kind"] == "readings"
    each = "by each reading" if compared else "with each number of players"
    same = ", whatever the reading is, so that a difference is between readings and not between deals" * compared
    both = ", and that of a difference from leaving out the same block of both" * compared
    yield (
        f"<p>Bots play whole sittings {each}. Sitting number <i>n</i> has the luck of number <i>n</i> of the seed"
        f"{same}. The sittings are played in {result['blocks']:,} blocks of equal size. A metric is computed from all"
        f" of them; its 95 % interval comes from leaving out one block at a time (the jackknife){both}. The same seed"
        " and version give the same figures, digit for digit, however many processes or machines share the work.</p>"
    )
    if compared:
        differences = [found for row in result["rows"] for found in row["differences"].values() if found]
        varied = sum(found["low"] < found["high"] for found in differences)
        yield (
            f"<p>{varied:,} differences vary from block to block. Were there none in truth, about"
            f" {round(varied / 20):,} of their intervals would still be clear of zero, so a single one that is barely"
            " so says little.</p>"
        )
    yield "<dl>"
    for name, sentence in experiments(result):
        yield f"<dt>{escape(name)}</dt><dd>{escape(sentence)}</dd>"
    yield f"<dt>Seed</dt><dd>{escape(str(result['seed']))}</dd>"
    versions = f"Parlour {result['version']}, rules version {result['rules']} of {game.title}, {result['format']}"
    yield f"<dt>Versions</dt><dd>{escape(versions)}</dd>"
    yield f"<dt>The command that makes it again</dt><dd><code>{unbroken(result['command'])}</code></dd></dl>"


def unbroken(text: str) -> str:
    """Words as HTML, with no line ending within an option of a command."""
    return re.sub(r"--[\w-]+", r"<span>\g<0></span>", escape(text))


def experiments(result: Result) -> Iterator[tuple[str, str]]:
    """What was played and by whom, a sentence for each experiment."""
    bots, how = result["bots"], result["method"]
    skill, luck, choices = how["skill"], how["luck"], how["choices"]
    seated = bots["table"].split(",")
    yield "The table", f"{result['sittings']:,} sittings, " + (
        f"in which {seated[0]} has every seat." if len(seated) == 1 else f"in which {listed(seated)} sit in turn."
    )
    yield "Skill", (
        f"{bots['stronger'].capitalize()} against {bots['weaker']} on {skill['deals']:,} deals, each played"
        f" {times(skill['plays'])}, with the sides exchanged."
    )
    yield "Luck", (
        f"{luck['deals']:,} deals, each played {times(luck['plays'])} by {luck['bots']}, who takes any step at one"
        f" choice in {1 / luck['slips']:.0f}, at other ones each time."
    )
    yield "Weight of a choice", (
        f"One choice of each of {choices['sittings']:,} sittings by {choices['bots']}. Every legal step is played out"
        f" in worlds that its seat can imagine, in {choices['halves']} halves of {choices['worlds']} each; the step"
        " that is best in one half is judged by the other."
    )
    if result["kind"] == "readings":
        yield "Intervals", f"{how['interval']}."
        yield "Effects", f"They are {how['yardstick']}, ranked {how['ranking']}."


def times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def colophon(result: Result, game: Sheet, data: Sequence[str]) -> Iterator[str]:
    """How to cite it, where the data are, and where the game comes from."""
    yield "<footer>"
    yield f"<p><b>Cite as</b> {unbroken(citation(result))}</p>"
    yield f"<p><b>The sheet</b> {escape(sheet_line(game))} {escape(game.maker)}</p>"
    if data:
        links = [f'<a href="{escape(quote(name))}">{escape(name)}</a>' for name in data]
        yield f"<p><b>The data</b> of this page: {listed(links)}.</p>"
    yield "</footer>"


def citation(result: Result) -> str:
    """The line by which a report is cited."""
    software = software_line(sheet(result["game"]), result["version"], result["rules"])
    return f"“{title_of(result)}”. Made by “{result['command']}”. {software}"


Section = tuple[str, str, Callable[[Result, Sheet], Iterator[str]]]

READINGS: list[Section] = [
    ("answer", "Which doubtful word matters most", answer),
    ("left", "What the sheet leaves to the table", left),
    ("unwanted", "Readings that a table would not want", unwanted),
    ("usual", "The game as it is usually read", as_usual),
    ("words", "The readings, one by one", words),
    ("metrics", "What is measured", metrics),
    ("method", "Method", method),
]
PORTRAIT: list[Section] = [
    ("portrait", "The portrait", portrait),
    ("figures", "All figures", by_players),
    ("metrics", "What is measured", metrics),
    ("method", "Method", method),
]
