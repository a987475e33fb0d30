"""A transcription laid beside the edition: which sentence is covered by which clause, and what is found nowhere."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise

from .edition import Edition

NEAR = 0.8  # how much alike a lemma and the words of a transcription must be, as SequenceMatcher measures it
ENDS = re.compile(
    r"""(?<!\bNo)(?<!\bW[mM])(?<!\b[A-Z])        # not after No., Wm. or an initial
        (?<!^\d)(?<!^\d\d)(?<!^-\s\d)(?<!^\s-\s\d)  # nor after the number of a rule
        [.?!]["'”’)\]]*(?:\s*-\s*(?=[A-Z])|\s+(?=[-"“'‘(\[]*\s*[A-Z0-9]))  # .- joins two sentences in old print
    """,
    re.VERBOSE | re.MULTILINE,
)
BLANK = re.compile(r"\s*\n\s*\n\s*")
ITEM = re.compile(r"\n(?=\s*(?:-\s*)?\d+[.,]\s)")  # a numbered rule begins a line


@dataclass(frozen=True, slots=True)
class Found:
    """A lemma in a transcription: whose it is, where it stands, and the words there if they differ in their letters."""

    owner: str
    lemma: str
    start: int
    end: int
    nearly: str = ""


@dataclass(slots=True)
class Sentence:
    """A sentence of a transcription, and the lemmas found in it."""

    text: str
    start: int
    end: int
    found: list[Found] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)  # why it is no rule

    @property
    def clauses(self) -> list[str]:
        """The clauses that cover it."""
        return list(dict.fromkeys(item.owner for item in self.found))

    @property
    def covered(self) -> bool:
        """Whether a clause covers it or it is known to be no rule."""
        return bool(self.found or self.remarks)


@dataclass(frozen=True, slots=True)
class Collation:
    """A transcription beside the edition."""

    text: str
    sentences: tuple[Sentence, ...]
    missing: tuple[tuple[str, str], ...]  # clauses of which no lemma was found, each with its lemma
    silent: tuple[str, ...]  # clauses for which the sheet has no words

    @property
    def complete(self) -> bool:
        """Whether every sentence is covered and every clause was found."""
        return not self.uncovered and not self.missing

    @property
    def uncovered(self) -> list[Sentence]:
        """The sentences that no clause covers and that are not known to be no rule."""
        return [sentence for sentence in self.sentences if not sentence.covered]


class Letters:
    """The letters and digits of a text, with their places; spaces, signs, case and long s make no difference."""

    def __init__(self, text: str) -> None:
        self.text = text
        letters, places = [], []
        for place, sign in enumerate(text):
            for plain in unicodedata.normalize("NFKC", sign).casefold():
                if plain.isalnum():
                    letters.append(plain)
                    places.append(place)
        self.letters, self.places = "".join(letters), places
        self.words = [(word.start(), word.end()) for word in re.finditer(r"[^\W_]+", text)]

    def find(self, lemma: str) -> tuple[int, int] | None:
        """Where a lemma stands as whole words, whatever stands between its letters."""
        wanted, at = Letters(lemma).letters, -1
        while wanted and (at := self.letters.find(wanted, at + 1)) >= 0:
            first, last = self.places[at], self.places[at + len(wanted) - 1]
            before, after = self.text[first - 1 : first], self.text[last + 1 : last + 2]
            if not before.isalnum() and not after.isalnum():
                return first, last + 1
        return None

    def nearest(self, lemma: str) -> tuple[int, int] | None:
        """Where the words are that resemble a lemma most, if any resemble it enough."""
        wanted = Letters(lemma).letters
        count = len(re.findall(r"[^\W_]+", lemma))
        if len(wanted) < 12:  # few letters resemble anything
            return None
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(wanted)
        best, where = NEAR, None
        for size in range(max(1, count - 2), count + 3):
            for at in range(len(self.words) - size + 1):
                start, end = self.words[at][0], self.words[at + size - 1][1]
                matcher.set_seq1(self.letters[self._index(start) : self._index(end)])
                if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
                    ratio = matcher.ratio()
                    if ratio > best:
                        best, where = ratio, (start, end)
        return where

    def _index(self, place: int) -> int:
        return bisect_right(self.places, place - 1)


def sentences_of(text: str) -> list[Sentence]:
    """The sentences of a text; a paragraph that breaks off in the middle of one goes on in the next."""
    cuts = {0, len(text)} | {end.end() for end in ENDS.finditer(text)} | {item.end() for item in ITEM.finditer(text)}
    for blank in BLANK.finditer(text):
        after = text[blank.end() :].lstrip("-\"“'‘([ ")
        if not after[:1].islower():
            cuts.add(blank.end())
    marks = sorted(cuts)
    found = []
    for start, end in pairwise(marks):
        words = re.sub(r"(?<=\w)-\s*\n\s*(?=[a-z])", "", text[start:end])
        if any(sign.isalnum() for sign in words) and not re.fullmatch(r"[\s-]*\d+[.,]?\s*", words):
            found.append(Sentence(" ".join(words.split()), start, end))
    return found


def collate(edition: Edition, text: str) -> Collation:
    """Lay a transcription beside an edition."""
    letters, sentences = Letters(text), sentences_of(text)
    missing, silent = [], []
    for note in edition.clauses.values():
        if not note.lemmas:
            silent.append(note.id)
            continue
        placed = 0
        for lemma in note.lemmas:
            if (where := letters.find(lemma)) is not None:
                nearly = ""
            elif (where := letters.nearest(lemma)) is not None:
                nearly = " ".join(text[slice(*where)].split())
            else:
                continue
            placed += 1
            for sentence in _within(sentences, where):
                sentence.found.append(Found(note.id, lemma, *where, nearly))
        if not placed:
            missing.append((note.id, note.lemmas[0]))
    for remark in edition.remarks:
        for lemma in (remark.lemma, *remark.also):
            where = letters.find(lemma) or letters.nearest(lemma)
            for sentence in _within(sentences, where) if where else ():
                sentence.remarks.append(remark.about)
    return Collation(text, tuple(sentences), tuple(missing), tuple(silent))


def _within(sentences: list[Sentence], where: tuple[int, int]) -> Iterator[Sentence]:
    """The sentences in which some words stand."""
    for sentence in sentences:
        if sentence.start < where[1] and where[0] < sentence.end:
            yield sentence
