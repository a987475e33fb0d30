"""OpenSpiel games: every game of the registry as `parlour_<name>`; importing this module registers them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

try:
    import numpy as np
    import pyspiel
    from open_spiel.python import policy
except ImportError as error:
    needed = f"This needs {error.name}; from a checkout, install it with: pip install '.[openspiel]'"
    raise ImportError(needed) from None

from ..engine.bitset import UNTOLD
from ..engine.core import Seeded
from ..engine.fields import CountsEach, Holders
from ..engine.game import Game
from ..games import REGISTRY, load_entry_points
from ..games import game as game_of
from ..games.profile import Bounds, profile_of
from ..play.sitting import SPECTATOR
from ..sheets.model import Option, OptionError, Setting
from .endgames import endgame
from .rewards import SCORE, rewards
from .session import Session, Setup, setup_of

__all__ = ["ParlourGame", "ParlourState", "Thumb"]

RECALL = 128  # how many entries the tensor of an information state holds


# --- parameters -------------------------------------------------------------------------------------------------------


def default_of(option: Option) -> Setting:
    """The default of an option as OpenSpiel has it: of a single type, so that 0 stands for a word among numbers."""
    numbers = not option.values or any(isinstance(value.name, int) for value in option.values)
    return 0 if numbers and isinstance(option.default, str) else option.default


def parameters(game: Game) -> dict[str, Setting]:
    """All parameters of a game, with their defaults."""
    profile = profile_of(game)
    found: dict[str, Setting] = {"players": game.sheet.usual}
    found |= {option.name: default_of(option) for option in game.sheet.options}
    found |= dict([profile.length] if profile.length else [])
    return found | {"seed": 0, "cards_left": 0} if profile.has_endgames else found


def units_of(game: Game, given: Mapping[str, Setting]) -> int:
    """The length of an episode, in deals or games; a wrong one raises OptionError."""
    length = profile_of(game).length
    if length is None:
        return 1
    units = int(given[length[0]])
    if not 1 <= units <= 100_000:
        raise OptionError(f"{length[0]} must be a whole number from 1 to 100000, not {units}.")
    return units


def setup_for(game: Game, given: Mapping[str, Setting]) -> Setup:
    """The setup for these parameters; a wrong one raises OptionError."""
    sheet, profile = game.sheet, profile_of(game)
    players = sheet.check_players(given["players"])
    options = {
        option.name: given[option.name]
        for option in sheet.options
        if given[option.name] != 0 or default_of(option) == option.default  # otherwise 0 stands for the default
    }
    checked = sheet.options_for(players, options)
    units = units_of(game, given)
    limits = profile.deals_per_unit * units, profile.moves_per_unit * units
    return setup_of(game.name, players, tuple(checked.items()), *limits)


def cards_left_of(game: Game, given: Mapping[str, Setting]) -> int:
    """The cards in each hand at the start of an end-game, 0 for a whole deal; a wrong number raises OptionError."""
    left = int(given.get("cards_left", 0))
    length = profile_of(game).length
    if left < 0:
        raise OptionError(f"cards_left must be a whole number from 0 on, not {left}.")
    if left and length and given[length[0]] != length[1]:
        raise OptionError(f"With cards_left only one deal is played, so {length[0]} must be {length[1]}.")
    return left


# --- the game and its states ------------------------------------------------------------------------------------------


class ParlourGame(pyspiel.Game):
    """A game with its parameters; where `cards_left` is given, only the end of a deal."""

    name = ""

    def __init__(self, given: Mapping[str, Setting] | None = None) -> None:
        game = game_of(self.name)
        given = parameters(game) | dict(given or {})
        self.profile = profile_of(game)
        self.setup = setup_for(game, given)
        cards_left = cards_left_of(game, given)
        self.worlds = endgame(self.setup, int(given["seed"]), cards_left) if cards_left else []
        self.first = Session(self.setup)
        self.bounds = Bounds(*self.profile.bounds(self.setup.players, self.setup.options, units_of(game, given)))
        outcomes = len(self.worlds) or max(len(self.setup.game.codes), self.setup.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setup.game.steps,
            max_chance_outcomes=outcomes,
            num_players=self.setup.players,
            min_utility=self.bounds.lowest,
            max_utility=self.bounds.highest,
            utility_sum=0.0,
            max_game_length=self.bounds.decisions,
        )
        super().__init__(TYPES[self.name], info, given)

    def new_initial_state(self) -> ParlourState:
        return ParlourState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1 if self.worlds else self.bounds.draws

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> Observer | PrivateObserver:
        """An observer of what a seat knows, a spectator (no private information), or only the seat (no public)."""
        if params:
            raise ValueError("An observer of these games takes no parameters.")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("An observer shows what one seat or a spectator knows, not what all seats know.")
        if kind.private_info == pyspiel.PrivateInfoType.NONE and not kind.public_info:
            raise ValueError("An observer without public and private information would see nothing.")
        return Observer(self, kind) if kind.public_info else PrivateObserver()


class ParlourState(pyspiel.State):
    """A session at one moment; None until chance has decided how the cards of an end-game lie."""

    def __init__(self, game: ParlourGame) -> None:
        super().__init__(game)
        self.session: Session | None = None if game.worlds else game.first.copy()

    def current_player(self) -> int:
        if self.session is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.session.ended:
            return int(pyspiel.PlayerId.TERMINAL)
        seat = self.session.state.seat
        return seat if seat >= 0 else int(pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        return self.session is not None and self.session.ended

    def _legal_actions(self, player: int) -> list[int]:
        assert self.session is not None
        return self.session.state.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.session is None:
            size = len(self.get_game().worlds)
            return [(world, 1.0 / size) for world in range(size)]
        return self.session.state.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.session is None:
            self.session = self.get_game().worlds[action].copy()
        else:
            self.session.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.session is None:
            return f"lie {action}"
        game, awaits = self.session.setup.game, self.session.state.awaits
        if player >= 0:
            return game.step_names[action]
        if awaits < 0:
            return f"chance {action}"  # asked of a state that is past the draw
        kind = game.entries[awaits].kind
        return f"{kind} {game.write_items(kind, [action])[0]}"

    def returns(self) -> list[float]:
        """The score of each seat less the mean of all, once it is over."""
        if self.session is None or not self.session.ended:
            return [0.0] * self.num_players()
        return rewards(self.session.state, SCORE)

    def __str__(self) -> str:
        """The full state, for debugging."""
        if self.session is None:
            return "before the cards are divided"
        state = self.session.state
        truth = {"where": state.where(), "scores": state.scores(), "since the deal": self.session.since_deal}
        return f"{self.session.information_state(SPECTATOR)}\n{json.dumps(truth)}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ParlourState:
        """A state that agrees with all that a player knows: it has the same information state and legal steps.

        Where hidden cards stay where they are it has a full history; in other games it starts now, with an empty one.
        """
        if self.session is None or self.session.ended or self.session.state.seat < 0:
            raise ValueError("An information state can be resampled only where a seat decides.")
        game = self.get_game()
        luck = Seeded(int(sampler() * (1 << 53)))
        if game.worlds:
            return self._other_world(player, luck)
        world = self.session.sample_world(player, luck)
        state: ParlourState = game.new_initial_state()
        if game.profile.hidden_cards_stay:
            for action in self.session.history_of(world, player, luck):
                state.apply_action(action)
        else:
            state.session = self.session.start_in(world, player)
        return state

    def _other_world(self, player: int, luck: Seeded) -> ParlourState:
        """A random world of an end-game in which the player knows the same."""
        assert self.session is not None
        game = self.get_game()
        knows = self.session.information_state(player)
        first, *steps = self.history()
        if self.session.pending and player != self.session.state.seat:
            steps = steps[: -len(self.session.pending)]
        held = game.worlds[first].transcript(player)
        left = [at for at, world in enumerate(game.worlds) if world.transcript(player) == held]
        while True:
            state: ParlourState = game.new_initial_state()
            state.apply_action(left.pop(luck.number_below(len(left))))
            for step in steps:
                if step not in state.legal_actions():
                    break
                state.apply_action(step)
            else:
                if state.session is not None and state.session.information_state(player) == knows:
                    return state


# --- observers --------------------------------------------------------------------------------------------------------


class Observer(threading.local):
    """What a player knows, as a string and as named arrays (`docs/openspiel.md` describes them).

    OpenSpiel uses one observer for all states of a game, and reads its arrays after they are filled: so each thread has
    arrays of its own.
    """

    def __init__(self, game: ParlourGame, kind: Any) -> None:
        self.setup = game.setup
        self.worlds = game.worlds
        self.recalls = bool(kind.perfect_recall)
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.layout = self.setup.scratch.views[0].layout()
        shapes: list[tuple[str, tuple[int, ...]]] = [
            (name, (rows, size) if rows > 1 else (size,)) for name, rows, size in self.layout
        ]
        cards, seats = len(self.setup.game.codes), self.setup.players
        self.sides = game.first.state.sides
        self.memories = [each for each in self.setup.game.fields if isinstance(each.kind, Holders | CountsEach)]
        if self.recalls:
            shapes += [(field.name, (seats, cards)) for field in self.memories]
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
        """Fill the arrays; before the cards of an end-game are dealt they are empty."""
        session = state.session
        self.tensor.fill(0)
        if session is None:
            return
        seat = player if self.private else SPECTATOR
        session.glimpse(seat).encode(self.seen)
        self.tensor[: len(self.seen)] = np.frombuffer(self.seen, np.uint8)
        if self.recalls:
            self.remember(session.view(seat).fields(), max(seat, 0))
            told = self.dict["told"]
            for at, row in enumerate(session.last_rows(seat, RECALL)):
                self.tell(told[at], row, max(seat, 0))

    def remember(self, fields: Mapping[str, Any], seat: int) -> None:
        """Which seats may hold each card, or are known to hold how many, from the observer's own seat on leftwards."""
        game, players = self.setup.game, self.setup.players
        for field in self.memories:
            array = self.dict[field.name]
            if isinstance(field.kind, Holders):
                for code, holders in fields[field.name].items():
                    for holder in holders:
                        array[(holder - seat) % players, game.card(code)] = 1
            else:
                for holder, known in enumerate(fields[field.name]):
                    for code, count in known.items():
                        array[(holder - seat) % players, game.card(code)] = count

    def tell(self, place: Any, row: Sequence[int], seat: int) -> None:
        """Encode one told entry: its kind, the seats or the side in it, the card, the cards, and its numbers."""
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
        """The player's information state; or, without perfect recall, what it sees and remembers now."""
        seat = player if self.private else SPECTATOR
        if state.session is None:
            return self.worlds[0].transcript(SPECTATOR)
        return state.session.information_state(seat) if self.recalls else json.dumps(state.session.view(seat).fields())


class PrivateObserver:
    """What a player sees now and a spectator does not, as a string only."""

    tensor = None
    dict: Mapping[str, Any] = {}

    def set_from(self, state: ParlourState, player: int) -> None:
        """There are no arrays to fill."""

    def string_from(self, state: ParlourState, player: int) -> str:
        """The fields of the player's view that differ from a spectator's."""
        if state.session is None:
            return ""
        public = state.session.view(SPECTATOR).fields()
        own = state.session.view(player).fields()
        return json.dumps({name: value for name, value in own.items() if value != public[name]})


class Thumb(policy.Policy):
    """The heuristic policy of the bot `thumb`: one step with certainty, and every other legal step with probability 0.

    OpenSpiel's C++ algorithms take it as `policy.python_policy_to_pyspiel_policy(Thumb(game).to_tabular())`.
    """

    def __init__(self, game: ParlourGame) -> None:
        super().__init__(game, list(range(game.num_players())))

    def action_probabilities(self, state: ParlourState, player_id: int | None = None) -> dict[int, float]:
        assert state.session is not None
        taken = state.session.glimpse(state.current_player()).heuristic(Seeded())
        return {step: float(step == taken) for step in state.legal_actions()}


# --- registration -----------------------------------------------------------------------------------------------------


def short_name(game: Game) -> str:
    """The name of a game in OpenSpiel."""
    return f"parlour_{game.name.replace('-', '_')}"


def type_of(game: Game) -> Any:
    """The description of a game for OpenSpiel."""
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.sheet.players),
        min_num_players=min(game.sheet.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(game),
    )


TYPES: dict[str, Any] = {}


def register(game: Game) -> None:
    """Register a game with OpenSpiel; those that are in the registry when this module is imported already are."""
    TYPES[game.name] = type_of(game)
    # OpenSpiel holds on to what it is given until after Python has ended, and only a class survives that
    pyspiel.register_game(TYPES[game.name], type("ParlourGame", (ParlourGame,), {"name": game.name}))


load_entry_points()
for _game in REGISTRY.values():
    register(_game)
