"""Bots of your own: a class or an object with `choose(view)`, checked at every choice it makes."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import entry_points
from operator import index
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl

from ..engine.game import Game
from ..engine.types import Step
from ..engine.view import View
from .bots import BOTS, Bot
from .external import clean, own_luck

__all__ = ["BotFailed", "Guest", "register"]

ENTRY_POINTS = "parlour.bots"
REGISTRY: dict[str, Callable[..., Any]] = {}


class BotFailed(Exception):
    """A bot of your own failed, chose an illegal step, or cannot sit at a table; the message is one sentence."""


def register(name: str, maker: Callable[..., Any]) -> None:
    """Give a name to a class of bots, or to a function that makes one: `--bots NAME` seats it from now on."""
    if not name.isidentifier() and not name.replace("-", "_").isidentifier():
        raise ValueError(f"The name of a bot is made of letters, digits, - and _, not {name!a:.40}.")
    if name in BOTS or name == "oracle" or REGISTRY.setdefault(name, maker) is not maker:
        raise ValueError(f"There is a bot called {name} already.")


@cache
def load_entry_points() -> None:
    """Register the bots that installed packages offer by the entry point `parlour.bots`, once in a process.

    A package whose bot cannot be loaded is warned of and left out.
    """
    for point in entry_points(group=ENTRY_POINTS):
        try:
            register(point.name, point.load())
        except Exception as error:  # whatever is wrong with one package, the other bots can play
            warnings.warn(f"The bot {point.name} of {point.value} cannot be loaded: {error}", stacklevel=2)


# --- finding and making -----------------------------------------------------------------------------------------------


def maker_of(name: str) -> Callable[[], Any]:
    """What makes a bot of this name, with its options; ValueError, with a sentence, where there is none."""
    place, _, query = name.partition("?")
    options = {option: value_of(text) for option, text in parse_qsl(query, keep_blank_values=True)}
    if query and not options:
        raise ValueError(f"Options of a bot are written like ?depth=3&pace=slow, not ?{query!s:.40}.")
    made = REGISTRY[place] if place in REGISTRY else attribute(place)
    if not callable(made):
        if options:
            raise ValueError(f"{place} is an object already, so it takes no options.")
        return lambda: made
    return lambda: made(**options)


def value_of(text: str) -> Any:
    """The value of an option: a number, true, false, or else the text."""
    for reading in (int, float):
        try:
            return reading(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def attribute(place: str) -> Any:
    """What stands at `module:name` or `file.py:name`."""
    where, _, names = place.rpartition(":")
    try:
        found: Any = module_of(where)
    except Exception as error:
        raise ValueError(f"{where!s:.80} cannot be imported: {described(error)}.") from error
    for name in names.split("."):
        if not hasattr(found, name):
            raise ValueError(f"{where!s:.80} has nothing called {names!a:.40}.")
        found = getattr(found, name)
    return found


def module_of(where: str) -> ModuleType:
    """A module by its name, looked for in the working directory too, or by its file."""
    if not where.endswith(".py"):
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        return importlib.import_module(where)
    path = os.path.realpath(where)
    name = "parlour_bot_" + "".join(letter if letter.isalnum() else "_" for letter in path)
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # the name ends in .py
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def make(name: str, game: Game, players: int, options: dict[str, Any], seat: int) -> Guest:
    """Make the bot of a name for a seat; BotFailed where that fails."""
    maker = maker_of(name)
    try:
        inner = maker()
    except Exception as error:
        raise BotFailed(f"The bot {name!s:.80} cannot be made: {described(error)}.") from error
    return Guest(inner, name, game, players, options, seat)


def name_of(bot: object) -> str:
    """What a bot that is given as an object is called: its `name`, or that of its class."""
    name = getattr(bot, "name", None)
    return clean(name, 60).replace(",", " ") if isinstance(name, str) and name else type(bot).__qualname__


def described(error: BaseException) -> str:
    """An exception in a few words, with the last line of code outside this package that it passed through."""
    here = os.path.dirname(os.path.dirname(__file__))
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((here, "<frozen", os.path.dirname(importlib.__file__)))
    ]
    where = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    text = clean(str(error), 120).rstrip(".")
    return f"{type(error).__name__}{': ' if text else ''}{text}{where}"


# --- playing ----------------------------------------------------------------------------------------------------------


class Guest(Bot):
    """A bot of one's own at one seat.

    All it needs is `choose(view)`, which returns a legal step by its number or its name; or `choose_many(views)`, which
    returns one for each, for bots that are faster together. Where it has them, these are called too:
    `sit(game, players, options, seat)` once, `begin(seed, number)` at the start of each sitting, with a seed for its
    own luck, `hear(told)` with the entries told to its seat, and `close()`. If `tracks_beliefs` is true, its view can
    `sample` what is hidden. A bot that fails or takes an illegal step stops the run with BotFailed.
    """

    def __init__(
        self, inner: Any, name: str, game: Game, players: int, options: dict[str, Any], seat: int
    ) -> None:
        self.inner = inner
        self.name = name
        self.game = game
        self.seat = seat
        self.gathers = callable(getattr(inner, "choose_many", None))
        if not self.gathers and not callable(getattr(inner, "choose", None)):
            raise BotFailed(f"{name!s:.80} is no bot: it has no method `choose(view)`.")
        listens = any(callable(getattr(inner, name, None)) for name in ("hear", "begin"))
        self.listens = bool(getattr(inner, "listens", listens))
        self.tracks_beliefs = bool(getattr(inner, "tracks_beliefs", False))
        self._sitting = 0
        self._call("sit", game, players, options, seat)

    def begin(self, seed: int, number: int) -> None:
        self._sitting = number
        self._call("begin", own_luck(seed, number, self.seat), number)

    def hear(self, told: Sequence[list[Any]]) -> None:
        self._call("hear", told)

    def choose(self, view: View) -> Step:
        if self.gathers:
            return self.choose_many([view])[0]
        try:
            chosen = self.inner.choose(view)
        except Exception as error:
            raise self._failure(described(error)) from error
        return self._legal(view, chosen)

    def choose_many(self, views: Sequence[View]) -> list[Step]:
        try:
            chosen = list(self.inner.choose_many(views))
        except Exception as error:
            raise self._failure(described(error)) from error
        if len(chosen) != len(views):
            raise self._failure(f"it made {len(chosen)} choices where {len(views)} were asked for")
        return [self._legal(view, step) for view, step in zip(views, chosen, strict=True)]

    def close(self) -> None:
        self._call("close")

    def _call(self, name: str, *given: Any) -> None:
        """Call a method of the bot, if it has one of this name."""
        method = getattr(self.inner, name, None)
        if callable(method):
            try:
                method(*given)
            except Exception as error:
                raise self._failure(described(error)) from error

    def _legal(self, view: View, chosen: Any) -> Step:
        """The step that was chosen, by number or name, if it is legal."""
        steps = view.legal()
        if isinstance(chosen, str):
            for step in steps:
                if self.game.step_name(step) == chosen:
                    return step
        elif not isinstance(chosen, bool):
            try:
                step = index(chosen)
            except TypeError:
                step = -1
            if step in steps:
                return step
            if 0 <= step < self.game.steps:
                chosen = self.game.step_name(step)
        able = ", ".join(self.game.step_name(step) for step in steps[:6]) + (", …" if len(steps) > 6 else "")
        raise self._failure(f"it chose {chosen!a:.60}, and the legal steps are {able}")

    def _failure(self, what: str) -> BotFailed:
        where = f"at seat {self.seat} in sitting {self._sitting}"
        return BotFailed(f"The bot {clean(self.name, 60)} failed {where}: {what}.")
