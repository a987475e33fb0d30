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
TURNS = {"masquerade": 4, "lost-heir": 6, "sovereign": 2, "heraldry": 1, "tontine": 0}
NUMBERS = {"masquerade": "12", "lost-heir": "12", "sovereign": "12", "heraldry": "5", "tontine": "3"}
STAKE = {"tontine": {"stake": 60}}


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "data") as server:
        for size, theme in (("desktop", "light"), ("phone", "dark")):
            with Visitor(browser, server, size, painted=True, color_scheme=theme) as visitor:  # type: ignore[arg-type]
                visitor.go()
                expect(visitor.page.locator("[data-play]")).to_have_count(5)
                take(visitor, f"room-{size}")
                for game in GAMES:
                    visitor.arrange(game, 52 if game == "tontine" else None, NUMBERS[game], **STAKE.get(game, {}))
                    for _ in range(TURNS[game]):
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
