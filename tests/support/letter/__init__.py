"""A second reading of the five sheets, made from their letter and from the record's description, not from the engine.

`replay` reads a record from the first entry to the last and works out for itself whose turn it is, what may be done
and what follows. It knows nothing of steps, views or bots, is slow, and imports nothing of the package.
"""

from __future__ import annotations

from typing import Any

from . import heraldry, lost_heir, masquerade, sovereign, tontine
from .log import Differs

__all__ = ["Differs", "replay"]

READERS = {
    "masquerade": masquerade.read,
    "lost-heir": lost_heir.read,
    "sovereign": sovereign.read,
    "heraldry": heraldry.read,
    "tontine": tontine.read,
}


def replay(record: dict[str, Any]) -> None:
    """Read a record; raises Differs where it is not what the sheet says."""
    scores, winners = READERS[record["game"]](record)
    if record["result"] != {"scores": scores, "winners": winners}:
        raise Differs(f"the result is {record['result']}, wanted {scores}, won by {winners}")
