"""Writes the tables of observation fields in docs/research.md, from the views of the games.

    python tools/research.py           write them
    python tools/research.py --check   say whether they are current
"""

from __future__ import annotations

import sys
from pathlib import Path

from parlour import REGISTRY, Game
from parlour.games.profile import profile_of
from parlour.research.observation import ObservationLayout

PAGE = Path(__file__).resolve().parent.parent / "docs" / "research.md"
FIRST, LAST = "<!-- made by tools/research.py -->", "<!-- end of what is made -->"


def table(game: Game) -> list[str]:
    """The fields of a game with its usual number of players."""
    players = game.sheet.usual
    layout = ObservationLayout(game, players, game.options_for(players))
    rows = [
        f"| `{field.name}` | {field.at} | {' × '.join(map(str, field.shape))} | {field.meaning} |"
        for field in layout.fields
    ]
    return [
        f"### {game.title}",
        "",
        f"Version {profile_of(game).version} (rules {game.rules}), {players} players: {layout.width} numbers,"
        f" {game.steps} step{'s' if game.steps > 1 else ''}.",
        "",
        "| field | from | numbers | meaning |",
        "|---|--:|--:|---|",
        *rows,
        "",
    ]


def made(text: str) -> str:
    """The page with current tables."""
    before, _, rest = text.partition(FIRST)
    _, _, after = rest.partition(LAST)
    tables = [line for game in REGISTRY.values() for line in table(game)]
    return f"{before}{FIRST}\n\n" + "\n".join(tables) + f"\n{LAST}{after}"


def main(arguments: list[str]) -> int:
    text = PAGE.read_text(encoding="utf-8")
    if made(text) == text:
        return 0
    if arguments == ["--check"]:
        print("docs/research.md is not current: run python tools/research.py")
        return 1
    PAGE.write_text(made(text), encoding="utf-8")
    print("docs/research.md written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
