"""A collation to read: in the terminal, and as one page of HTML with the transcription beside the clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import pairwise

from .collation import Collation, Sentence
from .edition import CERTAINTIES, edition_of
from .model import Sheet
from .rulebook import in_words

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 Georgia, serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; padding: 1rem 0; border-top: 1px solid #8886; }
.pair > * { min-width: 0; overflow-wrap: anywhere; }
blockquote { margin: 0; } h3 { font-size: 1rem; margin: 0 0 .3rem; } p { margin: 0 0 .5rem; }
mark { background: #f6dd8f; color: #222; } small, dt { color: #777; }
.none { border-left: 4px solid #b3261e; padding-left: .8rem; }
@media (max-width: 45rem) { .pair { grid-template-columns: 1fr; gap: .6rem; } }
@media print { .pair { break-inside: avoid; } }
"""


def collation_lines(sheet: Sheet, found: Collation) -> Iterator[str]:
    """A collation as lines of text, not yet wrapped."""
    titles = {clause.id: clause.title for clause in sheet.clauses}
    for sentence in found.sentences:
        yield f"“{sentence.text}”"
        for owner in sentence.clauses:
            yield f"  {owner}  {titles[owner]}"
        for item in sentence.found:
            if item.nearly:
                yield f"  {item.owner} quotes “{item.lemma}”; here it is “{item.nearly}”."
        for about in dict.fromkeys(sentence.remarks):
            yield f"  Not a rule: {about}"
        if not sentence.covered:
            yield "  No clause covers this."
        yield ""
    yield from summary_lines(found)


def summary_lines(found: Collation) -> Iterator[str]:
    """What a collation found, in a few lines."""
    count = len(found.sentences)
    yield f"{count} {'sentence' if count == 1 else 'sentences'}; {len(found.uncovered)} that no clause covers."
    for sentence in found.uncovered:
        yield f"  “{sentence.text}”"
    number = len(found.missing)
    yield f"{number} {'clause' if number == 1 else 'clauses'} whose words were not found."
    for id, lemma in found.missing:
        yield f"  {id} quotes “{lemma}”."
    if found.silent:
        yield f"Without words of the sheet: {', '.join(found.silent)}."


def marked(found: Collation, sentence: Sentence) -> str:
    """A sentence as HTML with the words marked that clauses quote."""
    places = [(max(item.start, sentence.start), min(item.end, sentence.end), item.owner) for item in sentence.found]
    cuts = sorted({sentence.start, sentence.end, *(cut for start, end, _ in places for cut in (start, end))})
    parts = []
    for start, end in pairwise(cuts):
        owners = [owner for first, last, owner in places if first <= start and end <= last]
        text = escape(found.text[start:end])
        parts.append(f'<mark title="{escape(", ".join(owners))}">{text}</mark>' if owners else text)
    return re.sub(r"\s+", " ", re.sub(r"(?<=\w)-\s*\n\s*(?=[a-z])", "", "".join(parts))).strip()


def html(sheet: Sheet, found: Collation) -> str:
    """The transcription beside our clauses, as a page that needs nothing else."""
    edition = edition_of(sheet)
    shown: set[str] = set()

    def clause(id: str) -> Iterator[str]:
        note, own = edition.clauses[id], sheet.clause(id)
        name = f"<h3>{id} · {escape(own.title)} <small>{escape(note.standing)}</small></h3>"
        if id in shown:
            yield f'<p><a href="#{id}">{id}</a> {escape(own.title)}, above</p>'
            return
        shown.add(id)
        yield f'<section id="{id}">{name}<p><small>In our words</small> {escape(own.rule)}</p>'
        for label, text in (("Reading", note.reading), ("Supplied", note.supplied)):
            if text:
                yield f"<p><small>{label}</small> {escape(in_words(sheet, text))}</p>"
        if note.evidence:
            rows = "".join(
                f"<li><small>{item.kind}</small> {escape(in_words(sheet, item.says))}"
                + (f" <small>[{escape(item.source)}]</small>" if item.source else "")
                + "</li>"
                for item in note.evidence
            )
            yield f"<details><summary>Evidence</summary><ul>{rows}</ul></details>"
        if note.reading or note.supplied:
            yield f"<p><small>Certainty: {note.certainty}, {CERTAINTIES[note.certainty]}</small></p>"
        yield "</section>"

    lines = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(sheet.title)}: transcription and edition</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{STYLE}</style></head><body>",
        f"<h1>{escape(sheet.title)}</h1>",
        "<p>On the left your transcription, with the words marked that a clause quotes; on the right the clauses of "
        "Parlour, in our words.</p>",
        *(f"<p>{escape(line.strip())}</p>" for line in summary_lines(found)),
        "<main>",
    ]
    for sentence in found.sentences:
        covered = "" if sentence.covered else " none"
        lines.append(f'<div class="pair{covered}"><blockquote>{marked(found, sentence)}</blockquote><div>')
        for id in sentence.clauses:
            lines += clause(id)
        for item in sentence.found:
            if item.nearly:
                words = f"{item.owner} quotes “{item.lemma}”; here it is “{item.nearly}”."
                lines.append(f"<p><small>{escape(words)}</small></p>")
        lines += [f"<p><small>Not a rule</small> {escape(about)}</p>" for about in dict.fromkeys(sentence.remarks)]
        if not sentence.covered:
            lines.append("<p><strong>No clause covers this.</strong></p>")
        lines.append("</div></div>")
    rest = [*(id for id, _ in found.missing), *found.silent]
    if rest:
        lines.append("<h2>Clauses without words in this transcription</h2>")
        for id in rest:
            lines += clause(id)
    lines += ["</main>", "<p><small>The edition's texts: CC BY 4.0, the Parlour authors.</small></p>", "</body></html>"]
    return "\n".join(lines) + "\n"
