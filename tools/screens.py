"""Takes the pictures of the page that README.md and docs/browser.md show: python tools/screens.py

A real server, a real Chromium, a numbered deal of each game with some moves made. They are looked at, not compared, as
every machine draws letters a little differently.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from support.browser import GAMES, ROOT, Visitor, chromium, expect
from support.server import Server

PLACE = ROOT / "docs" / "screens"
# what makes a picture that shows much of a game; for a game that is not named, the first turn of a usual table
TURNS = {"masquerade": 4, "lost-heir": 6, "sovereign": 2, "heraldry": 1}
NUMBERS = {"heraldry": "5", "tontine": "3"}
PLAYERS = {"tontine": 52}
OPTIONS = {"tontine": {"stake": 60}}


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "data") as server:
        for size, theme in (("desktop", "light"), ("phone", "dark")):
            with Visitor(browser, server, size, painted=True, color_scheme=theme) as visitor:  # type: ignore[arg-type]
                visitor.go()
                expect(visitor.page.locator("[data-play]")).to_have_count(len(GAMES))
                take(visitor, f"room-{size}")
                for game in GAMES:
                    number = NUMBERS.get(game, "12")
                    visitor.arrange(game, PLAYERS.get(game), number, **OPTIONS.get(game, {}))
                    for _ in range(TURNS.get(game, 0)):
                        if visitor.until("mine", "over") == "mine":
                            visitor.steps().first.click()
                            visitor.settle()
                    visitor.until("mine", "over")
                    take(visitor, f"{game}-{size}")


def take(visitor: Visitor, name: str) -> None:
    visitor.page.mouse.move(5, 5)
    visitor.page.wait_for_timeout(600)
    visitor.page.screenshot(path=PLACE / f"{name}.jpg", type="jpeg", quality=82)
    print(name, file=sys.stderr)


if __name__ == "__main__":
    main()
