"""Writes docs/reference.md: every public name of every public module, with its arguments and what it is.

python tools/reference.py           write it
python tools/reference.py --check   say whether it is current

A module is public if it has `__all__`, and its public names are those. The text is that of the docstrings.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.layers import PACKAGE, module_paths, sentence_of  # noqa: E402

PAGE = ROOT / "docs" / "reference.md"
MARKS = "<!-- names -->", "<!-- end of names -->"
Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public_names(path: Path) -> list[str]:
    """The names in a module's `__all__`; empty where it has none."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def public_modules() -> dict[str, Path]:
    """The public modules by their dotted names, the package itself first."""
    paths = {"parlour": PACKAGE / "__init__.py"}
    paths |= {f"parlour.{name}": path for name, path in module_paths().items()}
    return {name: path for name, path in paths.items() if public_names(path)}


def defined(path: Path) -> dict[str, ast.stmt]:
    """What a module defines at its top level, by name."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, Named):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
    return found


def arguments_of(node: ast.FunctionDef | ast.AsyncFunctionDef, own: bool) -> str:
    """The arguments of a function as they are written, without `self` and without their types."""
    given = ast.parse(ast.unparse(node)).body[0]
    assert isinstance(given, ast.FunctionDef | ast.AsyncFunctionDef)
    for argument in (*given.args.posonlyargs, *given.args.args, *given.args.kwonlyargs):
        argument.annotation = None
    for star in (given.args.vararg, given.args.kwarg):
        if star is not None:
            star.annotation = None
    static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
    if own and not static:
        del given.args.args[0]
    return ast.unparse(given.args)


def first_paragraph(node: Named) -> str:
    """What the docstring begins with."""
    return " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())


def methods_of(node: ast.ClassDef) -> Iterator[str]:
    """A line for each public method and property of a class, except for names that are kept for older programs."""
    for each in node.body:
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) or each.name.startswith("_"):
            continue
        said = first_paragraph(each)
        if not said or said.startswith("The old name of"):
            continue  # one that overrides another is described there
        is_property = any(ast.unparse(each_) == "property" for each_ in each.decorator_list)
        call = each.name if is_property else f"{each.name}({arguments_of(each, own=True)})"
        yield f"- `{call}`: {said}"


def entry(name: str, node: ast.stmt) -> Iterator[str]:
    """A name with its arguments and its docstring, and the methods of a class."""
    if isinstance(node, ast.ClassDef):
        begin = next((each for each in node.body if isinstance(each, Named) and each.name == "__init__"), None)
        call = f"({arguments_of(begin, own=True)})" if isinstance(begin, ast.FunctionDef) else ""
        yield f"**class `{name}{call}`**"
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield f"**`{name}({arguments_of(node, own=False)})`**"
    else:
        yield f"**`{name}`**"
    if isinstance(node, Named):
        yield f" – {first_paragraph(node)}\n"
        lines = list(methods_of(node)) if isinstance(node, ast.ClassDef) else []
        yield "\n" + "\n".join(lines) + "\n" if lines else ""
    else:
        yield " – a constant\n"


def listing() -> str:
    """The public modules with their names; `parlour` only lists what it brings together."""
    modules = public_modules()
    names = ", ".join(f"`{name}`" for name in public_names(modules["parlour"]))
    lines = ["### parlour", "", f"`import parlour` gives, from the modules below: {names}.", ""]
    for module, path in modules.items():
        if module != "parlour":
            known = defined(path)
            own = [name for name in public_names(path) if name in known]
            if own:
                lines += [f"### {module}", "", sentence_of(path), ""]
                lines += ["".join(entry(name, known[name])) for name in own]
    return "\n".join(lines).strip()


def written(page: str) -> str:
    """The page with the list as it should be."""
    before, _, rest = page.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return f"{before}{MARKS[0]}\n\n{listing()}\n\n{MARKS[1]}{after}"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--check"]:
        stale = "docs/reference.md is not current: run python tools/reference.py"
        sys.exit(0 if written(page) == page else stale)
    PAGE.write_text(written(page), encoding="utf-8")
