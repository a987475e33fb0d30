"""Modules that have moved: the old name still imports the module at its new place, with a DeprecationWarning."""

from __future__ import annotations

import sys
import warnings
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # every start pays for what is imported here
if TYPE_CHECKING:
    from types import ModuleType

MOVED = {
    "adapters": "research",
    "adapters.endings": "research.endgames",
    "adapters.fields": "research.observation",
    "adapters.openspiel": "research.openspiel",
    "adapters.pettingzoo": "research.pettingzoo",
    "adapters.referee": "research.session",
    "adapters.rewards": "research.rewards",
    "adapters.vector": "research.vector",
    "bits": "engine.bitset",
    "bots": "players.bots",
    "compiled": "engine.build",
    "core": "engine.core",
    "corpus": "lab.corpus",
    "external": "players.external",
    "hints": "players.hints",
    "record": "records.record",
    "rulebook": "sheets.rulebook",
    "seal": "records.seal",
    "search": "engine.search",
    "seating": "players.seats",
    "simulate": "lab.simulate",
    "sitting": "play.sitting",
    "tournament": "lab.tournament",
    "words": "play.sentences",
}


class _Alias:
    """A loader that puts the module from the new place under the old name."""

    def __init__(self, new: str) -> None:
        self.new = new

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        from importlib import import_module

        sys.modules[module.__name__] = import_module(self.new)


class _Finder:
    """Finds modules by the names they had before."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        top, _, old = fullname.partition(".")
        if top != "parlour" or old not in MOVED:
            return None
        new = f"parlour.{MOVED[old]}"
        warnings.warn(f"{fullname} has moved: import {new}.", DeprecationWarning, stacklevel=2)
        return ModuleSpec(fullname, _Alias(new), is_package=old == "adapters")  # type: ignore[arg-type]


def install() -> None:
    """Let old names be found, before a module is looked for in the folder of a package that has moved."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
