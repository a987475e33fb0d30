"""The five games as games of OpenSpiel, `parlour_masquerade` to `parlour_tontine`; importing this registers them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

try:
    import numpy as np
    import pyspiel
    from open_spiel.python import policy
except ImportError as error:
    raise ImportError(f"This needs {error.name}: pip install 'parlour[openspiel]'.") from None

from ..engine.bitset import UNTOLD
from ..engine.core import Seeded
from ..games import REGISTRY
from ..play.sitting import SPECTATOR
from ..sheets.model import Option, OptionError, Setting, Sheet
from .endgames import ending
from .rewards import SCORE, rewards
from .session import Referee, Setup, setup_of

RECALL = 128  # so many entries are kept in the tensor of an information state
MEMORIES = ("may_hold", "known_to_hold")


# --- what is played of each game, and how far it can go ---------------------------------------------------------------


class Reach(NamedTuple):
    """The most decisions and draws of chance that a sitting can have, and what a seat can lose and win at most."""

    decisions: int
    draws: int
    lost: float
    won: float


def scored(decisions: int, draws: int, span: int, players: int) -> Reach:
    """The reach of a sitting in which the scores of two seats can be so far apart."""
    most = span * (players - 1) / players
    return Reach(decisions, draws, -most, most)


def masquerade(setup: Setup) -> Reach:
    games = int(setup.options["games"])
    # a move is followed by a draw in an exchange, or by one for each who played, and the deals come before
    draws = 32 + 32 * games + 2 * setup.most_moves
    # 31 points, and then five at once for the first Masquerader
    return scored(setup.most_moves, draws, 36 * games, setup.players)


def lost_heir(setup: Setup) -> Reach:
    deals, players = int(setup.options["deal_limit"]), setup.players
    tricks = 48 // players
    fines = 3 * tricks * players if setup.options["mistakes"] == "penalised" else 0
    return scored((players + 1 + 48) * deals, 1 + 48 * deals, (tricks + 5 + 3 + fines) * deals, players)


def sovereign(setup: Setup) -> Reach:
    options, games = setup.options, int(setup.options["games"])
    turns = setup.players * int(options["round_limit"]) * games
    # each game costs two stakes at most; and where mistakes are penalised two a turn
    mistakes = 2 * int(options["round_limit"]) * int(options["penalty"])
    lost = games * (2 * int(options["stake"]) + (mistakes if options["mistakes"] == "penalised" else 0))
    # a turn is two offers of all coins, a throw and a take; a take may need a new surplus
    return Reach(20 * turns, 1 + 56 * games + 57 * turns, -float(lost), float((setup.players - 1) * lost))


def heraldry(setup: Setup) -> Reach:
    deals = setup.most_deals
    # every card is played once, taken at most once, and ends at most one choice of groups
    return scored(3 * 48 * deals, 1 + 48 * deals, 12 * deals, setup.players)


def tontine(setup: Setup) -> Reach:
    players, stake = setup.players, float(setup.options["stake"])
    return Reach(setup.most_moves, 1 + players * setup.most_moves, -stake, (players - 1) * stake)


@dataclass(frozen=True, slots=True)
class Play:
    """How a game is played here."""

    unit: tuple[str, int]  # what is played unless another length is asked for: so many of these
    reach: Callable[[Setup], Reach]
    lies_still: bool  # a card that leaves its place is seen by all, so that what is hidden lies where it was dealt
    has_endings: bool = False
    most_deals: int = 0  # for one of the unit; after so many it ends as it stands
    most_moves: int = 0  # and after so many of these


PLAYS = {
    # a game takes about a hundred moves, but nothing in its rules makes it end
    "masquerade": Play(("games", 1), masquerade, lies_still=False, most_moves=5000),
    "lost-heir": Play(("deal_limit", 1), lost_heir, lies_still=True, has_endings=True),
    "sovereign": Play(("games", 1), sovereign, lies_still=False),
    "heraldry": Play(("deals", 1), heraldry, lies_still=True, has_endings=True, most_deals=1),
    # a deal is one move
    "tontine": Play(("deals", 1000), tontine, lies_still=True, most_moves=1),
}


# --- what a game is played with ---------------------------------------------------------------------------------------


def parameter(option: Option) -> Setting:
    """The default of an option as OpenSpiel has it: one type each, so that 0 stands for a word among numbers."""
    return 0 if any(isinstance(value.name, int) for value in option.values) else option.default


def parameters(sheet: Sheet) -> dict[str, Setting]:
    """All parameters of a game, with their defaults."""
    play = PLAYS[sheet.game]
    found: dict[str, Setting] = {"players": sheet.usual}
    found |= {option.name: parameter(option) for option in sheet.options} | dict([play.unit])
    return found | {"seed": 0, "cards_left": 0} if play.has_endings else found


def setup_for(sheet: Sheet, given: Mapping[str, Setting]) -> Setup:
    """The game as these parameters ask for it; a wrong one raises OptionError."""
    players = sheet.check_players(given["players"])
    options = {
        option.name: option.default if option.values and given[option.name] == 0 else given[option.name]
        for option in sheet.options
    }
    checked = sheet.options_for(players, options)
    play = PLAYS[sheet.game]
    units = int(given[play.unit[0]])
    if not 1 <= units <= 100_000:
        raise OptionError(f"{play.unit[0]} must be a whole number from 1 to 100000, not {units}.")
    return setup_of(sheet.game, players, tuple(checked.items()), play.most_deals * units, play.most_moves * units)


def check_ending(sheet: Sheet, given: Mapping[str, Setting]) -> int:
    """With how many cards left in each hand the game begins, 0 for a whole deal; a wrong number raises OptionError."""
    left = int(given.get("cards_left", 0))
    unit, one = PLAYS[sheet.game].unit
    if left < 0:
        raise OptionError(f"cards_left must be a whole number from 0 on, not {left}.")
    if left and given[unit] != one:
        raise OptionError(f"With cards_left one deal is played, so that {unit} must be {one}.")
    return left


# --- the game and its states ------------------------------------------------------------------------------------------


class ParlourGame(pyspiel.Game):
    """One of the five games with its parameters; where `cards_left` is given, only the end of a deal."""

    name = ""

    def __init__(self, given: Mapping[str, Setting] | None = None) -> None:
        sheet = REGISTRY[self.name].sheet
        given = parameters(sheet) | dict(given or {})
        self.setup = setup_for(sheet, given)
        self.worlds: list[Referee] = []
        cards_left = check_ending(sheet, given)
        if cards_left:
            self.worlds = ending(self.setup, int(given["seed"]), cards_left)
        self.first = Referee(self.setup)
        self.reach = PLAYS[self.name].reach(self.setup)
        outcomes = len(self.worlds) or max(len(self.setup.game.codes), self.setup.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.game.steps,
            max_chance_outcomes=outcomes,
            num_players=self.setup.players,
            min_utility=self.reach.lost,
            max_utility=self.reach.won,
            utility_sum=0.0,
            max_game_length=self.reach.decisions,
        )
        super().__init__(TYPES[self.name], info, given)

    def new_initial_state(self) -> ParlourState:
        return ParlourState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1 if self.worlds else self.reach.draws

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> Observer | PrivateObserver:
        """What a seat knows, or (without private information) a spectator, or (without public) what sets them apart."""
        if params:
            raise ValueError("An observer of these games takes no parameters.")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("What can be observed is what one seat knows, or what a spectator does.")
        if kind.private_info == pyspiel.PrivateInfoType.NONE and not kind.public_info:
            raise ValueError("An observer without public and without private information would see nothing.")
        return Observer(self, kind) if kind.public_info else PrivateObserver()


class ParlourState(pyspiel.State):
    """A sitting at one moment; it has no referee before chance has said how the cards of an ending lie."""

    def __init__(self, game: ParlourGame) -> None:
        super().__init__(game)
        self.referee: Referee | None = None if game.worlds else game.first.copy()

    def current_player(self) -> int:
        if self.referee is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.referee.ended:
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.referee.state.seat
        return seat if seat >= 0 else int(pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        return self.referee is not None and self.referee.ended

    def _legal_actions(self, player: int) -> list[int]:
        assert self.referee is not None
        return self.referee.state.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.referee is None:
            size = len(self.get_game().worlds)
            return [(world, 1.0 / size) for world in range(size)]
        return self.referee.state.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.referee is None:
            self.referee = self.get_game().worlds[action].copy()
        else:
            self.referee.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.referee is None:
            return f"lie {action}"
        game, awaits = self.referee.setup.game, self.referee.state.awaits
        if player >= 0:
            return game.step_names[action]
        if awaits < 0:
            return f"chance {action}"  # asked of a state that is past it
        kind = game.entries[awaits].kind
        return f"{kind} {game.write_items(kind, [action])[0]}"

    def returns(self) -> list[float]:
        """The score of each seat less the mean of all, once it is over."""
        if self.referee is None or not self.referee.ended:
            return [0.0] * self.num_players()
        return rewards(self.referee.state, SCORE)

    def __str__(self) -> str:
        """The whole truth, for people who look for errors."""
        if self.referee is None:
            return "before the cards are divided"
        state = self.referee.state
        truth = {"where": state.where(), "scores": state.scores(), "since the deal": self.referee.since_deal}
        return f"{self.referee.knowledge(SPECTATOR)}\n{json.dumps(truth)}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ParlourState:
        """A state that agrees with all that a player knows: it has the same information state and legal steps.

        Where hidden cards lie still it has a whole history; in the other games it begins now, and its history is empty.
        """
        if self.referee is None or self.referee.ended or self.referee.state.seat < 0:
            raise ValueError("An information state is resampled where a seat is to decide.")
        game = self.get_game()
        luck = Seeded(int(sampler() * (1 << 53)))
        if game.worlds:
            return self._other_world(player, luck)
        world = self.referee.imagine(player, luck)
        state: ParlourState = game.new_initial_state()
        if PLAYS[game.name].lies_still:
            for action in self.referee.told_again(player, world, luck):
                state.apply_action(action)
        else:
            state.referee = self.referee.from_now_on(player, world)
        return state

    def _other_world(self, player: int, luck: Seeded) -> ParlourState:
        """Any of the worlds of an ending in which the player knows the same."""
        assert self.referee is not None
        game = self.get_game()
        knows = self.referee.knowledge(player)
        first, *steps = self.history()
        if self.referee.laid and player != self.referee.state.seat:
            steps = steps[: -len(self.referee.laid)]
        held = game.worlds[first].text(player)
        left = [at for at, world in enumerate(game.worlds) if world.text(player) == held]
        while True:
            state: ParlourState = game.new_initial_state()
            state.apply_action(left.pop(luck.number_below(len(left))))
            for step in steps:
                if step not in state.legal_actions():
                    break
                state.apply_action(step)
            else:
                if state.referee is not None and state.referee.knowledge(player) == knows:
                    return state


# --- what is seen -----------------------------------------------------------------------------------------------------


class Observer(threading.local):
    """What a player knows, as a string and as named arrays (`docs/openspiel.md` says what stands in them).

    OpenSpiel asks one observer for all states of a game, and fills its arrays before it reads them: each thread has
    arrays of its own.
    """

    def __init__(self, game: ParlourGame, kind: Any) -> None:
        self.setup = game.setup
        self.worlds = game.worlds
        self.recalls = bool(kind.perfect_recall)
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.layout = self.setup.desk.sights[0].layout()
        shapes: list[tuple[str, tuple[int, ...]]] = [
            (name, (rows, size) if rows > 1 else (size,)) for name, rows, size in self.layout
        ]
        cards, seats = len(self.setup.game.codes), self.setup.players
        self.sides = len(game.first.state.scores())
        if self.recalls:
            known = game.first.sight(0).fields()
            shapes += [(name, (seats, cards)) for name in MEMORIES if name in known]
            self.width = len(self.setup.game.entries) + 2 * seats + 2 * cards + 2
            shapes.append(("told", (RECALL, self.width)))
        self.tensor = np.zeros(sum(int(np.prod(shape)) for _, shape in shapes), np.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in shapes:
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size
        self.seen = bytearray(sum(rows * size for _, rows, size in self.layout))

    def set_from(self, state: ParlourState, player: int) -> None:
        """Fill the arrays; before the cards of an ending are divided there is nothing in them."""
        referee = state.referee
        self.tensor.fill(0)
        if referee is None:
            return
        seat = player if self.private else SPECTATOR
        referee.sight(seat).write(self.seen)
        self.tensor[: len(self.seen)] = np.frombuffer(self.seen, np.uint8)
        if self.recalls:
            self.remember(referee.view(seat).fields(), max(seat, 0))
            told = self.dict["told"]
            for at, row in enumerate(referee.rows(seat)[-RECALL:]):
                self.tell(told[at], row, max(seat, 0))

    def remember(self, fields: Mapping[str, Any], seat: int) -> None:
        """Who may hold each card, or is known to hold so many, from one's own seat on leftwards."""
        game, players = self.setup.game, self.setup.players
        if "may_hold" in fields:
            for code, holders in fields["may_hold"].items():
                for holder in holders:
                    self.dict["may_hold"][(holder - seat) % players, game.card(code)] = 1
        if "known_to_hold" in fields:
            for holder, known in enumerate(fields["known_to_hold"]):
                for code, count in known.items():
                    self.dict["known_to_hold"][(holder - seat) % players, game.card(code)] = count

    def tell(self, place: Any, row: Sequence[int], seat: int) -> None:
        """One told entry: its kind, the seats or the side in it, the card, the cards, and its numbers."""
        game, players = self.setup.game, self.setup.players
        kinds, cards = len(game.entries), len(game.codes)
        place[row[0]] = 1
        seats_at, card_at, number_at = kinds, kinds + 2 * players, kinds + 2 * players + 2 * cards
        for field in game.told_fields[row[0]]:
            if field.type == "cards":
                for item in row[5:]:
                    if item != UNTOLD:
                        place[card_at + cards + item] += 1
                continue
            value = row[1 + field.slot] if field.slot < 4 else UNTOLD
            if value == UNTOLD or field.type == "clause":
                continue
            if field.type == "card":
                place[card_at + value] = 1
            elif field.type in ("seat", "place", "side"):
                if value < players:
                    place[seats_at + (value - seat) % (self.sides if field.type == "side" else players)] = 1
                seats_at += players
            else:
                place[number_at] = value
                number_at += 1

    def string_from(self, state: ParlourState, player: int) -> str:
        """All that the player knows, entry by entry; or what it sees and remembers now."""
        seat = player if self.private else SPECTATOR
        if state.referee is None:
            return self.worlds[0].text(SPECTATOR)
        return state.referee.knowledge(seat) if self.recalls else json.dumps(state.referee.view(seat).fields())


class PrivateObserver:
    """What a player sees now that a spectator does not, as a string only."""

    tensor = None
    dict: Mapping[str, Any] = {}

    def set_from(self, state: ParlourState, player: int) -> None:
        """There are no arrays to fill."""

    def string_from(self, state: ParlourState, player: int) -> str:
        """The fields of the player's view that are not the same to a spectator."""
        if state.referee is None:
            return ""
        public = state.referee.view(SPECTATOR).fields()
        own = state.referee.view(player).fields()
        return json.dumps({name: value for name, value in own.items() if value != public[name]})


class Thumb(policy.Policy):
    """The players' rule of thumb as a policy: one step for certain."""

    def __init__(self, game: ParlourGame) -> None:
        super().__init__(game, list(range(game.num_players())))

    def action_probabilities(self, state: ParlourState, player_id: int | None = None) -> dict[int, float]:
        assert state.referee is not None
        return {state.referee.sight(state.current_player()).heuristic(Seeded()): 1.0}


def type_of(sheet: Sheet) -> Any:
    """How OpenSpiel is told of a game."""
    return pyspiel.GameType(
        short_name=f"parlour_{sheet.game.replace('-', '_')}",
        long_name=sheet.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(sheet.players),
        min_num_players=min(sheet.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(sheet),
    )


TYPES = {name: type_of(game.sheet) for name, game in REGISTRY.items()}
for _name, _type in TYPES.items():
    # OpenSpiel keeps what it is given until after Python has ended, and then only a class does no harm
    pyspiel.register_game(_type, type("ParlourGame", (ParlourGame,), {"name": _name}))
