"""Trained policies at a seat: a small net in a safetensors file, which NumPy alone can play."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..engine.game import Game
from ..engine.marginals import Marginals
from ..engine.types import Step
from ..engine.view import View
from ..games.profile import environment_name
from .bots import Bot

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Policy", "PolicyBot"]

VERSION = "1"  # of what our files say of themselves
MOST_BYTES = 1 << 28
MOST_WORLDS = 10_000  # sampled for a choice
KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I8": "i1", "I16": "<i2", "I32": "<i4", "U8": "u1"}
ACTIVATIONS = ("relu", "tanh")


def numpy() -> Any:
    """NumPy, or a sentence that says how to install it."""
    try:
        import numpy
    except ModuleNotFoundError as error:
        needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[vector]'"
        raise ModuleNotFoundError(needed, name=error.name) from None
    return numpy


class Policy:
    """Layers of a net from the numbers of an observation to a logit for each step of the game.

    `layers` are pairs of a weight, of shape (outputs, inputs) as torch has it, and a bias. Between layers stands the
    `activation`. `scale` multiplies the observation first. The step with the highest logit of the legal ones is taken.
    What was trained on an environment with `memory` or `beliefs` says so here, and is given the same at a table.

    >>> import numpy as np
    >>> policy = Policy("heraldry_v2", 4, [(np.zeros((98, 458)), np.zeros(98))])
    >>> policy.save("zero.safetensors")
    >>> Policy.load("zero.safetensors").inputs
    458
    """

    def __init__(
        self,
        environment: str,
        players: int,
        layers: Sequence[tuple[Any, Any]],
        activation: str = "relu",
        scale: Any = None,
        memory: bool = False,
        beliefs: int = 0,
    ) -> None:
        np = numpy()
        if activation not in ACTIVATIONS:
            raise ValueError(f"The activation of a policy is {' or '.join(ACTIVATIONS)}, not {activation!a:.40}.")
        if not layers:
            raise ValueError("A policy needs at least one layer.")
        self.environment = environment
        self.players = players
        self.activation = activation
        if not 0 <= beliefs <= MOST_WORLDS:
            raise ValueError(f"The sampled worlds of a policy (beliefs) are 0 to {MOST_WORLDS}, not {beliefs}.")
        self.beliefs = beliefs
        self.memory = memory or beliefs > 0
        # in double precision, so that results do not depend on how many are computed together
        self.layers = [(np.asarray(weight, np.float64), np.asarray(bias, np.float64)) for weight, bias in layers]
        self.inputs = self.layers[0][0].shape[-1]
        self.steps = len(self.layers[-1][1])
        self.scale = np.ones(self.inputs) if scale is None else np.asarray(scale, np.float64)
        size = self.inputs
        for at, (weight, bias) in enumerate(self.layers):
            if weight.shape != (len(bias), size) or bias.ndim != 1:
                raise ValueError(
                    f"Layer {at} of a policy has a weight of shape {weight.shape} and a bias of shape {bias.shape},"
                    f" and {size} inputs; a weight is (outputs, inputs)."
                )
            size = len(bias)
        if self.scale.shape != (self.inputs,):
            raise ValueError(f"The scale has shape {self.scale.shape}, and the policy {self.inputs} inputs.")

    def logits(self, observations: NDArray[Any]) -> NDArray[Any]:
        """A logit for each step, for each observation."""
        np = numpy()
        values = observations * self.scale
        for at, (weight, bias) in enumerate(self.layers):
            if at:
                values = np.maximum(values, 0.0) if self.activation == "relu" else np.tanh(values)
            values = values @ weight.T + bias
        return values.astype(np.float32)  # type: ignore[no-any-return]

    def choose(self, observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        """The step with the highest logit of the legal ones, for each observation."""
        np = numpy()
        chosen = np.where(np.asarray(masks, bool), self.logits(observations), -np.inf).argmax(axis=-1)
        return chosen  # type: ignore[no-any-return]

    def check(self, game: Game, players: int, options: Mapping[str, Any]) -> None:
        """ValueError, with a sentence, where it cannot sit at such a table."""
        needed = environment_name(game)
        if self.environment != needed or self.players != players:
            raise ValueError(
                f"The policy was trained for {self.environment} with {self.players} players,"
                f" and this is {needed} with {players}."
            )
        width = sum(self.widths(game.view_type(players, 0, dict(options))))
        if (self.inputs, self.steps) != (width, game.steps):
            raise ValueError(
                f"The policy takes {self.inputs} numbers and knows {self.steps} steps;"
                f" here an observation has {width} numbers, and the game {game.steps} steps."
            )

    def widths(self, view: View) -> list[int]:
        """How many numbers of its input are seen, remembered and believed by such a view."""
        remembered = sum(rows * size for _, rows, size in view.memory_layout()) if self.memory else 0
        return [view.width(), remembered, Marginals(view, self.beliefs).width if self.beliefs else 0]

    # files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a safetensors file, which `--bots policy:FILE` seats."""
        np = numpy()
        tensors = {"scale": self.scale}
        for at, (weight, bias) in enumerate(self.layers):
            tensors |= {f"{at}.weight": weight, f"{at}.bias": bias}
        about = {"parlour": VERSION, "environment": self.environment, "players": str(self.players)}
        if self.memory:
            about |= {"memory": "1", "beliefs": str(self.beliefs)}
        header: dict[str, Any] = {"__metadata__": about | {"activation": self.activation}}
        body = b""
        for name, tensor in tensors.items():
            data = np.ascontiguousarray(tensor, "<f4").tobytes()
            place = [len(body), len(body) + len(data)]
            header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": place}
            body += data
        head = json.dumps(header).encode()
        head += b" " * (-len(head) % 8)
        with open(path, "wb") as file:
            file.write(len(head).to_bytes(8, "little") + head + body)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read one from a safetensors file; ValueError, with a sentence, where it is not one."""
        try:
            with open(path, "rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise ValueError(f"{os.fspath(path)} cannot be read: {error.strerror}.") from None
        if len(data) > MOST_BYTES:
            raise ValueError(f"{os.fspath(path)} is larger than {MOST_BYTES >> 20} MiB.")
        try:
            about, tensors = read_safetensors(data)
            if about.get("parlour") != VERSION:
                raise ValueError("it does not say for which game it was trained; write it with Policy.save")
            count = sum(name.endswith(".weight") for name in tensors)
            layers = [(tensors[f"{at}.weight"], tensors[f"{at}.bias"]) for at in range(count)]
            memory, beliefs = about.get("memory") == "1", int(about.get("beliefs", "0"))
            told = about["environment"], int(about["players"]), layers, about["activation"], tensors.get("scale")
            return cls(*told, memory, beliefs)
        except KeyError as error:
            raise ValueError(f"{os.fspath(path)} is no policy: {error} is missing.") from None
        except (ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"{os.fspath(path)} is no policy: {str(error).rstrip('.')}.") from None


def read_safetensors(data: bytes) -> tuple[dict[str, str], dict[str, Any]]:
    """What a file says of itself, and its tensors by name."""
    np = numpy()
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > len(data) - 8:
        raise ValueError("it is not a safetensors file")
    header = json.loads(data[8 : 8 + size])
    if not isinstance(header, dict):
        raise ValueError("its header is not an object")
    about, tensors = header.pop("__metadata__", {}), {}
    body = memoryview(data)[8 + size :]
    for name, told in header.items():
        start, end = told["data_offsets"]
        if told["dtype"] not in KINDS or not 0 <= start <= end <= len(body):
            raise ValueError(f"the tensor {name!a:.40} is not of a known type, or lies outside the file")
        tensor = np.frombuffer(body[start:end], KINDS[told["dtype"]]).reshape(told["shape"])
        if not np.isfinite(tensor).all():
            raise ValueError(f"the tensor {name!a:.40} holds a number that is not finite")
        tensors[name] = tensor
    return about, tensors


class PolicyBot(Bot):
    """Plays the likeliest step of a policy."""

    gathers = True

    def __init__(self, policy: Policy, game: Game, players: int, options: Mapping[str, Any]) -> None:
        policy.check(game, players, options)
        self.policy = policy
        self.game = game
        view = game.view_type(players, 0, dict(options))
        self.ends = list(accumulate(policy.widths(view)))
        self.marginals = Marginals(view, policy.beliefs) if policy.beliefs else None
        self.tracks_beliefs = policy.beliefs > 0

    def choose(self, view: View) -> Step:
        return self.choose_many([view])[0]

    def choose_many(self, views: Sequence[View]) -> list[Step]:
        np = numpy()
        observations = np.zeros((len(views), self.policy.inputs), np.uint8)
        masks = np.zeros((len(views), self.policy.steps), bool)
        for row, mask, view in zip(observations, masks, views, strict=True):
            seen, remembered, _ = self.ends
            view.encode(row[:seen].data)
            if self.policy.memory:
                view.encode_memory(row[seen:remembered].data)
            if self.marginals is not None:
                self.marginals.write(view, row[remembered:].data)
            mask[view.legal()] = True
        return [int(step) for step in self.policy.choose(observations, masks)]
