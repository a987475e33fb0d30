"""The edition of a sheet: what is printed of each clause, how we take it, what we add and why; bibliography."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from .model import Clause, Sheet

TEXT_LICENCE = "CC-BY-4.0"  # of the edition's words; the code is under MIT

STATES = {
    "clear": "the words are whole and can be taken in one way",
    "damaged": "the words are garbled or lost; the reading says what they must have been",
    "open": "the words are whole and can be taken in more than one way",
    "supplied": "something that play needs is missing there; we supply it",
}
KINDS = {
    "text": "the words themselves, here or elsewhere in the same document",
    "parallel": "another edition, or a related game",
    "arithmetic": "what can be counted",
    "practice": "how people played at the time",
    "lab": "what simulated games show",
}
CERTAINTIES = {
    "sure": "no other way to take it is worth considering",
    "likely": "the better of several ways",
    "even": "as good as another",
    "guess": "something had to be chosen",
}
DOCUMENTS = {
    "sheet": "Rule sheet of a card game",
    "leaflet": "Leaflet of rules from the box of a card game",
    "chapter": "Chapter of a book of games",
}
WORDS_OF = {"sheet": "The sheet", "leaflet": "The sheet", "chapter": "The book"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One argument: its kind (one of `KINDS`), what it says, and where it comes from if that is not the sheet."""

    kind: str
    says: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Apparatus:
    """What the edition says about a clause.

    `lemma` is the few words of the sheet on which the clause turns, `also` are further ones that it covers; all are
    quoted as the scan has them. `reading` is how they are taken, `supplied` what is added to them. `usual` says why,
    of several readings, the usual one is played where no other is chosen.
    """

    id: str
    state: str
    where: str
    lemma: str = ""
    also: tuple[str, ...] = ()
    reading: str = ""
    supplied: str = ""
    evidence: tuple[Evidence, ...] = ()
    certainty: str = "sure"
    usual: str = ""

    @property
    def lemmas(self) -> tuple[str, ...]:
        """All words that are quoted."""
        return (self.lemma, *self.also) if self.lemma else self.also

    @property
    def standing(self) -> str:
        """The state in words, and whether something is added: "clear, with an addition"."""
        return f"{self.state}, with an addition" if self.supplied and self.state != "supplied" else self.state


@dataclass(frozen=True, slots=True)
class Remark:
    """Words of the sheet that are no rule, and what they are."""

    lemma: str
    about: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that the sheet does not say of itself: which part of its description, and who says so."""

    part: str
    says: str
    source: str


@dataclass(frozen=True, slots=True)
class Document:
    """What the source is, its title and imprint as far as they are printed; `additions` go in square brackets."""

    title: str
    kind: str = "sheet"
    maker: str = ""
    author: str = ""
    publisher: str = ""
    place: str = ""
    date: str = ""
    described: str = ""
    additions: tuple[Addition, ...] = ()
    history: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """What it is called where it is quoted."""
        return WORDS_OF[self.kind]

    def addition(self, part: str) -> Addition | None:
        """What is supplied for a part of the imprint."""
        return next((item for item in self.additions if item.part == part), None)


@dataclass(frozen=True, slots=True)
class Work:
    """A book, an article, a page or an object that the edition cites, and what it is cited for."""

    cite: str
    about: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Relative:
    """A related game."""

    name: str
    about: str


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the sheet or of its time, explained."""

    word: str
    means: str


@dataclass(frozen=True, slots=True)
class Teaching:
    """Notes for those who teach with the game."""

    age: str = ""
    time: str = ""
    learned: str = ""
    ideas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edition:
    """Everything that the edition says about one sheet."""

    clauses: dict[str, Apparatus]
    document: Document
    remarks: tuple[Remark, ...] = ()
    works: tuple[Work, ...] = ()
    relatives: tuple[Relative, ...] = ()
    glossary: tuple[Term, ...] = ()
    teaching: Teaching = field(default_factory=Teaching)

    def of(self, clause: Clause) -> Apparatus:
        """The apparatus of a clause."""
        return self.clauses[clause.id]


def edition_of(sheet: Sheet) -> Edition:
    """The edition of a sheet, read when first asked for; a game without `edition.toml` has what its sheet says."""
    return _read(sheet, sheet.folder)


@lru_cache(maxsize=64)
def _read(sheet: Sheet, folder: Path | None) -> Edition:
    file = folder / "edition.toml" if folder else None
    data: dict[str, Any] = tomllib.loads(file.read_text("utf-8")) if file and file.is_file() else {}
    said = data.get("clause", {})
    clauses = {clause.id: _apparatus(clause, said.get(clause.id, {})) for clause in sheet.clauses}
    document = {"title": sheet.title} | data.get("document", {"maker": sheet.maker} | _printed(sheet))
    additions = tuple(Addition(**item) for item in document.pop("addition", ()))
    teaching = data.get("teaching", {})
    return Edition(
        clauses=clauses,
        document=Document(additions=additions, history=tuple(document.pop("history", ())), **document),
        remarks=tuple(Remark(also=tuple(item.pop("also", ())), **item) for item in data.get("remark", ())),
        works=tuple(Work(**item) for item in data.get("work", ())),
        relatives=tuple(Relative(**item) for item in data.get("related", ())),
        glossary=tuple(Term(**item) for item in data.get("term", ())),
        teaching=Teaching(ideas=tuple(teaching.pop("ideas", ())), **teaching),
    )


def _printed(sheet: Sheet) -> dict[str, str]:
    printed = sheet.printed
    return {"author": printed.author, "publisher": printed.publisher, "place": printed.place, "date": printed.date}


def _apparatus(clause: Clause, said: dict[str, Any]) -> Apparatus:
    plain = {"state": clause.state, "where": clause.source, "reading": clause.reading}
    known: dict[str, Any] = dict(said or plain)
    evidence = tuple(Evidence(**item) for item in known.pop("evidence", ()))
    return Apparatus(id=clause.id, evidence=evidence, also=tuple(known.pop("also", ())), **known)
