"""The names of bots, as the command line and the lab take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import own
from .bots import BOTS, LEVELS, LISTED
from .external import External

__all__ = ["bots_for", "check_name"]

EXEC, BATCH, SEARCH, NET_SEARCH, POLICY = "exec:", "batch:", "search:", "netsearch:", "policy:"
NET, ORACLE = "net", "oracle"
MOST_TRIALS = 10**7
FORMS = "search:N (N trials), policy:FILE, module:Class, exec:COMMAND and batch:COMMAND"

# What plays at a seat: the name of a bot, or a bot of one's own as an object.
Player = Any


def check_name(name: str, measuring: bool = False) -> str:
    """Return the name of a bot; an unknown one, or the oracle outside a tournament, raises ValueError."""
    if name.startswith((EXEC, BATCH)):
        External.check(name.partition(":")[2])
    elif name.startswith((SEARCH, NET_SEARCH)):
        trials_of(name)
    elif name.startswith(POLICY):
        from .policy import Policy

        Policy.load(name.removeprefix(POLICY))
    elif name == ORACLE:
        if not measuring:
            raise ValueError("The oracle sees all hands, so it plays only in tournaments, which measure.")
    elif name in BOTS or name == NET:
        pass
    elif is_own(name):
        own.maker_of(name)
    else:
        known = ", ".join((*LISTED, NET, *own.REGISTRY))
        raise ValueError(f"There is no bot called {name!r:.40}; the bots are {known}, {FORMS}.")
    return name


def is_built_in(name: str) -> bool:
    """Whether a bot is one of this package, so that the same seed always gives the same choices."""
    return name in (*BOTS, NET, ORACLE) or name.startswith((SEARCH, NET_SEARCH))


def is_own(name: str) -> bool:
    """Whether a name is one for a bot of one's own: `module:Class`, `file.py:Class`, or a registered name."""
    if is_built_in(name) or name.startswith((EXEC, BATCH, POLICY)):
        return False
    place = name.partition("?")[0]
    if ":" not in place:
        own.load_entry_points()
    return ":" in place or place in own.REGISTRY


def trials_of(name: str) -> int:
    """The trials a choice of a level (`steady`) or of a search (`search:500`)."""
    if name in LEVELS:
        return LEVELS[name]
    text = name.removeprefix(NET_SEARCH).removeprefix(SEARCH)
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= MOST_TRIALS):
        raise ValueError(f"search:N needs a number of trials from 1 to {MOST_TRIALS:,}, not {text!r:.20}.")
    return int(text)


def bots_for(text: str, players: int) -> list[str]:
    """The bots of a comma-separated list, one for each seat; a shorter list is repeated around the table."""
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise ValueError(f"A name is missing in {text!r:.60}; bots are named like steady,expert.")
    for name in names:
        check_name(name)
    if len(names) > players:
        raise ValueError(f"{len(names)} bots are named for {players} players; name {players} at most.")
    return [names[seat % len(names)] for seat in range(players)]


def called(player: Player) -> str:
    """The name of what plays at a seat."""
    return player if isinstance(player, str) else own.name_of(player)


def around(bots: Sequence[Player], players: int) -> tuple[Player, ...]:
    """Bots, by name or as objects, one for each seat; a shorter list is repeated around the table."""
    if not 0 < len(bots) <= players:
        raise ValueError(f"Name 1 to {players} bots for {players} players, not {len(bots)}.")
    for bot in bots:
        if isinstance(bot, str):
            check_name(bot)
    return tuple(bots[seat % len(bots)] for seat in range(players))
