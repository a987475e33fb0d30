"""Plays a table of a game as a page would, in a room without a server, and prints all that the page is told.

python told.py GAME DEAL LEVEL
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from parlour.site.start import start

told: list[tuple[Any, ...]] = []


async def main(game: str, deal: int, level: str) -> None:
    heard: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()

    def post(*values: Any) -> None:
        told.append(values)
        heard.put_nowait(values)

    here = start("", post)
    from parlour.site.tour import Visitor

    visitor = Visitor(here, heard)
    usual = (await visitor.ask("GET", f"/api/games/{game}"))["usual"]
    name = await visitor.sit(game, level, players=usual, deal=deal)
    await visitor.play()
    record = await visitor.ask("GET", f"/api/tables/{name}/record")
    json.dump({"record": record, "told": [text for kind, *_, text in told if kind == "told"]}, sys.stdout)


asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
