"""The names of bots, as the command line and the lab take them."""

from __future__ import annotations

from .bots import BOTS, LEVELS
from .external import External

EXEC, SEARCH, ORACLE = "exec:", "search:", "oracle"
MOST_TRIALS = 10**7


def check_name(name: str, measuring: bool = False) -> str:
    """Return the name of a bot; an unknown one, or the oracle outside a tournament, raises ValueError."""
    if name.startswith(EXEC):
        External.check(name.removeprefix(EXEC))
    elif name.startswith(SEARCH):
        trials_of(name)
    elif name == ORACLE:
        if not measuring:
            raise ValueError("The oracle sees all hands, so it plays only in tournaments, which measure.")
    elif name not in BOTS:
        known = ", ".join(BOTS)
        raise ValueError(f"There is no bot called {name!r:.40}; the bots are {known}, search:N and exec:COMMAND.")
    return name


def trials_of(name: str) -> int:
    """The trials a choice of a level (`steady`) or of a search (`search:500`)."""
    if name in LEVELS:
        return LEVELS[name]
    text = name.removeprefix(SEARCH)
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
