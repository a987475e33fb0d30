"""The settings of a table, chosen when it is opened: the game, its options, the pace, and the invitation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..engine.chance import SHUFFLE_VERSION, Sealed
from ..engine.core import State
from ..engine.errors import Refusal
from ..engine.game import Game
from ..engine.messages import say
from ..games import game as game_of
from .rows import LOG_FORMAT, Damaged

MOST = 200  # how large an option that makes a sitting long may be at a table, unless its sheet says so (`table_max`)


class Pace(NamedTuple):
    """How long things take at a table, in seconds."""

    person: float = 0.0  # before a bot plays for a silent person; 0 is never
    bot: float = 0.6  # before a bot's move is seen, whatever the bot holds
    spectator: float = 0.0  # before spectators are told


USUAL_PACE = Pace()


@dataclass(frozen=True)
class Settings:
    """The settings of one table, as the first row of its log has them."""

    game: Game
    rules: int  # the version of the game's rules
    players: int
    options: dict[str, Any]  # all of the sheet, as they are played here
    is_open: bool  # whether anyone may sit down without an invitation
    hints: bool
    deal: int | None  # a numbered deal: the same cards for everyone who plays that number
    opened: str  # the date
    pace: Pace
    invite: bytes  # the digest of the code that invites
    commitment: str  # to the secret of the table's chance
    programs: bool = True  # whether programs may sit down
    phrases: bool = True  # whether people may say set phrases
    copies: bytes = b""  # the digest of a key to open further tables with the same cards, of the first of them
    series: str = ""  # the name of the first table with the same cards, at the others
    again: dict[str, Any] | None = None  # the sitting that is played again, as `again_of` describes it

    @property
    def shared(self) -> bool:
        """Whether the same cards are, or may be, played at several tables."""
        return bool(self.copies or self.series)

    @property
    def one_person(self) -> bool:
        """Whether it is for one person and bots, as anyone may know the cards."""
        return self.deal is not None or self.again is not None

    @cached_property
    def sides(self) -> int:
        """How many sides play: as many as players where everyone plays alone."""
        return self._undealt().sides

    @cached_property
    def goal(self) -> int:
        """The points that end the sitting; 0 where there is no such number."""
        return self._undealt().goal

    @cached_property
    def recorded(self) -> dict[str, Any]:
        """The options as a record of this rules version has them."""
        return self.game.sheet.recorded(self.options, self.rules)

    @cached_property
    def longest(self) -> int:
        """The entries after which a sitting is ended, far more than these options need."""
        return self.game.most_entries(self.players, self.options)

    def _undealt(self) -> State:
        """A state of the game as it is played here, before anything is dealt."""
        return self.game.state_type(self.players, self.options, self.rules)

    @classmethod
    def read(cls, entry: dict[str, Any]) -> Settings:
        """The settings as a row has them."""
        if entry["log"] != LOG_FORMAT:
            raise Damaged(f"its log has format {entry['log']}; this version reads format {LOG_FORMAT}")
        game = game_of(entry["game"])
        if not 1 <= entry["rules"] <= game.rules or entry["shuffle"] != SHUFFLE_VERSION:
            raise Damaged("it is played by newer rules than this version knows")
        return cls(
            game,
            entry["rules"],
            entry["players"],
            game.sheet.check_options(entry["players"], entry["options"], entry["rules"]),
            entry["open"],
            entry["hints"],
            entry["deal"],
            entry["opened"],
            Pace(**entry["pace"]),
            bytes.fromhex(entry["invite"]),
            entry["commitment"],
            entry.get("programs", True),
            entry.get("phrases", True),
            bytes.fromhex(entry.get("copies", "")),
            entry.get("series", ""),
            entry.get("again"),
        )


def new_settings(
    name: str,
    secret: bytes,
    *,
    game: str,
    players: int,
    options: dict[str, Any],
    invite: bytes,
    opened: str,
    is_open: bool = False,
    hints: bool = True,
    deal: int | None = None,
    pace: Pace = USUAL_PACE,
    programs: bool = True,
    phrases: bool = True,
    copies: bytes = b"",
    series: str = "",
    again: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The settings of a new table, as its first row has them; a choice that is not allowed is refused."""
    if deal is not None and is_open:
        raise Refusal(say("numbered closed", "A numbered deal is for one person alone: the table cannot be open."))
    if deal is not None and (copies or series):
        raise Refusal(say("numbered series", "A numbered deal is for one person alone, and not for several tables."))
    known = game_of(game)
    known.sheet.check_players(players)
    chosen = known.options_for(players, options, known.rules)
    for option in known.sheet.options:
        most = option.table_max or MOST
        value = chosen[option.name]
        if option.size and isinstance(value, int) and value > most:
            how = "At a table {option:text} is {most} at most; longer games are for simulations."
            raise Refusal(say("table most", how, option=option.name, most=most))
    return {
        "log": LOG_FORMAT,
        "game": known.name,
        "rules": known.rules,
        "shuffle": SHUFFLE_VERSION,
        "players": players,
        "options": known.sheet.recorded(chosen, known.rules),
        "open": is_open,
        "hints": hints,
        "deal": deal,
        "pace": pace._asdict(),
        "invite": invite.hex(),
        "commitment": Sealed(secret, b"", name, known.rules).commitment,
        "opened": opened,
        **({} if programs else {"programs": False}),
        **({} if phrases else {"phrases": False}),
        **({"copies": copies.hex()} if copies else {}),
        **({"series": series} if series else {}),
        **({} if again is None else {"again": again}),
    }
