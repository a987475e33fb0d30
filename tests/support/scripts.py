"""The project's scripts under tools/, as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def script(name: str, folder: Path = TOOLS) -> ModuleType:
    """A script under tools/, by its name without the ending; `folder` is another place where it lies."""
    spec = importlib.util.spec_from_file_location(f"tools_{name}", folder / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its module up by name
    spec.loader.exec_module(module)
    return module
