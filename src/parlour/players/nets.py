"""The nets that come with the package, small files in the folders of the games, and the bot that plays by them."""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..engine.core import Seeded
from ..engine.game import Game
from ..engine.net import Net
from ..engine.types import Step
from ..engine.view import View
from ..games.profile import environment_name
from .bots import Bot

__all__ = ["NetBot", "net_of", "players_with_nets"]

FORMAT = "parlour net 1"


def file_of(game: Game, players: int) -> Path:
    """Where the net of a game for so many players lies."""
    return Path(str(files(game.package) / "nets" / f"{players}.net"))


def players_with_nets(game: Game) -> list[int]:
    """The numbers of players for which a game has a net."""
    return [players for players in game.sheet.players if game.package and file_of(game, players).is_file()]


def write_net(
    path: Path, environment: str, players: int, weights: Sequence[array[int]], bonus: int, about: Mapping[str, Any]
) -> None:
    """Write a net: one line of JSON, and its weights, compressed."""
    first, _, _, own = weights
    head = {"format": FORMAT, "environment": environment, "players": players, "bonus": bonus, "trained": about}
    head |= {"inputs": len(first) // Net.units, "steps": len(own)}
    body = b"".join(part.tobytes() if sys.byteorder == "little" else swapped(part).tobytes() for part in weights)
    path.write_bytes(json.dumps(head).encode() + b"\n" + zlib.compress(body, 9))


def swapped(part: array[int]) -> array[int]:
    """The same numbers in the other order of bytes."""
    part = array(part.typecode, part)
    part.byteswap()
    return part


def read_weights(data: bytes) -> tuple[dict[str, Any], list[array[int]]]:
    """What a file says of its net, and its weights: of the first layer, its biases, of the second, its own."""
    line, _, packed = data.partition(b"\n")
    head = json.loads(line)
    if head["format"] != FORMAT:
        raise ValueError(f"A net of the format {head['format']!r:.40} cannot be read here.")
    body, at = zlib.decompress(packed), 0
    inputs, steps = head["inputs"], head["steps"]
    parts = []
    for kind, size in (("h", inputs * Net.units), ("i", Net.units), ("h", steps * Net.units), ("i", steps)):
        part = array(kind)
        part.frombytes(body[at : at + size * part.itemsize])
        at += size * part.itemsize
        parts.append(part if sys.byteorder == "little" else swapped(part))
    return head, parts


def read_net(data: bytes) -> tuple[dict[str, Any], Net]:
    """What a file says of its net, and the net."""
    head, (first, biases, second, own) = read_weights(data)
    return head, Net(head["inputs"], head["steps"], first, biases, second, own, head["bonus"])


def net_of(game: Game, players: int, options: Mapping[str, Any]) -> Net:
    """The net of a game for so many players and these options; ValueError, with a sentence, where there is none."""
    net = _loaded(game, players)
    width = game.view_type(players, 0, dict(options)).width()
    if width != net.inputs:
        raise ValueError(
            f"The net of {game.title} for {players} players takes {net.inputs} numbers,"
            f" and with these options an observation has {width}."
        )
    return net


@cache
def _loaded(game: Game, players: int) -> Net:
    known = players_with_nets(game)
    if players not in known:
        which = ", ".join(map(str, known))
        has = f"there are nets for {which}" if known else "there is none for this game"
        raise ValueError(f"There is no net of {game.title} for {players} players; {has}.")
    head, net = read_net(file_of(game, players).read_bytes())
    if head["environment"] != environment_name(game):
        raise ValueError(f"The net of {game.title} is for {head['environment']}, and this is {environment_name(game)}.")
    return net


class NetBot(Bot):
    """Takes the step that a small learned net thinks best; the net was trained to improve on the heuristic."""

    def __init__(self, game: Game, players: int, options: Mapping[str, Any]) -> None:
        self.net = net_of(game, players, options)
        self.luck = Seeded()

    def choose(self, view: View) -> Step:
        return self.net.choose(view, self.luck)
