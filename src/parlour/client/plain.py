"""The client without asyncio: the same table, served by a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Sequence
from typing import Any, Self, TypeVar

from ..server import messages as wire
from .server import Link, Place, Server
from .table import Answer, AsyncTable

Result = TypeVar("Result")


async def finish_all() -> None:
    """Cancel everything else that this loop does, and wait until it has ended."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Table:
    """A seat at a table, or a spectator's place, for programs that do one thing after the other.

    It is an `AsyncTable` in a thread, which keeps the connection while the program thinks. The properties are as of
    the moment: they change when the table does.
    """

    def __init__(
        self, server: Server, name: str, place: Place | None = None, *, wants: Sequence[wire.Want] = ()
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="parlour-client", daemon=True)
        self._thread.start()
        self.inner = AsyncTable(server, name, place, wants=wants)
        self._seen = 0  # changes of the table of which this program knows: the next may come at any moment
        try:
            self._wait(self.inner.__aenter__())
        except BaseException:
            self._stop()
            raise

    def _wait(self, doing: Coroutine[Any, Any, Result]) -> Result:
        coming = asyncio.run_coroutine_threadsafe(doing, self._loop)
        try:
            return coming.result()
        except BaseException:
            coming.cancel()
            raise

    def _stop(self) -> None:
        self._wait(finish_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the socket. The seat stays this person's; `leave` gives it up."""
        if not self._loop.is_closed():
            self._wait(self.inner.close())
            self._stop()

    # how things stand

    @property
    def seat(self) -> int:
        """The seat; −1 for a spectator."""
        return self.inner.seat

    @property
    def described(self) -> wire.Described:
        """What everyone may know of the table."""
        return self.inner.described

    @property
    def over(self) -> bool:
        """Whether the sitting is over."""
        return self.inner.over

    @property
    def events(self) -> list[wire.Event]:
        """What this seat was told, with sentences."""
        return self.inner.events

    @property
    def told(self) -> list[list[Any]]:
        """The entries that this seat was told."""
        return self.inner.told

    @property
    def view(self) -> dict[str, Any] | None:
        """Everything that this seat knows now; None before the start."""
        return self.inner.view

    @property
    def legal(self) -> list[wire.Choice]:
        """The steps that this seat can take; none if it is not its turn."""
        return self.inner.legal

    @property
    def news(self) -> wire.News:
        """The latest news, with what hello asked for."""
        return self.inner.news

    @property
    def set_back(self) -> str:
        """A sentence if the server's log was found to be shorter or other than what was told."""
        return self.inner.set_back

    # what can be done

    def changed(self, seconds: float | None = None) -> bool:
        """Wait until something new was told since the last call; False if nothing was within so many seconds."""
        try:
            self._wait(asyncio.wait_for(self.inner.changed(self._seen), seconds))
        except TimeoutError:
            return False
        self._seen = self.inner.changes
        return True

    def turn(self) -> bool:
        """Wait until this seat can move; False when the sitting is over."""
        return self._wait(self.inner.turn())

    def play(self, move: Sequence[int | str]) -> None:
        """Make a whole move, by the numbers or the names of its steps."""
        self._wait(self.inner.play(move))

    def follow(self, prefix: Sequence[int | str]) -> wire.Following:
        """Where some steps of a move lead."""
        return self._wait(self.inner.follow(prefix))

    def hint(self) -> wire.Advice:
        """What a good player would do."""
        return self._wait(self.inner.hint())

    def say(self, phrase: wire.PhraseName) -> None:
        """Say one of the set phrases."""
        self._wait(self.inner.say(phrase))

    def leave(self) -> None:
        """Go: before the start the seat is given up, later a bot plays for it."""
        self._wait(self.inner.leave())

    def ask(self, kind: type[wire.Request], **members: Any) -> Answer:
        """Make any other request of the protocol, such as `ask(messages.Bot, seat=1, level="thumb")`."""
        return self._wait(self.inner.ask(kind, **members))


def sit(link: Link | str, name: str, *, program: str = "", wants: Sequence[wire.Want] = ()) -> Table:
    """Sit down by a link under a name; a program says what it is."""
    link = Link.parse(link) if isinstance(link, str) else link
    server = Server(link.address)
    return Table(server, link.table, server.sit(link.table, link.code, name, program=program), wants=wants)


def watch(link: Link | str) -> Table:
    """Watch a table as a spectator."""
    link = Link.parse(link) if isinstance(link, str) else link
    return Table(Server(link.address), link.table)
