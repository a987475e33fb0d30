"""What goes wrong in a simulated world."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

from parlour.server.retention import DAY, HOUR

from . import store

if TYPE_CHECKING:
    from .world import World


# Seconds by which a clock is wrong. No two differ by 2 to 7 days: a start so much later is believed, as a server may
# have been off, and tables at which people gather are marked then.
CLOCK_ERRORS = (0.0, 0.0, 1200.0, -1200.0, 3 * HOUR, -3 * HOUR, DAY, 10 * DAY, -10 * DAY, 100 * DAY, -100 * DAY, 4e8)


async def trouble(world: World) -> None:
    """One fault after the other, until the world is calm."""
    luck = world.luck
    faults = (kill, kill, kill, stop_and_start, bad_disk, bad_disk, partition, partition, pause, slow_threads, bad_bots)
    chosen = luck.sample(faults, luck.randint(1, 5))  # each world has its own troubles
    if world.wrong_clock:
        chosen += [wrong_clock] * len(chosen)
    while not world.well:
        await asyncio.sleep(luck.expovariate(1 / world.trouble_seconds))
        if not world.well and world.server.up:
            fault = luck.choice(chosen)
            world.trace("fault", fault.__name__)
            world.faults += 1
            await fault(world)


def steps_ahead(world: World) -> int:
    """Any number of steps, small ones as likely as large ones."""
    return world.loop.server_steps + int(math.exp(world.luck.uniform(0.0, 8.0)))


async def kill(world: World) -> None:
    """The server is killed between any two of its steps, and started again."""
    struck = asyncio.Event()

    def strike() -> None:
        world.trace("fault", "killed")
        world.kill()
        struck.set()

    world.loop.doom = (steps_ahead(world), strike)
    try:
        await asyncio.wait_for(struck.wait(), 600.0)
    except TimeoutError:
        world.loop.doom = None
        return
    world.checks.logs_are_whole()
    while True:
        await asyncio.sleep(world.luck.expovariate(1.0))
        world.start()
        if world.luck.random() < 0.7:
            return
        # and again, while it starts
        struck.clear()
        world.loop.doom = (world.loop.server_steps + world.luck.randint(1, 40), strike)
        try:
            await asyncio.wait_for(struck.wait(), 600.0)
        except TimeoutError:  # its disk failed, and it started again by itself
            world.loop.doom = None
            return
        world.checks.logs_are_whole()


async def stop_and_start(world: World) -> None:
    """The server is stopped as it should be, and started again."""
    await world.server.stop()
    world.checks.logs_are_whole()
    await asyncio.sleep(world.luck.expovariate(1.0))
    world.start()


async def wrong_clock(world: World) -> None:
    """The machine's date is set, right or wrong, while the server runs; often it starts again with that date."""
    world.server.clock_error = world.luck.choice(CLOCK_ERRORS)
    world.trace("fault", f"the clock is wrong by {world.server.clock_error:.0f} seconds")
    if world.luck.random() < 0.7:
        await world.luck.choice((stop_and_start, kill))(world)


async def bad_disk(world: World) -> None:
    """For a while the disk is full, fails, or is slow."""
    world.disk.state = world.luck.choice((store.FULL, store.FAILING, store.SLOW))
    world.trace("fault", world.disk.state)
    await asyncio.sleep(world.luck.expovariate(1 / 20.0))
    if world.luck.random() < 0.3:
        await world.until_up()
        world.kill()
        world.checks.logs_are_whole()
        await asyncio.sleep(world.luck.expovariate(1.0))
        world.start()
    world.disk.state = store.WELL


async def partition(world: World) -> None:
    """Some clients cannot reach the server for a while, or lose their connections."""
    share = world.luck.choice((0.1, 0.5, 1.0))
    seconds = world.luck.expovariate(1 / 40.0)
    for person in world.people:
        if person.link is not None and world.luck.random() < share:
            if world.luck.random() < 0.5:
                person.link.cut()
            else:
                person.link.stall(seconds)


async def pause(world: World) -> None:
    """The server stands still, as a suspended machine does."""
    seconds = math.exp(world.luck.uniform(0.0, 6.5))
    world.stops.append((world.loop.at, world.loop.at + seconds))
    world.loop.stop_server(seconds)
    await asyncio.sleep(seconds)


async def slow_threads(world: World) -> None:
    """Threads take long: the machine is busy."""
    usual = world.loop.thinking_seconds
    world.loop.thinking_seconds = world.luck.choice((0.5, 5.0, 30.0))
    await asyncio.sleep(world.luck.expovariate(1 / 30.0))
    world.loop.thinking_seconds = usual


async def bad_bots(world: World) -> None:
    """Bots fail for a while."""
    world.server.workers.failing = 0.3
    await asyncio.sleep(world.luck.expovariate(1 / 30.0))
    world.server.workers.failing = 0.0
