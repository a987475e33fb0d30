"""A bot that sits down at a served table and plays there until the sitting ends."""

from __future__ import annotations

import argparse
import asyncio
import signal

from ..client.errors import ClientError
from ..client.playing import BotAtTable, leave_politely, sit_down
from ..client.server import Link, Server
from ..engine import build
from ..lab.simulate import seed_number
from ..players.names import check_name
from ..server.messages import Described
from .arguments import seed_of
from .output import GOOD, WRONG, Misuse, complain


def join(asked: argparse.Namespace) -> int:
    """Sit down, and play until the sitting ends."""
    try:
        link = Link.parse(asked.link)
        bot = check_name(asked.bot)
    except ValueError as error:
        raise Misuse(str(error)) from None
    build.tell_if_slow()
    server = Server(link.address)
    playing = BotAtTable(bot, seed_number(seed_of(asked.seed)), complain)
    try:
        print(result(asyncio.run(sit_and_play(playing, server, link, asked.name, asked.rematch))))
    except ClientError as error:
        complain(str(error))
        return WRONG
    finally:
        playing.close()
    return GOOD


async def sit_and_play(playing: BotAtTable, server: Server, link: Link, name: str, rematch: bool) -> Described:
    """Sit down and play until the end; a signal to stop lets the bot leave politely, as Ctrl-C does."""
    task = asyncio.current_task()
    assert task is not None
    try:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    except NotImplementedError:  # on Windows
        pass
    seating = asyncio.ensure_future(asyncio.to_thread(sit_down, server, link, playing.name, name))
    try:
        try:
            place = await asyncio.shield(seating)
        except asyncio.CancelledError:
            await leave_politely(server, link.table, await seating)
            raise
        print(f"{playing.name} sits at seat {place.seat} of table {link.table}.", flush=True)
        return await playing.run(server, link.table, place, rematch)
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def result(table: Described) -> str:
    """How a sitting ended, in a sentence."""
    why = {"host": "The host ended the sitting.", "limit": "The sitting reached the table's limit."}
    won = [table["seats"][seat]["called"] for seat in table["winners"] or []]
    said = why.get(table["ended"] or "", "The sitting is over.")
    return f"{said} {'Winner' if len(won) == 1 else 'Winners'}: {', '.join(won)}." if won else said
