"""Worker processes of the server: fair turns, a bounded queue, deadlines, and workers that hang or are killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import toy

from parlour.games import REGISTRY, register
from parlour.server import workers as pools
from parlour.server.workers import Busy, Done, Failed, Work, WorkerPool
from support.rooms import until
from support.wait import WAIT, wait_until
from support.workers import begin_and_wait, compute, compute_in_vain, leave, leave_once, never_end, wait


def with_workers(doing: Callable[[WorkerPool], Awaitable[Any]], **settings: Any) -> Any:
    """Do something with worker processes, which wait as long as it takes, and end them."""

    async def run() -> Any:
        pool = WorkerPool(**{"patience": WAIT, "seconds": WAIT, **settings})
        try:
            return await doing(pool)
        finally:
            pool.close()

    return asyncio.run(run())


class Held:
    """Work that begins, and goes on only when it is let go."""

    def __init__(self, folder: Path, name: str, pool: WorkerPool, **more: Any) -> None:
        self.begun, self.go = folder / f"{name} begun", folder / f"{name} go"
        self.done = pool.run(Work(name, begin_and_wait, (str(self.begun), str(self.go)), **more))

    async def begins(self) -> None:
        await until(self.begun.exists, "the work was begun")

    async def let_go(self) -> Done:
        self.go.touch()
        return await self.done


def test_work_is_done_elsewhere_and_says_what_it_cost() -> None:
    async def doing(pool: WorkerPool) -> None:
        value, cpu = await pool.run(Work("a", compute, (10**6,)))
        assert value == sum(range(10**6)) and cpu > 0
        assert (await pool.run(Work("a", os.getpid, ()))).value != os.getpid()
        assert len(pool.workers) == 1, "another worker is started when it is needed"

    with_workers(doing)


def test_an_exception_of_the_work_is_told_and_harms_nothing() -> None:
    async def doing(pool: WorkerPool) -> None:
        before = (await pool.run(Work("a", os.getpid, ()))).value
        with pytest.raises(Failed, match=r"ValueError: .*non-negative"):
            await pool.run(Work("a", wait, (-1.0,)))
        assert (await pool.run(Work("a", os.getpid, ()))).value == before
        with pytest.raises(Failed, match="ValueError") as failed:
            await pool.run(Work("a", compute_in_vain, (10**6,)))
        assert failed.value.cpu > 0, "work that fails says what it cost, too"

    with_workers(doing)


def test_work_is_not_given_up_because_the_server_stood_still(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        held = Held(tmp_path, "a", pool)
        await held.begins()
        (worker,) = pool.workers
        assert worker.job is not None
        worker.job.stop_timer()
        loop = asyncio.get_running_loop()
        worker.job.timer = loop.call_at(loop.time() - 2.0, pool._overdue, worker)  # two seconds late: a pause
        await asyncio.sleep(0.01)
        assert (await held.let_go()).value == worker.process.pid

    with_workers(doing)


def test_work_that_never_ends_is_given_up_alone(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        hung = [pool.run(Work(f"hung {number}", never_end, (), seconds=0.5)) for number in range(2)]
        other = pool.run(Work("other", compute, (10,)))
        for each in hung:
            with pytest.raises(Failed, match=r"no answer within 0\.5 seconds"):
                await each
        assert (await other).value == 45

    with_workers(doing)


def test_another_worker_is_started_while_one_hangs_and_ended_afterwards(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        held = Held(tmp_path, "held", pool)
        await held.begins()
        pool.patience = 0.01
        found: list[Done] = []
        while not found:
            with suppress(Busy):
                found.append(await pool.run(Work("other", compute, (10,))))
        assert found[0].value == 45 and len(pool.workers) == 2
        await held.let_go()
        await until(lambda: len(pool.workers) == 1, "there were as many workers as usual")

    with_workers(doing, processes=1)


def test_work_that_waits_too_long_for_a_worker_is_refused(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        held = Held(tmp_path, "held", pool)
        await held.begins()
        with pytest.raises(Busy, match="busy; ask again in a moment"):
            await pool.run(Work("other", compute, (10,), patience=0.01))
        await held.let_go()
        assert (await pool.run(Work("other", compute, (10,)))).value == 45

    with_workers(doing, processes=1)


def test_the_queue_is_bounded(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        held = Held(tmp_path, "held", pool)
        await held.begins()
        waiting = [pool.run(Work(f"table {number}", compute, (number,))) for number in range(3)]
        with pytest.raises(Busy):
            await pool.run(Work("one more", compute, (10,)))
        await held.let_go()
        assert [done.value for done in await asyncio.gather(*waiting)] == [0, 0, 1]

    with_workers(doing, processes=1, most_waiting=3)


def test_work_for_which_nobody_waits_who_plays_leaves_half_of_the_queue(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        held = Held(tmp_path, "held", pool)
        await held.begins()
        waiting = [pool.run(Work(f"replay {number}", compute, (1,), urgent=False)) for number in range(2)]
        with pytest.raises(Busy):
            await pool.run(Work("one more", compute, (1,), urgent=False))
        waiting += [pool.run(Work(f"bot {number}", compute, (1,))) for number in range(2)]
        await held.let_go()
        assert [done.value for done in await asyncio.gather(*waiting)] == [0] * 4

    with_workers(doing, processes=1, most_waiting=4)


def test_tables_take_turns(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        held = Held(tmp_path, "held", pool)
        await held.begins()
        order: list[str] = []
        jobs = []
        for table in ("greedy", "greedy", "greedy", "a", "b", "a"):
            jobs.append(pool.run(Work(table, compute, (10,))))
            jobs[-1].add_done_callback(lambda _, table=table: order.append(table))
        await held.let_go()
        await asyncio.gather(*jobs)
        assert order == ["greedy", "a", "b", "greedy", "a", "greedy"]

    with_workers(doing, processes=1)


def test_a_table_that_used_up_its_share_never_takes_all_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "SHARE", 0.0)
    monkeypatch.setattr(pools, "BURST", 0.0)

    async def doing(pool: WorkerPool) -> None:
        for table in ("greedy 1", "greedy 2"):
            await pool.run(Work(table, compute, (10**5,)))
        first = Held(tmp_path, "greedy 1", pool)
        await first.begins()
        second = Held(tmp_path, "greedy 2", pool)
        assert (await pool.run(Work("honest", compute, (10,)))).value == 45
        assert not second.begun.exists()
        await first.let_go()
        await second.let_go()

    with_workers(doing)


def test_work_for_which_no_player_waits_never_takes_all_workers(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        replays = [Held(tmp_path, f"replay {number}", pool, urgent=False) for number in range(3)]
        await replays[0].begins()
        assert (await pool.run(Work("honest", compute, (10,)))).value == 45
        assert not any(each.begun.exists() for each in replays[1:])
        for each in replays:
            await each.let_go()

    with_workers(doing)


def test_a_killed_worker_is_replaced_and_its_work_done_all_the_same(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        first = (await pool.run(Work("a", os.getpid, ()))).value
        os.kill(first, signal.SIGKILL)
        second = (await pool.run(Work("a", os.getpid, ()))).value
        third = (await pool.run(Work("a", leave_once, (str(tmp_path / "left"),)))).value
        assert len({first, second, third}) == 3
        with pytest.raises(Failed, match="its process ended"):
            await pool.run(Work("a", leave, (3,)))
        assert (await pool.run(Work("a", compute, (10,)))).value == 45

    with_workers(doing)


def test_work_of_a_client_that_has_gone_is_not_begun(tmp_path: Path) -> None:
    async def doing(pool: WorkerPool) -> None:
        held = Held(tmp_path, "held", pool)
        await held.begins()
        gone = Held(tmp_path, "gone", pool)
        gone.done.cancel()
        await held.let_go()
        assert (await pool.run(Work("other", compute, (10,)))).value == 45
        assert not gone.begun.exists()

    with_workers(doing, processes=1)


def test_a_game_that_only_this_process_knows_is_thought_about_here() -> None:
    async def doing(pool: WorkerPool) -> None:
        known = Work("a", os.getpid, (), game="tontine")
        here = Work("a", os.getpid, (), game=toy.GAME.name)
        assert (await pool.run(known)).value != os.getpid()
        for _ in range(2):
            assert (await pool.run(here)).value == os.getpid()
        hung = [Work("a", wait, (3600.0,), game=toy.GAME.name, seconds=0.01) for _ in range(pools.THREADS)]
        for work in hung:
            with pytest.raises(Failed):
                await pool.run(work)
        with pytest.raises(Busy):
            await pool.run(here)
        assert (await pool.run(known)).value != os.getpid()

    register(toy.GAME)
    try:
        with_workers(doing)
    finally:
        REGISTRY.pop(toy.GAME.name)


def test_a_worker_ends_with_the_server_even_in_the_middle_of_work_that_never_ends(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    code = f"""
import asyncio
from parlour.server.workers import Work, WorkerPool
from support.workers import never_end
async def main():
    await WorkerPool(seconds={WAIT}).run(Work("a", never_end, ({str(begun)!r},)))
if __name__ == "__main__":
    asyncio.run(main())
"""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    server = subprocess.Popen([sys.executable, "-c", code], env=environment)
    try:
        wait_until(lambda: begun.exists() and begun.read_text(encoding="utf-8"), "the worker had begun")
        worker = int(begun.read_text(encoding="utf-8"))
        assert is_running(worker)
    finally:
        server.kill()
        server.wait(WAIT)
    wait_until(lambda: not is_running(worker), "the worker had ended")


def is_running(process: int) -> bool:
    """Whether a process runs; one that ended may wait to be noticed by its parent."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
