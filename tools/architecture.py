"""Writes the list of modules in docs/architecture.md: each folder in the order of imports, each module by its sentence.

python tools/architecture.py           write it
python tools/architecture.py --check   say whether it is current
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from support.layers import LAYERS, module_paths, sentence_of  # noqa: E402

PAGE = ROOT / "docs" / "architecture.md"
MARKS = "<!-- modules -->", "<!-- end of modules -->"


def listing() -> str:
    """A table for each folder but that of the games, of which every one has the same files."""
    lines: list[str] = []
    paths = module_paths()
    for folder in LAYERS:
        modules = {name: path for name, path in paths.items() if name.partition(".")[0] == folder and "." in name}
        if not modules or folder == "games":
            continue
        lines += ["", f"### {folder}/", ""]
        if paths.get(folder) and (said := sentence_of(paths[folder])):
            lines += [said, ""]
        lines += ["| module | |", "|---|---|"]
        for name, path in modules.items():
            lines.append(f"| `{name.partition('.')[2].replace('.', '/')}` | {sentence_of(path)} |")
    return "\n".join(lines).strip()


def written(page: str) -> str:
    """The page with the list as it should be."""
    before, _, rest = page.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    return f"{before}{MARKS[0]}\n\n{listing()}\n\n{MARKS[1]}{after}"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--check"]:
        stale = "docs/architecture.md is not current: run python tools/architecture.py"
        sys.exit(0 if written(page) == page else stale)
    PAGE.write_text(written(page), encoding="utf-8")
