"""Which modules are compiled, whether what was compiled is current, and the same package again without it.

The same `.py` runs compiled or not. A compiled module older than its source would play by yesterday's rules, so the
package compares them by hash before anything else is imported, and then runs compiled as a whole or not at all.
Standard library only, and nothing from the package: the build loads this file by its path.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader

TYPE_CHECKING = False  # every start pays for what is imported here, and typing is half of it
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

ENGINE = ("core", "chance", "view", "playout", "beliefs", "marginals", "net", "search", "batch", "plain", "scribe")

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def modules(package: str = _HERE) -> tuple[str, ...]:
    """The modules that are compiled: the engine, the lab's observers, and all with a `.pxd` in a game's folder."""
    games = os.path.join(package, "games")
    own = [
        f"games.{name}.{file.removesuffix('.pxd')}"
        for name in sorted(os.listdir(games) if os.path.isdir(games) else ())
        if os.path.isdir(os.path.join(games, name))
        for file in sorted(os.listdir(os.path.join(games, name)))
        if file.endswith(".pxd") and file != "__init__.pxd"
    ]
    return (*(f"engine.{name}" for name in ENGINE), *own, "lab.observers")


PYTHON = EXTENSION_SUFFIXES[0].removeprefix(".").rpartition(".")[0]
"""The kind of Python that can load what this one compiles, such as cpython-311-x86_64-linux-gnu."""

ASKED_FOR = "PARLOUR_INTERPRETED is set"
REBUILD = " Run ./play or `pip install -e .` to rebuild."
COMPILE = (
    " Install it again where there are a C compiler and Python's headers (on Debian: apt-get install gcc libc6-dev"
    " python3-dev); PARLOUR_REQUIRE_COMPILED=1 then shows what fails."
)

_why: str | None = "parlour.engine.build.check() has not run"
_advice = COMPILE
_told = False  # whether the slow notice was given
_record: dict[str, Any] = {}


def flag(name: str) -> bool:
    """Whether an environment variable is set to something other than nothing or 0."""
    return os.environ.get(name, "") not in ("", "0")


def source_hashes(package: str) -> dict[str, str]:
    """One hash a module over all that goes into it: its `.py`, and every `.pxd` and `.h` of the package."""
    from hashlib import blake2b

    shared = blake2b(digest_size=16)
    for folder, folders, files in os.walk(package):
        folders.sort()
        for file in sorted(files):
            if file.endswith((".pxd", ".h")):
                path = os.path.join(folder, file)
                name = os.path.relpath(path, package).replace(os.sep, "/")
                shared.update(f"{name}\0{os.path.getsize(path)}\0".encode())
                with open(path, "rb") as source:
                    shared.update(source.read())
    hashes = {}
    for module in modules(package):
        own = shared.copy()
        own.update(f"{module}\0".encode())
        try:
            with open(os.path.join(package, *module.split(".")) + ".py", "rb") as source:
                own.update(source.read())
        except FileNotFoundError:
            hashes[module] = ""  # current in no build
        else:
            hashes[module] = own.hexdigest()
    return hashes


def inspect(package: str) -> tuple[list[str], list[str], dict[str, Any]]:
    """The compiled modules this Python would load, those that are not current, and what the build wrote down."""
    present = [
        module
        for module in modules(package)
        if any(os.path.exists(os.path.join(package, *module.split(".")) + suffix) for suffix in EXTENSION_SUFFIXES)
    ]
    record: dict[str, Any] = {}
    try:
        with open(os.path.join(package, "_compiled.json"), encoding="utf-8") as file:
            import json

            record = json.load(file)
    except FileNotFoundError:
        pass
    if not present:
        return [], [], record
    known = record.get("modules", {}) if record.get("python") == PYTHON else {}
    stale = [
        module
        for module, wanted in source_hashes(package).items()
        if module not in present or known.get(module) != wanted
    ]
    stale += [module for module in known if module not in modules(package)]  # no longer listed, but still lying there
    return present, stale, record


class _Sources:
    """A finder that serves a package from its `.py` files, whatever is compiled beside them."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        top, *rest = fullname.split(".")
        if top != self.name:
            return None
        from importlib.util import spec_from_file_location

        base = os.path.join(_HERE, *rest)
        for file, inside in ((os.path.join(base, "__init__.py"), [base]), (base + ".py", None)):
            if os.path.exists(file):
                loader = SourceFileLoader(fullname, file)
                return spec_from_file_location(fullname, file, loader=loader, submodule_search_locations=inside)
        return None


def check() -> None:
    """Decide, before anything else of the package is imported, whether it runs compiled or interpreted."""
    global _why, _advice, _record
    if __package__ != "parlour.engine":
        _why = "loaded a second time, from its source"
        return
    if flag("PARLOUR_INTERPRETED"):
        _why, _advice = ASKED_FOR, ""
        sys.meta_path.insert(0, _Sources("parlour"))
        return
    present, stale, _record = inspect(_HERE)
    if stale:
        names = ", ".join(stale)
        _why, _advice = f"compiled modules are older than their source ({names})", REBUILD
        tell_if_slow()  # whatever it is used for: it surprises those who have just changed something
        sys.meta_path.insert(0, _Sources("parlour"))
    elif present:
        _why = None
    elif _record.get("modules"):
        _why = f"it was compiled for {_record['python']}, and this is {PYTHON}"
    else:
        _why = _record.get("why", "it was never compiled")


def is_compiled() -> bool:
    """Whether the package runs compiled in this process."""
    return _why is None


def tell_if_slow() -> None:
    """Say on standard error that it runs interpreted, why, and what to do: once, and not in worker processes."""
    global _told
    processes = sys.modules.get("multiprocessing.process")  # not imported just to ask: a worker has it
    is_worker = processes is not None and processes.current_process().name != "MainProcess"
    if _why is not None and not _told and not is_worker:
        _told = True
        print(f"parlour: Running interpreted, some 100 times slower: {_why}.{_advice}", file=sys.stderr, flush=True)


def status() -> str:
    """One sentence for `parlour --version` and the header of the tests."""
    if _why is None:
        return f"compiled (Cython {_record['cython']}, {len(modules())} modules)"
    return f"interpreted: {_why}"


def load_interpreted(name: str = "parlour_interpreted") -> ModuleType:
    """The same package loaded again from its source under another name, to compare the two in one process."""
    from importlib import import_module

    if not any(isinstance(finder, _Sources) and finder.name == name for finder in sys.meta_path):
        sys.meta_path.insert(0, _Sources(name))
    return import_module(name)
