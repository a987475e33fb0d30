#!/usr/bin/env python3
"""The nets that come with the package: how training went, and whether C, plain Python and NumPy choose alike.

    python bench/nets.py [--decisions 100000] [--curves FOLDER]

For each net sittings are played by it, with C; of every decision with more than one legal step the observation, the
legal steps and the step of the rules of thumb are given to the same net in plain Python (an interpreted process) and in
NumPy. `--curves` takes over what `tools/train_net.py --curve FILE` wrote. It all goes into docs/strength/nets.json, a
drawing of the curves, and the table in docs/players.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import numpy as np  # noqa: E402
import train_net  # noqa: E402

import parlour  # noqa: E402
from parlour import Seeded  # noqa: E402
from parlour.players.nets import file_of, net_of, players_with_nets, read_weights  # noqa: E402

KEPT = ROOT / "docs" / "strength" / "nets.json"
DRAWN = ROOT / "docs" / "strength" / "nets.svg"
PAGE = ROOT / "docs" / "players.md"
START, END = "<!-- made by bench/nets.py -->\n", "<!-- end of what bench/nets.py made -->\n"
COLOURS = ("#0a58a8", "#b3541e", "#2d7d46", "#7a3e9d")


def played(name: str, players: int, decisions: int) -> tuple[dict[str, Any], float]:
    """Decisions of sittings that the compiled net plays: what was seen, and what was chosen; microseconds a choice."""
    game = parlour.game(name)
    options = game.options_for(players, {})
    net, state = net_of(game, players, options), game.state_type(players, options)
    views = [game.view_type(players, seat, options) for seat in range(players)]
    seen = np.zeros((decisions, net.inputs), np.uint8)
    masks, plans, chosen = np.zeros((decisions, net.steps), bool), np.zeros(decisions, int), np.zeros(decisions, int)
    one, other, at, number, spent = Seeded(), Seeded(), 0, 0, []
    while at < decisions:
        state.begin(Seeded(1, number))
        number += 1
        while not state.over and at < decisions:
            view = views[state.seat].see(state)
            legal = view.legal()
            plan = view.heuristic(one)
            start = time.perf_counter()
            step = net.choose(view, other)
            if len(legal) > 1:
                spent.append(time.perf_counter() - start)
                view.encode(seen[at].data)
                masks[at, legal], plans[at], chosen[at] = True, plan, step
                at += 1
            state.play(step)
    return {"seen": seen, "masks": masks, "plans": plans, "chosen": chosen}, 1e6 * median(spent)


class Recorded:
    """A decision that was written down, as a net looks at a view."""

    def __init__(self, seen: bytes, legal: list[int], plan: int) -> None:
        self.seen, self.plan, self.base = seen, plan, legal[0]
        self.steps = sum(1 << (step - legal[0]) for step in legal)

    def _heuristic(self, luck: Seeded) -> int:
        return self.plan

    def _encode(self, buffer: Any, at: int) -> int:
        buffer[at : at + len(self.seen)] = self.seen
        return at + len(self.seen)


def choose_plainly(file: str, name: str, players: int) -> None:
    """In an interpreted process: print what the net chooses in plain Python for the decisions of a file."""
    assert not parlour.engine.build.is_compiled()
    game, luck = parlour.game(name), Seeded()
    net = net_of(game, players, game.options_for(players, {}))
    told = np.load(file)
    steps = []
    for row, mask, plan in zip(told["seen"], told["masks"], told["plans"], strict=True):
        view: Any = Recorded(row.tobytes(), np.flatnonzero(mask).tolist(), int(plan))
        steps.append(net._choose(view, luck))
    print(json.dumps(steps))


def in_plain_python(told: dict[str, Any], name: str, players: int) -> Any:
    """What plain Python chooses."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/decisions.npz"
        np.savez(file, **told)
        environment = os.environ | {"PARLOUR_INTERPRETED": "1"}
        command = [sys.executable, __file__, "--plain", file, name, str(players)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return np.array(json.loads(done.stdout))


def in_numpy(told: dict[str, Any], name: str, players: int) -> Any:
    """What NumPy chooses, a thousand decisions at a time."""
    head, parts = read_weights(file_of(parlour.game(name), players).read_bytes())
    first, biases, second, own = (np.array(part, np.int64) for part in parts)
    weights = {
        "first": first.reshape(head["inputs"], -1),
        "biases": biases,
        "second": second.reshape(head["steps"], -1),
        "own": own,
        "bonus": head["bonus"],
    }
    rows = [slice(at, at + 1000) for at in range(0, len(told["chosen"]), 1000)]
    return np.concatenate(
        [
            train_net.choose(weights, told["seen"][part].astype(np.int64), told["masks"][part], told["plans"][part])
            for part in rows
        ]
    )


def measured(name: str, players: int, decisions: int) -> dict[str, Any]:
    """The figures of one net."""
    told, microseconds = played(name, players, decisions)
    head, _ = read_weights(file_of(parlour.game(name), players).read_bytes())
    return {
        "game": name,
        "players": players,
        "bytes": file_of(parlour.game(name), players).stat().st_size,
        "trained": head["trained"],
        "decisions": decisions,
        "microseconds": round(microseconds, 1),
        "plain": int((in_plain_python(told, name, players) == told["chosen"]).sum()),
        "numpy": int((in_numpy(told, name, players) == told["chosen"]).sum()),
        "unlike thumb": int((told["chosen"] != told["plans"]).sum()),
    }


def drawn(nets: list[dict[str, Any]]) -> str:
    """The curves: what a deal brings a net more than the rules of thumb, by the decisions that it has seen."""
    curves = [net for net in nets if "curve" in net]
    most = max([point[0] for net in curves for point in net["curve"]])
    high = max([point[1] + point[2] for net in curves for point in net["curve"]])
    low = min([0.0, *[point[1] - point[2] for net in curves for point in net["curve"]]])

    def place(count: float, gain: float) -> tuple[float, float]:
        return 60 + 460 * count / most, 260 - 230 * (gain - low) / (high - low)

    def label(x: float, y: float, words: str, more: str = "") -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{words}</text>'

    parts = []
    for gain in np.arange(np.ceil(low * 5) / 5, high, 0.2):
        x, y = place(0, gain)
        parts.append(f'<line x1="{x}" x2="520" y1="{y:.1f}" y2="{y:.1f}" stroke="#d8dee4"/>')
        parts.append(label(x - 8, y + 4, f"{gain:+.1f}".replace("-", "−"), ' text-anchor="end"'))
    for million in range(0, int(most / 1e6) + 1, 2):
        parts.append(label(place(million * 1e6, 0)[0], 282, f"{million} million", ' text-anchor="middle"'))
    for colour, net in zip(COLOURS, curves, strict=False):
        points = [(0, 0.0, 0.0), *net["curve"]]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(count, gain) for count, gain, _ in points))
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for count, gain, within in points[1:]:
            (x, top), (_, foot) = place(count, gain + within), place(count, gain - within)
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{foot:.1f}" stroke="{colour}"/>')
        x, y = place(*points[-1][:2])
        parts.append(label(x + 8, y + 4, f"{parlour.game(net['game']).title}, {net['players']}", f' fill="{colour}"'))
    title = "<title>Training the nets: gain a deal on the rules of thumb by decisions seen</title>"
    style = 'font-family="system-ui, sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 300" width="700" {style}>{title}'
    return f'{head}<rect width="700" height="300" fill="#fff"/>{"".join(parts)}</svg>\n'


def table(nets: list[dict[str, Any]]) -> str:
    """The figures of all nets, for the page."""
    lines = [
        "| net | kB | seed | decisions seen | alike in C, Python and NumPy | unlike `thumb` | a choice |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for net in nets:
        about, count = net["trained"], net["decisions"]
        alike = f"all of {count:,}" if net["plain"] == net["numpy"] == count else f"{net['plain']:,}, {net['numpy']:,}"
        seen = f"{about['updates'] * train_net.PLACES / 1e6:.1f} million"
        cells = [f"{parlour.game(net['game']).title}, {net['players']} players", round(net["bytes"] / 1000)]
        cells += [about["seed"], seen, alike, f"{100 * net['unlike thumb'] / count:.0f} %"]
        lines.append(f"| {' | '.join(map(str, cells))} | {net['microseconds']} µs |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--curves", type=Path, help="a folder of files that tools/train_net.py wrote")
    parser.add_argument("--plain", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.plain:
        choose_plainly(asked.plain[0], asked.plain[1], int(asked.plain[2]))
        return
    before = {(net["game"], net["players"]): net for net in json.loads(KEPT.read_text())} if KEPT.exists() else {}
    curves = {}
    for file in sorted(asked.curves.glob("curve-*.json")) if asked.curves else ():
        told = json.loads(file.read_text())
        curves[told["game"], told["players"]] = told
    nets = []
    for name in parlour.GAMES:
        for players in players_with_nets(parlour.game(name)):
            net = measured(name, players, asked.decisions)
            told = curves.get((name, players)) or before.get((name, players), {})
            nets.append(net | {key: told[key] for key in ("seconds", "curve") if key in told})
            print(nets[-1], flush=True)
    KEPT.write_text(json.dumps(nets, indent=1) + "\n", encoding="utf-8")
    if any("curve" in net for net in nets):
        DRAWN.write_text(drawn(nets), encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    first, last = page.index(START) + len(START), page.index(END)
    PAGE.write_text(page[:first] + "\n" + table(nets) + "\n" + page[last:], encoding="utf-8")


if __name__ == "__main__":
    main()
