"""The page in Chromium: its weight, how soon something is seen, how long its tasks are, what it keeps in memory.

    python bench/page.py [--deals 100] [--games masquerade,tontine …] [--json FILE]

A real server and the real browser of this machine. Weight is what comes over the line from the room to the first card.
Tasks are those that the browser itself reports as longer than 50 ms, while somebody plays at the usual pace. Memory
is the heap after a collection, over many deals of Tontine with 52 seats, one sitting after another at one page.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from machine import cpu_model

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from support.browser import GAMES, Visitor, chromium
from support.server import Server

WATCH = """() => {
  window.tasks = [];
  new PerformanceObserver(list => window.tasks.push(...list.getEntries().map(each => Math.round(each.duration))))
    .observe({ type: "longtask" });
}"""
TURNS = 12


def first_card(visitor: Visitor, game: str) -> dict[str, float]:
    """From the address to something seen, and from the click to the first card in hand."""
    line = visitor.context.new_cdp_session(visitor.page)
    line.send("Network.enable")
    came: list[float] = []
    line.on("Network.dataReceived", lambda part: came.append(part["encodedDataLength"]))
    visitor.go()
    visitor.page.locator(f"[data-play={game}]").wait_for()
    painted = visitor.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    start = time.monotonic()
    visitor.page.locator(f"[data-play={game}]").click()
    visitor.page.locator("[data-table] use").first.wait_for(state="attached")
    return {"bytes": sum(came), "painted_ms": painted, "table_ms": 1000 * (time.monotonic() - start)}


def tasks(visitor: Visitor, game: str) -> list[int]:
    """The long tasks of some turns, with motion, at the usual pace."""
    visitor.page.evaluate(WATCH)
    for _ in range(1 if game == "tontine" else TURNS):  # where one's turn comes once in a dozen deals
        if visitor.until("mine", "over", seconds=300, hurry=False) == "over":
            break
        visitor.take_one()
        visitor.settle()
    found: list[int] = visitor.page.evaluate("window.tasks")
    return found


def heap(visitor: Visitor) -> float:
    """Mebibytes in use after a collection."""
    line = visitor.context.new_cdp_session(visitor.page)
    line.send("HeapProfiler.collectGarbage")
    line.send("Performance.enable")
    metrics = {each["name"]: each["value"] for each in line.send("Performance.getMetrics")["metrics"]}
    nodes = metrics["Nodes"]
    line.detach()
    print(f"    {metrics['JSHeapUsedSize'] / 2**20:.1f} MiB, {nodes:.0f} nodes", file=sys.stderr)
    return float(metrics["JSHeapUsedSize"]) / 2**20


def many_deals(visitor: Visitor, deals: int) -> dict[int, float]:
    """The heap by deals of Tontine with 52 seats that were played, about every ten."""
    found: dict[int, float] = {}
    before = 0  # in the sittings that are over
    visitor.go()
    while True:
        visitor.arrange("tontine", 52, stake=100)
        while (doing := visitor.doing) != "over":
            done = before + visitor.view["deal"]
            if done >= max(found, default=-10) + 10:
                found[done] = heap(visitor)
            if done >= deals:
                return found
            if doing == "mine":
                visitor.take_one()
            visitor.page.keyboard.press("x")
            visitor.page.wait_for_timeout(20)
        before += visitor.view["deal"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--json")
    asked = parser.parse_args()
    report: dict[str, Any] = {"machine": cpu_model(), "games": {}}
    with chromium() as browser, tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "data") as server:
        for game in asked.games.split(","):
            with Visitor(
                browser, server, painted=True, service_workers="block", reduced_motion="no-preference"
            ) as visitor:
                row: dict[str, Any] = first_card(visitor, game)
                row["long_tasks"] = tasks(visitor, game)
            report["games"][game] = row
            print(
                f"{game:<11} {row['bytes'] / 1024:6.1f} KiB, painted after {row['painted_ms']:4.0f} ms, table after "
                f"{row['table_ms']:4.0f} ms, long tasks (ms): {sorted(row['long_tasks'], reverse=True)[:5]}"
            )
        if asked.deals:
            with Visitor(browser, server, painted=True) as visitor:
                report["heap"] = many_deals(visitor, asked.deals)
            course = ", ".join(f"{each:.1f} at {deal}" for deal, each in report["heap"].items())
            print(f"Tontine, 52 seats, MiB of heap by deals played: {course}")
    if asked.json:
        Path(asked.json).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
