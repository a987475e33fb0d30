"""The report of a study: one self-contained HTML page, and all its figures as CSV.

A result is plain data, as `docs/lab.md` describes it; the rules are quoted from the sheet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from csv import writer
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..games import game as game_of
from ..sheets.citation import sheet_line, software_line
from ..sheets.edition import STATES, edition_of
from ..sheets.model import Option, Sheet
from . import plots
from .figures import Estimate, cell, clear_of_zero, listed, lowered
from .lessons import (
    Result,
    compared_row,
    compared_value,
    lessons,
    meaning,
    metric_of,
    option_of,
    other_changes,
    places,
    reading,
    usual_row,
    with_labels,
)
from .results import UNWANTED

BETTER = {"more": "more is better", "less": "less is better", "neither": ""}
NO_VALUE = "No value: there was nothing to decide, or too little to measure."
COLUMNS = (
    *("game", "rules", "version", "seed", "kind", "players", "option", "value", "clause", "usual", "options"),
    *("sittings", "metric", "estimate", "low", "high", "difference", "difference_low", "difference_high"),
)
# A plot carries its colours as attributes, so that it is complete on its own; the style of a page overrides them.
COLOURS = {
    "ink": plots.INK,
    "faint": plots.FAINT,
    "rule": plots.RULE,
    "accent": plots.BLUE,
    "paper": plots.PAPER,
}


# --- data -------------------------------------------------------------------------------------------------------------


def csv(result: Result) -> str:
    """Every figure of a study as CSV, one line for each row and metric; a missing estimate is empty."""
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
    """The report of a study as one HTML page; `data` are paths, from the page, of files with its figures."""
    game = game_of(result["game"])
    sections = READINGS if result["kind"] == "readings" else PORTRAIT
    made = [(id, title, list(body(result, game.sheet))) for id, title, body in sections]
    shown = [(id, title, lines) for id, title, lines in made if lines]
    name = title_of(result)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        # the browser is told to fetch nothing and run nothing
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
        f"<title>{escape(name)}</title>",
        f'<meta name="description" content="{escape(subtitle(result))}">',
        f"<style>\n{style(game.accent)}</style>",
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
    lines += ["</main>", *colophon(result, game.sheet, data), "</body>", "</html>", ""]
    return "\n".join(lines).replace(" %", "\N{NO-BREAK SPACE}%")


def style(accent: tuple[str, str]) -> str:
    """The style of a page: its accent, the colours of its plots, and the style sheet of all pages."""
    light, dark = accent
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
    """The title of a report."""
    return f"{game_of(result['game']).title}: {lowered(DECKS[result['kind']])}"


def subtitle(result: Result) -> str:
    """The facts of a study in one line."""
    sittings = f"{result['sittings']:,} sittings"
    each = "reading" if result["kind"] == "readings" else "number of players"
    return (
        f"{player_numbers(result)} players · {result['bots']['table']} · {sittings} for each {each}"
        f" · seed\N{NO-BREAK SPACE}{result['seed']} · rules version {result['rules']} · Parlour {result['version']}"
    )


def player_numbers(result: Result) -> str:
    """The numbers of players, in words."""
    counts = sorted({row["players"] for row in result["rows"]})
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return listed(map(str, counts))


def called(sheet: Sheet, text: str) -> str:
    """Text as HTML, with what people call readings, the name for machines beside it, and *stars* as emphasis."""
    labelled = with_labels(sheet, escape(text), lambda label, name: f"<em>{escape(label)}</em> <code>{name}</code>")
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", labelled)


def as_row(label: str, estimate: Estimate | None) -> plots.Labelled | None:
    """An estimate as plots take it."""
    return plots.Labelled(label, estimate["value"], (estimate["low"], estimate["high"])) if estimate else None


# --- the sections -----------------------------------------------------------------------------------------------------


def answer(result: Result, sheet: Sheet) -> Iterator[str]:
    """Which doubtful word matters most: in sentences, then as a ranked table."""
    yield '<ul class="lead">' + "".join(f"<li>{called(sheet, sentence)}</li>" for sentence in lessons(result)) + "</ul>"
    if result["ranking"]:
        yield from ranked(result, sheet, result["ranking"])


def left(result: Result, sheet: Sheet) -> Iterator[str]:
    """The choices that the sheet itself offers, ranked in the same way."""
    if result["left_to_the_table"]:
        yield "<p>These are no doubts about words: the sheet offers the choice, or a table decides it.</p>"
        yield from ranked(result, sheet, result["left_to_the_table"])


def ranked(result: Result, sheet: Sheet, ranking: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Readings by their effect, as a table with a plot in every line."""
    rows = [
        plots.Labelled(f"{reading(item)} ({item['clause']})", item["effect"], tuple(item["interval"]))
        for item in ranking
    ]
    reaches = [value for row in rows for value in (row.value, *(row.interval or ()))]
    below, above = min(0.0, *reaches), max(0.0, *reaches)
    ticks = plots.round_ticks(below if -below > above / 50 else 0.0, above, 5)  # hardly below zero is not drawn
    yield '<table class="ranking">'
    yield "<caption>Readings by their effect on the game, each in the metric that it certainly changes most. Effect:"
    yield f"{escape(result['method']['yardstick'])}. Lines are 95 % intervals that hold all at once; a dot is filled"
    yield "where its interval is clear of zero. A reading's number is its place, or the places that it may have:"
    yield "only intervals that lie apart, those on other metrics included, settle an order.</caption>"
    yield '<thead><tr><th scope="col">Reading</th><th scope="col">Most in</th>'
    yield f'<th scope="col" class="strip">Effect {plots.strip_axis(ticks, "The axis of effects")}</th>'
    yield '<th scope="col" class="number">Effect (95 %)</th></tr></thead><tbody>'
    for item, row, (first, latest) in zip(ranking, rows, places(ranking), strict=True):
        place = f"{first}." if first == latest else f"{first}–{latest}."
        low, high = item["interval"]
        most_in, effect = "–", "–"
        if item["effect"]:  # otherwise nothing changes, in no metric
            most_in = metric_of(result, item["metric"])["title"]
            effect = cell({"value": item["effect"], "low": low, "high": high})
        yield (
            f'<tr><th scope="row"><b>{place} {called(sheet, f"*{reading(item)}*")}</b>'
            f" <span>{cited(sheet, item)}</span></th>"
            f"<td>{escape(most_in)}</td>"
            f'<td class="strip">{plots.strip(row, ticks)}</td><td class="number">{effect}</td></tr>'
        )
    yield "</tbody></table>"


def cited(sheet: Sheet, item: Mapping[str, Any]) -> str:
    """The clauses behind a reading, linked to their places on the page."""
    clauses = [sheet.clause(id) for id in item["clause"].split(", ")]
    if len(clauses) == 1:
        return f'<a href="#{clauses[0].id.lower()}">{clauses[0].id}</a> {escape(clauses[0].title)}'
    return f'<a href="#together">{escape(item["clause"])}</a>'


def unwanted(result: Result, sheet: Sheet) -> Iterator[str]:
    """The readings with drawbacks in play: what each makes worse, and the limits."""
    if result["unwanted"]:
        yield "<ul>"
        yield from (f"<li>{called(sheet, item['why'])}</li>" for item in result["unwanted"])
        yield "</ul>"
    bounds = [
        f"{lowered(metric_of(result, name)['title'])} {'lower' if limit < 0 else 'higher'} by {abs(limit):g}"
        for name, (limit, _) in UNWANTED.items()
    ]
    yield f"<p>{'By' if result['unwanted'] else 'None by'} these limits: {escape(listed(bounds, 'or'))} than with the"
    yield "usual reading, by the whole 95 % interval of the difference. The text of the sheet decides between readings;"
    yield "figures only inform.</p>"


def as_usual(result: Result, sheet: Sheet) -> Iterator[str]:
    """Every metric of the game as it is usually read."""
    yield '<table class="figures"><caption>Every metric with its 95 % interval, with the usual readings.</caption>'
    yield '<thead><tr><th scope="col">Metric</th><th scope="col" class="number">Value</th></tr></thead><tbody>'
    for metric in result["metrics"]:
        value = cell(usual_row(result)["values"].get(metric["name"]))
        yield f'<tr><th scope="row">{measured(metric)}</th><td class="number">{value}</td></tr>'
    yield "</tbody></table>"
    if None in usual_row(result)["values"].values():
        yield f"<p>– {NO_VALUE}</p>"


def measured(metric: Mapping[str, Any]) -> str:
    """A metric's title, with its unit unless the title ends with it."""
    said = not metric["unit"] or metric["title"].endswith(metric["unit"])
    return escape(metric["title"]) + ("" if said else f" <small>({escape(metric['unit'])})</small>")


def words(result: Result, sheet: Sheet) -> Iterator[str]:
    """The doubtful words one by one: the clause, its readings, and their effects."""
    yield (
        "<p>Each clause in our own words, how clear the sheet is there, and its readings. In the small plots a diamond"
        " is the usual reading and dots are the others; lines are 95 % intervals. On the right is the difference from"
        " the usual reading on the same deals: the dot is filled where the interval is clear of zero.</p>"
    )
    names = list(dict.fromkeys(item["option"] for item in [*result["ranking"], *result["left_to_the_table"]]))
    clauses = dict.fromkeys(option.clause for name in names if (option := option_of(result, name)))
    for id in clauses:
        clause = sheet.clause(id)
        note = edition_of(sheet).of(clause)
        yield f'<article id="{id.lower()}">'
        yield f'<h3><span class="id">{id}</span> {escape(clause.title)} <span class="state">{note.state}</span></h3>'
        yield f"<blockquote><p>{escape(clause.rule)}</p></blockquote>"
        for text in filter(None, (note.reading, note.supplied)):
            yield f"<p>{called(sheet, text)}</p>"
        yield f'<p class="source">{escape(STATES[note.state].capitalize())}. From: {escape(note.where)}.</p>'
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
    notes = edition_of(sheet).clauses
    alone = [clause for clause in sheet.clauses if notes[clause.id].state != "clear" and clause.id not in clauses]
    if alone:
        yield "<h3>Doubtful, but not compared here</h3><ul>"
        for clause in alone:
            note = notes[clause.id]
            said = called(sheet, " ".join(filter(None, (note.reading, note.supplied))))
            yield f"<li><b>{clause.id}</b> {escape(clause.title)} ({note.state}): {said}</li>"
        yield "</ul>"


def option_block(result: Result, option: Option) -> Iterator[str]:
    """The readings of one option in words, then their effects."""
    sheet = game_of(result["game"]).sheet
    names = {
        str(value.name): f"{escape(value.label)} <code>{value.name}</code>" for value in option.values if value.label
    }
    yield f'<h4>{escape(option.called)} <code>{option.name}</code>: {escape(option.changes)}</h4><ul class="readings">'
    rows = [row for row in result["rows"] if row["option"] == option.name]
    usual = compared_value(rows[0], result)
    yield f'<li><b>{names.get(usual, escape(usual))}</b> <span class="state">usual</span>'
    yield f"{escape(meaning(option, usual))}</li>"
    for row in rows:
        value = row["value"]
        more = f", played with {other_changes(row, result)}" if other_changes(row, result) else ""
        yield f"<li><b>{names.get(value, escape(value))}</b>{called(sheet, meaning(option, value) + more)}</li>"
    yield "</ul>"
    yield from plots_and_table(result, option.name)


def plots_and_table(result: Result, option: str) -> Iterator[str]:
    """Every metric by reading: small plots, then all figures with intervals and differences."""
    others = [row for row in result["rows"] if row["option"] == option]
    rows = [compared_row(others[0], result), *others]
    labels = [compared_value(others[0], result), *[row["value"] for row in others]]
    known = [metric for metric in result["metrics"] if any(row["values"].get(metric["name"]) for row in rows)]
    yield '<div class="plots">'
    for metric in known:
        values = [as_row(metric["title"], row["values"].get(metric["name"])) for row in rows]
        differences = [None, *[as_row(metric["title"], row["differences"].get(metric["name"])) for row in others]]
        yield f"<figure><figcaption>{measured(metric)}</figcaption>"
        yield plots.against_usual(values, differences, labels, title=f"{metric['title']} by {option}") + "</figure>"
    yield "</div>"
    yield '<table class="figures">'
    yield f"<caption>All figures of <code>{escape(option)}</code>, with 95 % intervals.</caption>"
    yield '<thead><tr><th scope="col">Reading</th><th scope="col" class="number">Value</th>'
    yield '<th scope="col" class="number">Difference from the usual</th></tr></thead>'
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


def portrait(result: Result, sheet: Sheet) -> Iterator[str]:
    """Every metric by number of players."""
    rows = sorted(result["rows"], key=lambda row: row["players"])
    counts = [row["players"] for row in rows]
    yield '<div class="plots">'
    for metric in result["metrics"]:
        found = [as_row(f"{row['players']} players", row["values"].get(metric["name"])) for row in rows]
        title = f"{metric['title']} by number of players"
        yield f"<figure><figcaption>{measured(metric)}<span>{escape(metric['says'])}</span></figcaption>"
        shown = plots.by_number(counts, found, title=title, axis="players") if any(found) else f"<p>{NO_VALUE}</p>"
        yield f"{shown}</figure>"
    yield "</div>"


def by_players(result: Result, sheet: Sheet) -> Iterator[str]:
    """All figures of a portrait, one line for each number of players."""
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


def metrics(result: Result, sheet: Sheet) -> Iterator[str]:
    """What each metric measures, and its name in other projects."""
    yield "<dl>"
    for metric in result["metrics"]:
        low, high = metric["range"]
        notes = [f"from {plots.number(low)} " + ("up" if high is None else f"to {plots.number(high)}")]
        notes += [BETTER[metric["better"]]] * bool(BETTER[metric["better"]])
        notes += [f"known as {metric['known_as']}"] * bool(metric["known_as"])
        notes += ["left out of the ranking"] * (not metric.get("ranked", True))  # older results rank all
        yield f"<dt>{measured(metric)}</dt><dd>{escape(metric['says'])} <small>{escape('; '.join(notes))}.</small></dd>"
    yield "</dl>"


def method(result: Result, sheet: Sheet) -> Iterator[str]:
    """How the figures were found, in enough detail to find them again."""
    compared = result["kind"] == "readings"
    each = "by each reading" if compared else "with each number of players"
    same = ", whatever the reading, so that differences are between readings and not between deals" * compared
    both = ", and the interval of a difference from leaving out the same block of both" * compared
    yield (
        f"<p>Bots play whole sittings {each}. The deals of sitting <i>n</i> depend on the seed and on <i>n</i> alone"
        f"{same}. The sittings are played in {result['blocks']:,} blocks of equal size. A metric is computed from all"
        f" blocks; its 95 % interval comes from leaving out one block at a time (the jackknife){both}. The same seed"
        " and version give the same figures, digit for digit, however many processes or machines share the work.</p>"
    )
    if compared:
        differences = [found for row in result["rows"] for found in row["differences"].values() if found]
        varied = sum(found["low"] < found["high"] for found in differences)
        yield (
            f"<p>{varied:,} differences vary from block to block. Even if no reading changed anything, about"
            f" {round(varied / 20):,} of their intervals would be clear of zero by chance, so a single interval that is"
            " barely clear says little.</p>"
        )
    yield "<dl>"
    for name, sentence in experiments(result):
        yield f"<dt>{escape(name)}</dt><dd>{escape(sentence)}</dd>"
    yield f"<dt>Seed</dt><dd>{escape(str(result['seed']))}</dd>"
    versions = f"Parlour {result['version']}, rules version {result['rules']} of {sheet.title}, {result['format']}"
    yield f"<dt>Versions</dt><dd>{escape(versions)}</dd>"
    yield f"<dt>The command that repeats it</dt><dd><code>{unbroken(result['command'])}</code></dd></dl>"


def unbroken(text: str) -> str:
    """Text as HTML, without a line break inside an option of a command."""
    return re.sub(r"--[\w-]+", r"<span>\g<0></span>", escape(text))


def experiments(result: Result) -> Iterator[tuple[str, str]]:
    """What each experiment played, and with which bots, in a sentence."""
    bots, how = result["bots"], result["method"]
    skill, luck, choices = how["skill"], how["luck"], how["choices"]
    seated = bots["table"].split(",")
    yield "The table", f"{result['sittings']:,} sittings, " + (
        f"in which {seated[0]} has every seat." if len(seated) == 1 else f"in which {listed(seated)} take turns."
    )
    yield "Skill", (
        f"{bots['stronger'].capitalize()} against {bots['weaker']} on {skill['deals']:,} deals, each played"
        f" {times(skill['plays'])}, with the sides exchanged."
    )
    yield "Luck", (
        f"{luck['deals']:,} deals, each played {times(luck['plays'])} by {luck['bots']}, which takes a random step at"
        f" one choice in {1 / luck['slips']:.0f}, at different choices each time."
    )
    yield "Weight of a choice", (
        f"One choice of each of {choices['sittings']:,} sittings by {choices['bots']}. Every legal step is played out"
        f" in worlds that agree with what the seat knows, in {choices['halves']} halves of {choices['worlds']} each;"
        " the step that is best in one half is judged by the other."
    )
    if result["kind"] == "readings":
        yield "Intervals", f"{how['interval']}."
        yield "Effects", f"They are {how['yardstick']}, ranked {how['ranking']}."


def times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def colophon(result: Result, sheet: Sheet, data: Sequence[str]) -> Iterator[str]:
    """How to cite the report, where its data are, and where the game comes from."""
    yield "<footer>"
    yield f"<p><b>Cite as</b> {unbroken(citation(result))}</p>"
    yield f"<p><b>The sheet</b> {escape(sheet_line(sheet))} {escape(edition_of(sheet).document.maker)}</p>"
    if data:
        links = [f'<a href="{escape(quote(name))}">{escape(name)}</a>' for name in data]
        yield f"<p><b>The data</b> of this page: {listed(links)}.</p>"
    yield "</footer>"


def citation(result: Result) -> str:
    """The line that cites a report."""
    software = software_line(game_of(result["game"]).sheet, result["version"], result["rules"])
    return f"“{title_of(result)}”. Made by “{result['command']}”. {software}"


Section = tuple[str, str, Callable[[Result, Sheet], Iterator[str]]]

READINGS: list[Section] = [
    ("answer", "Which doubtful word matters most", answer),
    ("left", "What the sheet leaves to the table", left),
    ("unwanted", "Readings with drawbacks in play", unwanted),
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
