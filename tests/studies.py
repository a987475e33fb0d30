"""Results of studies as the lab writes them, for the tests of reports: figures of the right shape, drawn by a seed."""

from __future__ import annotations

import random
from typing import Any

from parlour import GAMES, __version__, sheet

NAMES = ("name", "title", "says", "range", "better", "unit", "known_as")
METRICS: list[dict[str, Any]] = [
    dict(zip(NAMES, metric, strict=True))
    for metric in [
        ("completion", "Completion", "How many end by the sheet's own rule.", [0, 1], "more", "", "Completion (Ludii)"),
        ("decisions", "Decisions", "How many a sitting takes.", [0, None], "neither", "a sitting", "DurationMoves"),
        ("advantage", "Seat advantage", "How far the best seat is above its share.", [0, 1], "less", "", "AdvantageP1"),
        ("drama", "Drama", "How far behind the winner was, on average.", [0, 1], "more", "", "Drama (Ludii)"),
        ("lead", "Lead changes", "How often the lead changes hands.", [0, None], "more", "", "LeadChange (Ludii)"),
        ("choice", "Real choices", "The share of decisions with several steps.", [0, 1], "more", "", ""),
        ("skill", "Skill", "How far a stronger bot is ahead of a weaker one.", [-1, 1], "more", "", ""),
        ("luck", "Luck", "The share of the variance that the deal explains.", [0, 1], "less", "", ""),
        ("decisive", "Decisiveness", "The share of sittings with a single winner.", [0, 1], "more", "", ""),
    ]
]
USUAL = {
    "completion": 1.0, "decisions": 146.2, "advantage": 0.031, "drama": 0.284, "lead": 3.61, "choice": 0.612,
    "skill": 0.337, "luck": 0.214, "decisive": 0.971,
}  # fmt: skip


def rounded(value: float) -> float:
    return float(f"{value:.6g}")


def estimate(value: float, half: float) -> dict[str, float]:
    return {"value": rounded(value), "low": rounded(value - half), "high": rounded(value + half)}


def study(game: str, kind: str = "readings", sittings: int = 100_000) -> dict[str, Any]:
    """A result for a game: of all its readings, or of the numbers of players."""
    assert game in GAMES
    luck, page = random.Random(f"{game} {kind}"), sheet(game)
    wide = (100_000 / sittings) ** 0.5

    def values(scale: float) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, usual in USUAL.items():
            if game == "tontine" and name in ("choice", "skill"):  # nothing is decided there
                found[name] = None
                continue
            half = 0.0 if name == "completion" else abs(usual) * 0.012 * wide
            shift = 0.0 if name == "completion" else scale * luck.gauss(0, 0.05) * usual
            found[name] = estimate(min(usual + shift, 0.99) if usual < 1 else usual + shift, half)
        return found

    def row(players: int, option: str, value: Any, scale: float, clause: str = "") -> dict[str, Any]:
        given = {option: value} if option else {}
        made = {
            "players": players, "option": option, "value": str(value), "clause": clause, "usual": not option,
            "options": page.options_for(players, given), "sittings": sittings, "values": values(scale),
            "differences": dict.fromkeys(USUAL),
        }  # fmt: skip
        if option:
            for name, found in list(made["values"].items()):
                usual = rows[0]["values"][name]
                if found:
                    half = (found["high"] - found["low"]) / 3
                    made["differences"][name] = estimate(found["value"] - usual["value"], half)
        return made

    rows: list[dict[str, Any]] = []
    ranking: list[dict[str, Any]] = []
    if kind == "game":
        rows = [row(players, "", "", 1.0) | {"usual": players == page.usual} for players in page.players]
    else:
        rows.append(row(page.usual, "", "", 0.0))
        for option in page.options:
            values_of = [(value.name, value.players) for value in option.values]
            for value, players in values_of or [(value, page.players) for value in (option.low, min(option.high, 20))]:
                if value == option.default_for(page.usual) or page.usual not in players:
                    continue
                scale = luck.choice([0.0, 0.3, 1.0, 3.0])
                made = row(page.usual, option.name, value, scale, option.clause)
                rows.append(made)
                differences = {name: found for name, found in made["differences"].items() if found}
                most = max(differences, key=lambda name: abs(differences[name]["value"] / USUAL[name]))
                found = differences[most]
                effect = abs(found["value"] / USUAL[most]) / 0.1
                half = (found["high"] - found["low"]) / 2 / abs(USUAL[most]) / 0.1
                ranking.append(
                    {
                        "clause": option.clause, "option": option.name, "value": str(value), "effect": rounded(effect),
                        "metric": most, "interval": [rounded(effect - half), rounded(effect + half)],
                    }
                )  # fmt: skip
        ranking.sort(key=lambda item: -item["effect"])
    unwanted = [
        {
            "option": item["option"], "value": item["value"], "metric": item["metric"],
            "why": "One sitting in five does not end by itself.",
        }
        for item in ranking[:1]
    ]  # fmt: skip
    what = "readings" if kind == "readings" else "game"
    return {
        "format": "parlour lab 1", "version": __version__, "kind": kind,
        "command": f"parlour lab {what} {game} --seed 1 --sittings {sittings}",
        "game": game, "title": page.title, "rules": page.rules, "seed": "1", "sittings": sittings, "blocks": 100,
        "bots": {"table": "thumb", "stronger": "thumb", "weaker": "random"},
        "method": {"luck": {"deals": 1000, "replays": 20}, "yardstick": "the difference of a share"},
        "metrics": METRICS, "rows": rows, "ranking": ranking, "unwanted": unwanted,
    }  # fmt: skip
