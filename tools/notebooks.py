#!/usr/bin/env python3
"""Runs the notebooks in examples/ from top to bottom, and writes what their cells print into them.

    python tools/notebooks.py [examples/learn_a_player.ipynb …]

A notebook is run in a process of its own, in an empty folder. The tests run them with small numbers, which follow the
cell that is tagged `parameters`.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
RICH = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def cells_of(path: Path) -> dict[str, Any]:
    """A notebook as data."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def shown(value: Any) -> dict[str, Any]:
    """A value as a notebook shows it."""
    data: dict[str, Any] = {"text/plain": lines(repr(value))}
    for kind, method in RICH.items():
        drawn: Callable[[], str] | None = getattr(value, method, None)
        if drawn is not None:
            data[kind] = lines(drawn())
    return data


def lines(text: str) -> list[str]:
    """Text as a notebook has it: a list of lines."""
    return text.splitlines(keepends=True)


def run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell; what it prints, and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out, found = io.StringIO(), []
    value = None
    with contextlib.redirect_stdout(out):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    if out.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": lines(out.getvalue())})
    if value is not None:
        data = shown(value)
        found.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return found


def run(notebook: dict[str, Any], small: Mapping[str, Any]) -> dict[str, Any]:
    """Run all cells in order, and put what they print into the notebook; returns the names that they leave behind."""
    names: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            cell["execution_count"] = number
            cell["outputs"] = run_cell("".join(cell["source"]), names, number)
            if "parameters" in cell["metadata"].get("tags", []):
                names |= small
    return names


def remake(path: str) -> None:
    """Run a notebook and write it again."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    notebook = cells_of(Path(path))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        run(notebook, {})
    Path(path).write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebook", nargs="*", type=Path, help="which (default: all in examples/)")
    asked = parser.parse_args()
    for path in [given.resolve() for given in asked.notebook] or sorted(EXAMPLES.glob("*.ipynb")):
        if not path.is_file():
            parser.error(f"There is no notebook {path}.")
        process = get_context("spawn").Process(target=remake, args=(str(path),))
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(f"{path.name} has failed.")
        print(f"{path.name} is made again.")


if __name__ == "__main__":
    main()
