"""A tour of what a page does with a table: opened, played with hints and take backs, replayed and reviewed."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from .here import Here

PATIENCE = 60.0  # seconds for any answer: a bound against hanging


class Visitor:
    """Asks as the page does, and hears what comes back."""

    def __init__(self, here: Here, heard: asyncio.Queue[tuple[Any, ...]]) -> None:
        self.here = here
        self.heard = heard
        self.number = 0
        self.table: dict[str, Any] = {}
        self.news: dict[str, Any] = {}  # the newest

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Ask over HTTP; None where it is refused."""
        self.number += 1
        self.here.ask(self.number, method, path, None if body is None else json.dumps(body))
        while True:
            kind, *told = await asyncio.wait_for(self.heard.get(), PATIENCE)
            if kind == "answer" and told[0] == self.number:
                _, status, text, media = told
                if status >= 500:
                    raise RuntimeError(f"{method} {path}: {text}")
                return (json.loads(text) if "json" in media else text) if status < 400 else None
            self._hear(kind, told)

    async def request(self, kind: str, **members: Any) -> dict[str, Any]:
        """Ask at the table."""
        self.number += 1
        self.here.say(1, json.dumps({"kind": kind, "id": str(self.number), **members}))
        while True:
            message = await self.next()
            if message.get("id") == str(self.number):
                return message

    async def next(self) -> dict[str, Any]:
        """The next message of the table."""
        kind, *told = await asyncio.wait_for(self.heard.get(), PATIENCE)
        return self._hear(kind, told)

    def _hear(self, kind: str, told: list[Any]) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(told[1]) if kind == "told" else {}
        news = message.get("news", message)
        if "number" in news and news.get("kind") == "news":
            self.news = news
            self.table = news.get("table") or self.table
        return message

    async def sit(self, game: str, level: str, **opening: Any) -> str:
        """Open a table, sit down there with bots, and start; its name."""
        opened = await self.ask("POST", "/api/tables?words=keys", {"game": game, "bot_seconds": 0, **opening})
        name: str = opened["table"]
        joining = {"name": "Guest", "code": opened["code"]}
        seated = await self.ask("POST", f"/api/tables/{name}/seats?words=keys", joining)
        self.here.connect(1)
        hello = {"kind": "hello", "protocol": 2, "table": name, "token": seated["token"], "words": "keys"}
        self.here.say(1, json.dumps(hello))
        while not self.table.get("table") == name:
            await self.next()
        for seat in range(1, opening["players"]):
            await self.request("bot", seat=seat, level=level)
        await self.request("start")
        return name

    async def move(self) -> None:
        """Make a move: the first legal step each time."""
        steps, legal = [], self.news["legal"]
        while not legal[0]["whole"]:
            steps.append(legal[0]["step"])
            legal = (await self.request("follow", prefix=steps))["legal"]
        number = self.news["number"]
        await self.request("act", number=number, move=[*steps, legal[0]["step"]])

    async def turn(self) -> bool:
        """Wait until it is one's turn; False where the sitting is over."""
        while self.table["phase"] != "over" and not self.news.get("legal"):
            await self.next()
        return bool(self.table["phase"] != "over")

    async def play(self) -> None:
        """Play to the end."""
        while await self.turn():
            await self.move()


async def take(here: Here, heard: asyncio.Queue[tuple[Any, ...]], game: str, moves: int = 3) -> None:
    """Take the tour with one game."""
    visitor = Visitor(here, heard)
    book = await visitor.ask("GET", f"/api/games/{game}")
    usual = book["usual"]
    for path in (f"/api/words/{game}?brief=1", "/api/words", f"/api/lessons/{game}?words=keys", f"/faces/{game}.svg"):
        await visitor.ask("GET", path)
    name = await visitor.sit(game, book["usual_bot"], players=usual)
    for _ in range(moves):
        if not await visitor.turn():
            break
        await visitor.request("hint")
        await visitor.move()
        if await visitor.turn():
            await visitor.request("undo", number=visitor.news["number"])
    if await visitor.turn():
        await visitor.request("end")
    here.hang_up(1)
    for path in ("record", "replay?first=0&words=keys"):
        await visitor.ask("GET", f"/api/tables/{name}/{path}")
    await visitor.ask("POST", f"/api/tables/{name}/review?seat=0&words=keys")
    await visitor.ask("GET", f"/api/days/{game}")
    for path in ("", "/1?words=keys", "/1/why?words=keys"):
        await visitor.ask("GET", f"/api/puzzles/{game}{path}")
