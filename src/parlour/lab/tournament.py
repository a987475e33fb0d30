"""Tournaments: every two bots play each deal twice, the seats exchanged, so that luck favours neither."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from itertools import combinations
from math import isfinite
from statistics import fmean
from time import perf_counter
from typing import Any

from .._version import __version__
from ..engine.core import Journal, Seeded, State
from ..games import game as game_of
from ..players.names import Player, called, check_name
from ..players.seats import Seating
from ..util import checkpoint
from ..util.pool import in_order
from . import plots
from .intervals import mean_of, share_of
from .simulate import play_sitting, seed_number

__all__ = ["Meeting", "Tournament", "play_tournament", "report"]

CHUNK = 4  # deals that a process plays before it hands them over: few, because an interrupt loses them

Pair = tuple[str, str]
Save = Callable[[Sequence["Meeting"]], None]


@dataclass(frozen=True)
class Tournament:
    """Which bots play which game, and with which seed.

    >>> found = Tournament.of("heraldry", ["thumb", "random"], players=2, seed=1).play(deals=10)
    >>> found["pairs"][0]["difference"]["mean"] > 0  # thumb is ahead
    True
    """

    game: str
    players: int
    options: dict[str, Any]
    bots: tuple[Player, ...]
    seed: str

    @classmethod
    def of(
        cls,
        game: str,
        bots: Sequence[Player],
        *,
        players: int | None = None,
        seed: str | int = 1,
        **options: Any,
    ) -> Tournament:
        """A tournament between bots, by name or as objects: `Tournament.of("heraldry", ["thumb", MyBot()])`."""
        known = game_of(game)
        count = known.sheet.usual if players is None else players
        return cls(known.name, count, known.options_for(count, options), check_entrants(bots), str(seed))

    @property
    def names(self) -> tuple[str, ...]:
        """What its bots are called."""
        return tuple(called(bot) for bot in self.bots)

    def pairs(self) -> list[Pair]:
        """Every pair of bots, by name."""
        return list(combinations(self.names, 2))

    def play(self, deals: int = 100, jobs: int = 1) -> dict[str, Any]:
        """Play it; the result is that of `parlour tournament --json`."""
        return report(self, play_tournament(self, deals, jobs))

    def head(self) -> dict[str, Any]:
        """The head of its checkpoint file: meetings belong together where this is equal."""
        versions = {"tournament": __version__, "rules": game_of(self.game).rules}
        told = {"game": self.game, "players": self.players, "options": self.options}
        return versions | told | {"bots": list(self.names), "seed": self.seed}


@dataclass(frozen=True)
class Meeting:
    """One deal between two bots, played twice; lists hold the figures of the first bot, then of the second."""

    pair: Pair
    deal: int
    scores: list[float]  # means: over both plays, each bot has held every seat once
    shares: list[float]  # of the wins
    decisions: list[int]
    seconds: list[float]  # spent on decisions
    forfeits: list[str] = field(default_factory=list)  # what went wrong with external bots


def bots_named(text: str) -> tuple[str, ...]:
    """The bots of a tournament from a comma-separated list; ValueError, with a sentence, where they cannot make one."""
    return check_entrants([name.strip() for name in text.split(",")])


def check_entrants(bots: Sequence[Player]) -> tuple[Player, ...]:
    """The bots of a tournament; ValueError, with a sentence, where they cannot make one."""
    for bot in bots:
        if isinstance(bot, str):
            check_name(bot, measuring=True)
    names = [called(bot) for bot in bots]
    if len(names) < 2:
        raise ValueError(f"A tournament needs two bots or more, not {', '.join(names) or 'none'} alone.")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name} is named twice; name each bot once.")
    return tuple(bots)


# --- playing ----------------------------------------------------------------------------------------------------------


class PairSeating(Seating):
    """Two bots at one table, on alternate sides, with a clock for each."""

    def __init__(self, tournament: Tournament, pair: Pair, sides: int, first: int) -> None:
        # by side, not by seat: partners must be the same bot
        self.holders = [(seat % sides + first) % 2 for seat in range(tournament.players)]
        entrants = dict(zip(tournament.names, tournament.bots, strict=True))
        names = [entrants[pair[holder]] for holder in self.holders]
        super().__init__(game_of(tournament.game), tournament.players, tournament.options, names)

    def begin(self, seed: int, number: int) -> None:
        super().begin(seed, number)
        self.decisions = [0, 0]
        self.seconds = [0.0, 0.0]

    def choose(self, state: State) -> int:
        holder = self.holders[state.seat]
        self.decisions[holder] += not state.unfinished  # a decision may take several steps
        start = perf_counter()
        step = super().choose(state)
        self.seconds[holder] += perf_counter() - start
        return step


def play_meetings(task: tuple[Tournament, Pair, Sequence[int]]) -> list[Meeting]:
    """Play some deals between two bots."""
    tournament, pair, deals = task
    state = game_of(tournament.game).state_type(tournament.players, tournament.options)
    seatings = [PairSeating(tournament, pair, state.sides, first) for first in (0, 1)]
    try:
        return [meet(state, seatings, pair, seed_number(tournament.seed), deal) for deal in deals]
    finally:
        for seating in seatings:
            seating.close()


def meet(state: State, seatings: Sequence[PairSeating], pair: Pair, seed: int, deal: int) -> Meeting:
    """Play one deal in both seatings: the same luck, with the bots exchanged."""
    journal = state.journal = Journal()
    meeting = Meeting(pair, deal, [0, 0], [0, 0], [0, 0], [0, 0])
    for seating in seatings:
        seating.begin(seed, deal)
        play_sitting(state, Seeded(seed, 2 * deal), seating, journal.clear)
        scores, won_by = state.scores(), [seating.holders[seat] for seat in state.winners()]
        for holder in (0, 1):
            points = sum(score for side, score in enumerate(scores) if seating.holders[side] == holder)
            meeting.scores[holder] += points / len(scores)
            meeting.shares[holder] += won_by.count(holder) / len(won_by) / len(seatings)
            meeting.decisions[holder] += seating.decisions[holder]
            meeting.seconds[holder] += seating.seconds[holder]
        meeting.forfeits.extend(seating.reports()[:3])
    return meeting


def play_tournament(
    tournament: Tournament,
    deals: int,
    jobs: int = 1,
    done: Sequence[Meeting] = (),
    save: Save | None = None,
) -> list[Meeting]:
    """All meetings in order; those in `done` are not played again, and `save` is called with the others."""
    met = {(meeting.pair, meeting.deal): meeting for meeting in done}

    def tasks() -> Iterator[tuple[Tournament, Pair, list[int]]]:
        for first in range(0, deals, CHUNK):
            for pair in tournament.pairs():
                missing = [deal for deal in range(first, min(first + CHUNK, deals)) if (pair, deal) not in met]
                if missing:
                    yield tournament, pair, missing

    for meetings in in_order(play_meetings, tasks(), jobs):
        met |= {(meeting.pair, meeting.deal): meeting for meeting in meetings}
        if save is not None:
            save(meetings)
    return [met[pair, deal] for pair in tournament.pairs() for deal in range(deals)]


# --- the checkpoint file ----------------------------------------------------------------------------------------------


def open_checkpoint(path: str | None, tournament: Tournament) -> AbstractContextManager[tuple[list[Meeting], Save]]:
    """The meetings stored in a file, and how to append more; ValueError where it is another tournament's."""

    def read(data: Any) -> Meeting | None:
        meeting = read_meeting(data)
        return meeting if meeting is not None and meeting.pair in tournament.pairs() else None

    return checkpoint.open_checkpoint(path, "tournament", tournament.head(), read, asdict)


def read_meeting(data: Any) -> Meeting | None:
    """A meeting from the data in a line of the file, or None where it is something else."""
    try:
        meeting = Meeting(**data | {"pair": tuple(data["pair"])})
        values = [*meeting.scores, *meeting.shares, *meeting.decisions, *meeting.seconds, meeting.deal]
    except (ValueError, KeyError, TypeError):
        return None
    pairs = (meeting.scores, meeting.shares, meeting.decisions, meeting.seconds)
    whole = all(len(both) == 2 for both in pairs) and all(type(said) is str for said in meeting.forfeits)
    return meeting if whole and all(type(value) in (int, float) and isfinite(value) for value in values) else None


# --- the result -------------------------------------------------------------------------------------------------------


def standing(meetings: Sequence[Meeting], bot: str) -> dict[str, Any]:
    """How a bot did in these meetings. Different deals are independent; meetings on one deal are not."""
    ahead, shares = defaultdict(list), defaultdict(list)
    for meeting in meetings:
        at = meeting.pair.index(bot)
        ahead[meeting.deal].append(meeting.scores[at] - meeting.scores[1 - at])
        shares[meeting.deal].append(meeting.shares[at])
    difference = mean_of([fmean(values) for values in ahead.values()])
    share = share_of([fmean(values) for values in shares.values()])
    clear = difference.interval is not None and not difference.interval[0] <= 0 <= difference.interval[1]
    return {"difference": asdict(difference), "clear": clear, "share": asdict(share)}


def report(tournament: Tournament, meetings: Sequence[Meeting]) -> dict[str, Any]:
    """The whole result with 95 % intervals; the same seed gives the same, except for the milliseconds."""
    pairs = [
        {"bots": list(pair)} | standing([meeting for meeting in meetings if meeting.pair == pair], pair[0])
        for pair in tournament.pairs()
    ]
    standings, milliseconds = [], {}
    for bot in tournament.names:
        met = [meeting for meeting in meetings if bot in meeting.pair]
        decisions = sum(meeting.decisions[meeting.pair.index(bot)] for meeting in met)
        seconds = sum(meeting.seconds[meeting.pair.index(bot)] for meeting in met)
        standings.append({"bot": bot} | standing(met, bot) | {"decisions": decisions})
        milliseconds[bot] = 1000 * seconds / decisions if decisions else 0.0
    deals = len(meetings) // len(pairs)
    forfeits = [sentence for meeting in meetings for sentence in meeting.forfeits]
    return tournament.head() | {
        "deals": deals,
        "pairs": pairs,
        "field": standings,
        "forfeits": forfeits,
        "milliseconds": milliseconds,
    }


def in_words(found: dict[str, Any]) -> str:
    """A standing as columns of text: the difference, starred where it is clear of zero, and the share of the wins."""
    difference, share, star = found["difference"], found["share"], "*" if found["clear"] else " "
    ahead, won = f"{difference['mean']:+z9.2f}", f"{100 * share['mean']:6.2f} %"
    if difference["interval"] is None:
        return f"{ahead}             {won}"
    (low, high), (least, most) = difference["interval"], share["interval"]
    return f"{ahead} ± {(high - low) / 2:<7.2f} {star} {won}  {100 * least:5.2f} to {100 * most:6.2f} %"


def lines(found: dict[str, Any]) -> Iterator[str]:
    """A report as lines for the terminal."""
    deals = "1 deal, played twice" if found["deals"] == 1 else f"{found['deals']:,} deals, each played twice"
    yield f"{game_of(found['game']).title} · {found['players']} players · {deals} · seed {found['seed']}"
    pairs = [(" against ".join(row["bots"]), row) for row in found["pairs"]]
    field = [(f"{row['bot']} against the rest", row) for row in found["field"] if len(pairs) > 1]
    width = max(len(name) for name, _ in (*pairs, *field))
    yield f"{'Bots':<{width}}  {'ahead by':>9} (95 %)     {'wins':>6}      95 % interval"
    for name, row in (*pairs, *field):
        yield f"{name:<{width}}  {in_words(row)}"
    if any(row["clear"] for _, row in (*pairs, *field)):
        yield "* The whole interval lies on one side of zero."
    yield from found["forfeits"][:20]
    if len(found["forfeits"]) > 20:
        yield f"… and {len(found['forfeits']) - 20} more forfeits."
    yield f"{'Bot':<{width}}  {'decisions':>9}  milliseconds each"
    for row in found["field"]:
        yield f"{row['bot']:<{width}}  {row['decisions']:>9,}  {found['milliseconds'][row['bot']]:.4f}"


def picture(found: dict[str, Any]) -> str:
    """A report as an SVG plot: the difference of every pair with its interval."""
    rows = [
        plots.Labelled(" against ".join(row["bots"]), row["difference"]["mean"], row["difference"]["interval"])
        for row in found["pairs"]
    ]
    title = f"{game_of(found['game']).title}: who is ahead of whom, and by how much"
    note = f"{found['players']} players, {found['deals']:,} deals, each played twice; seed {found['seed']}"
    return plots.intervals(rows, title=title, note=note, axis="Mean score of the first above that of the second")
