"""Draws docs/play.svg, the picture of a sitting in README.md, from some real turns of Lost Heir in the terminal.

    python tools/picture.py           write it
    python tools/picture.py --check   say whether it is up to date
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from parlour import Sitting
from parlour.play.terminal import Quit, Terminal

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "play.svg"

SEED = 279
TYPED = ("bid 7", "trump B", "LH", "B11")
FROM = "trump B"  # the picture starts where this is typed
WIDTH = 100  # characters

PAPER, KEYLINE, INK, FAINT, BLUE, VERMILION = "#fbf5e6", "#b9beaa", "#2a211b", "#6d6154", "#1f3b63", "#b23a24"
SIZE, ADVANCE, LEADING, MARGIN = 14, 8.43, 19, 26

CODE = re.compile(r"\033\[(\d)m")
Run = tuple[int, str, str]  # the column it begins in, its style, its text


def transcript() -> list[str]:
    """The lines of the terminal, with the escape codes for bold and faint text."""
    lines: list[str] = []
    typed = iter(TYPED)

    def read(prompt: str) -> str:
        answer = next(typed, None)
        if answer is None:
            raise EOFError
        lines.append(f"{prompt}\033[3m{answer}\033[0m")
        return answer

    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(Sitting("lost-heir", players=4, seed=SEED), 0, Path(folder) / "save", read, lines.append)
        terminal.width = WIDTH
        terminal.colour = True
        try:
            terminal.run()
        except Quit:
            lines.append("> ")
    shown = [line for text in lines for line in text.split("\n")]
    return shown[next(at for at, line in enumerate(shown) if FROM in line and line.startswith("> ")) :]


def runs(line: str) -> Iterator[Run]:
    """A line as runs of one style, without the blanks around them."""
    style, column = "0", 0
    for at, part in enumerate(CODE.split(line)):
        if at % 2:
            style = part
            continue
        text = part.strip(" ")
        if text:
            yield column + len(part) - len(part.lstrip(" ")), style, text
        column += len(part)


def draw(lines: list[str]) -> str:
    """The picture: dark ink on ivory paper; each run of text is stretched to the same width in every font."""
    wide = round(2 * MARGIN + WIDTH * ADVANCE)
    high = 2 * MARGIN + LEADING * len(lines)
    looks = {"0": INK, "1": BLUE, "2": FAINT, "3": VERMILION}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">',
        "<title>Some turns of Lost Heir in the terminal</title>",
        f'<rect x="1" y="1" width="{wide - 2}" height="{high - 2}" rx="10" fill="{PAPER}" stroke="{KEYLINE}"/>',
        f"<g font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"{SIZE}\" "
        'xml:space="preserve" style="white-space: pre">',
    ]
    for number, line in enumerate(lines):
        y = MARGIN + LEADING * number + SIZE
        for column, style, text in runs(line):
            x, length = MARGIN + column * ADVANCE, len(text) * ADVANCE
            if set(text) == {"─"}:
                middle = y - SIZE / 3
                parts.append(f'<path d="M{x:.1f} {middle:.1f}h{length:.1f}" stroke="{KEYLINE}"/>')
                continue
            bold = ' font-weight="bold"' if style in "13" else ""
            place = f'x="{x:.1f}" y="{y}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"'
            parts.append(f'<text {place} fill="{looks[style]}"{bold}>{escape(text)}</text>')
    return "\n".join([*parts, "</g>", "</svg>", ""])


def main(arguments: list[str]) -> int:
    """Write the picture, or check it."""
    made = draw(transcript())
    if arguments == ["--check"]:
        current = PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == made
        print("docs/play.svg is up to date" if current else "docs/play.svg is out of date: run python tools/picture.py")
        return 0 if current else 1
    PICTURE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
