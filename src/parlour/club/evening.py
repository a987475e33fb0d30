"""The file of a club evening: names, game and rounds, as TOML or CSV; and the file of what was opened for it."""

from __future__ import annotations

import csv
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..games import REGISTRY
from ..server.statements import write_privately
from .pairing import Round, pairings

MOST_PLAYERS, MOST_ROUNDS = 200, 50
MEMBERS = {
    "name": str,
    "game": str,
    "seats": int,
    "rounds": int,
    "names": list,
    "options": dict,
    "bots": str,
    "seconds": int,
    "hints": bool,
    "phrases": bool,
}


class ClubError(Exception):
    """Something is wrong with a club evening; the message is one sentence."""


@dataclass(frozen=True)
class Evening:
    """What is played, by whom."""

    name: str
    game: str
    seats: int
    rounds: int
    names: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    bots: str = "steady"  # at seats that nobody has
    seconds: int = 0  # of a person's time, before a bot plays for them; 0 is never
    hints: bool = False
    phrases: bool = True

    def pairings(self) -> list[Round]:
        """Who sits where, in each round."""
        return pairings(len(self.names), self.seats, self.rounds, f"{self.name} {' '.join(self.names)}")

    def called(self, player: int) -> str:
        """What a player is called; bots have one name."""
        return self.names[player] if player >= 0 else f"bot ({self.bots})"


def read(path: Path, **given: Any) -> Evening:
    """The evening in a file; what is given on the command line counts more."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ClubError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ClubError(f"{path} is not text in UTF-8.") from None
    found = from_csv(text) if path.suffix == ".csv" else from_toml(text, path)
    return checked({"name": path.stem, **found, **{name: value for name, value in given.items() if value is not None}})


def from_toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ClubError(f"{path} is not TOML: {error}.") from None


def from_csv(text: str) -> dict[str, Any]:
    """Names in the column `name`, or in the first column."""
    rows = [row for row in csv.reader(text.splitlines()) if any(cell.strip() for cell in row)]
    if not rows:
        return {"names": []}
    head = [cell.strip().lower() for cell in rows[0]]
    column = head.index("name") if "name" in head else 0
    body = rows[1:] if "name" in head else rows
    return {"names": [row[column].strip() for row in body if len(row) > column and row[column].strip()]}


def checked(found: Mapping[str, Any]) -> Evening:
    """An evening, if it can be played."""
    for name, value in found.items():
        if name not in MEMBERS:
            raise ClubError(f"The file has no member {name!r:.40}; it may have {', '.join(MEMBERS)}.")
        if type(value) is not MEMBERS[name]:
            raise ClubError(f"{name} must be {words_for(MEMBERS[name])}, not {value!r:.40}.")
    for name in ("game", "rounds"):
        if name not in found:
            raise ClubError(f"The file does not say `{name}`; write it there, or give --{name}.")
    game = REGISTRY.get(found["game"])
    if game is None:
        raise ClubError(f"There is no game {found['game']!r:.40}; the games are {', '.join(REGISTRY)}.")
    seats = found.get("seats", game.sheet.usual)
    if seats not in game.sheet.players:
        raise ClubError(f"{game.title} is played by {', '.join(map(str, game.sheet.players))}, not by {seats}.")
    names = [str(name).strip() for name in found.get("names", ())]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ClubError(f"{twice[0]} is named twice; names must differ.")
    if not 2 <= len(names) <= MOST_PLAYERS or not all(names):
        raise ClubError(f"A club evening has 2 to {MOST_PLAYERS} names, and none is empty.")
    if not 1 <= found["rounds"] <= MOST_ROUNDS:
        raise ClubError(f"A club evening has 1 to {MOST_ROUNDS} rounds, not {found['rounds']}.")
    return Evening(**{**found, "seats": seats, "names": tuple(names)})


def words_for(kind: type) -> str:
    """A kind of value, in words."""
    return {str: "a text", int: "a whole number", list: "a list", dict: "a table", bool: "true or false"}[kind]


def load(path: Path) -> dict[str, Any]:
    """The tables that were opened, from their file; empty if the file does not exist."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ClubError(f"{path} cannot be read: {error}.") from None
    if not isinstance(found, dict) or found.get("parlour club") != 1:
        raise ClubError(f"{path} is no file of a club evening.")
    return found


def save(path: Path, opened: Mapping[str, Any]) -> None:
    """Keep what was opened. It has the keys of all seats, so it is for this user alone."""
    write_privately(path, json.dumps(opened, indent=1, ensure_ascii=False).encode())


def write(path: Path, text: str) -> None:
    """Write a whole file, or none."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)
