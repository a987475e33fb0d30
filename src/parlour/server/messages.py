"""The wire: every message of the socket, each a struct from which the published schema is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

import msgspec
from msgspec import Meta, Struct

PROTOCOL = 2

Id = Annotated[str, Meta(min_length=1, max_length=64, description="chosen by the sender, new for every request")]
Number = Annotated[int, Meta(ge=0, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=51)]
StepName = Annotated[str, Meta(max_length=40)]
Step = Annotated[int, Meta(ge=0, le=4096)] | StepName
Steps = Annotated[list[Step], Meta(max_length=64, description="steps by number or by name")]
Secret = Annotated[str, Meta(max_length=100)]
OwnSecret = Annotated[
    str,
    Meta(
        min_length=22,
        max_length=100,
        pattern="^[A-Za-z0-9_-]+$",
        description="at least 16 random bytes made by the client; it may be sent again and has one effect",
    ),
]
Digits = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]
Want = Literal["observation", "mask", "sight"]
Wants = Annotated[list[Want], Meta(max_length=3, description="what a program is sent where it is its turn")]
PhraseName = Literal[
    "hello", "luck", "moment", "thanks", "played", "wow", "oops", "close", "hooray", "game", "again", "bye"
]
Signature = Annotated[str, Meta(min_length=128, max_length=128, pattern="^[0-9a-f]{128}$")]


class Said(Struct, omit_defaults=True):
    """A sentence by its key in the catalogue, and the values that its pattern names: cards by code, seats by number."""

    key: str
    values: dict[str, Any] = {}


Sentence: TypeAlias = str | Said


class Message(Struct, tag_field="kind", omit_defaults=True):
    """Every message says what kind it is. To a client, members may be added: it ignores those that it does not know."""


class Asked(Message, forbid_unknown_fields=True):
    """From a client, a member that is not known is an error."""


# --- from a client ----------------------------------------------------------------------------------------------------


class Hello(Asked, tag="hello"):
    """The first message: the table, and the token of a seat; without a token the client is a spectator.

    `last` is the number up to which the client was told everything before, if anything; `head` and `signature` are
    those it was told with that number. `whole` asks for everything all the same. A client whose `words` are "keys"
    words the sentences itself: wherever others are sent one, it is sent a key and values (`/api/words` has the
    patterns). `wants` asks for what programs play by, wherever it is their turn: `observation` and `mask` as numbers,
    and `sight`, from which a client in Python makes a view.
    """

    protocol: int
    table: Secret
    token: Secret | None = None
    last: Number | None = None
    head: Digits | None = None
    signature: Signature | None = None
    whole: bool = False
    words: Literal["", "keys"] = ""
    wants: Wants = []


class Request(Asked):
    """Every request has an id, and is answered under it."""

    id: Id


class Act(Request, tag="act"):
    """Make a whole move; `number` is that of the position it answers."""

    number: Number
    move: Steps


class Follow(Request, tag="follow"):
    """Which steps can follow these of my move? Nothing is written."""

    prefix: Steps


class Undo(Request, tag="undo"):
    """Take my last decision back, where I play alone."""

    number: Number


class Hint(Request, tag="hint"):
    """What would a good player do?"""


class Start(Request, tag="start"):
    """The host starts."""


class Show(Request, tag="show"):
    """Here is the entropy that I promised."""

    entropy: Digits


class Bot(Request, tag="bot"):
    """The host puts a bot at a seat, or takes it away where the level is ""."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=20)]


class Host(Request, tag="host"):
    """The host makes another person the host."""

    seat: SeatNumber


class Remove(Request, tag="remove"):
    """The host takes a person's seat away."""

    seat: SeatNumber


class Stand(Request, tag="stand"):
    """I give up my seat, before the start."""


class Hasten(Request, tag="hasten"):
    """I play alone with bots: from now on they take no time, or their usual time again."""

    on: bool


class Leave(Request, tag="leave"):
    """I go; let a bot play for me until I am back."""


class Back(Request, tag="back"):
    """I am back at my seat."""


class Cover(Request, tag="cover"):
    """A person whose turn it is has been away for a while: let a bot play for them until they are back."""

    seat: SeatNumber


class Carry(Request, tag="carry"):
    """This code shall carry my seat to another device, once."""

    code: OwnSecret


class Alone(Request, tag="alone"):
    """All my other devices shall lose my seat."""


class Claim(Request, tag="claim"):
    """The host is away: let me be the host."""


class End(Request, tag="end"):
    """The host ends the sitting before its end; what was scored so far is its result."""


class Rematch(Request, tag="rematch"):
    """Another sitting of the same people, please; anyone who sits here may ask."""


class Say(Request, tag="say"):
    """Say one of the set phrases to everyone at the table. Nothing is written."""

    phrase: PhraseName


class Nudge(Request, tag="nudge"):
    """Remind the person whose turn it is. Nothing is written."""


class Ready(Request, tag="ready"):
    """I am ready to start, or not yet. Nothing is written."""

    on: bool


class Ping(Asked, tag="ping"):
    """Are you there?"""


Playing = Act | Follow | Undo | Hint | Hasten | Leave | Back | Cover
Arranging = Start | Show | Bot | Host | Claim | Remove | Stand | Carry | Alone | End | Rematch
Talking = Say | Nudge | Ready
FromClient = Hello | Playing | Arranging | Talking | Ping


# --- a table ----------------------------------------------------------------------------------------------------------


class SeatData(TypedDict):
    """A seat: the `name` of its person, what it is `called`, the level of the `bot` that plays there, if one does, and
    the `promise` of entropy. `program` is what a program that sat down calls itself, or "" for a person."""

    name: str
    called: str
    bot: str
    promise: str | None
    program: str


class PaceData(TypedDict):
    """How long things take, in seconds: before a bot plays for a silent person (0 is never), a bot's move, and before
    spectators are told."""

    person: float
    bot: float
    spectator: float


class ScoreData(TypedDict):
    """Something that scores: the points, what for, the clause, and the ranks of the cards that do it, if any."""

    points: str
    what: str
    clause: str
    cards: str


class AgainData(TypedDict):
    """A sitting that is played again: its table, the seat that does, and the moves that it begins with."""

    of: str
    seat: int
    moves: int


class Described(TypedDict):
    """A table, as everyone may know it.

    `phase` is gathering, sealing (entropy is awaited), playing or over. `host` is a seat, or −1. `goal` are the points
    that end the sitting, 0 where there is no such number. `deal` is the number of a numbered deal. `programs` says
    whether programs may sit down, `phrases` whether set phrases may be said. `ended` says why a sitting was ended
    before its end (by the host, or at the table's limit), `winners` are seats once it is over, and `rematch` is the
    table at which the same people play again. `again` names the sitting that is played again here by one seat, and the
    moves that it begins with. `series` is the first of several tables at which the same cards are played; no seat can
    add entropy there, and the record is shown when all have finished. Over HTTP, `turn` is the seat that decides, and
    `waited` for how many seconds the others have waited for that person, unless spectators are told later.
    """

    table: str
    game: str
    players: int
    sides: int
    goal: int
    scoring: dict[str, list[str]]
    what_scores: list[ScoreData]
    names: NotRequired[dict[str, str]]
    series: NotRequired[str]
    options: dict[str, int | str]
    rules: int
    shuffle: int
    commitment: str
    open: bool
    hints: bool
    programs: bool
    phrases: bool
    deal: int | None
    again: NotRequired[AgainData]
    pace: PaceData
    phase: Literal["gathering", "sealing", "playing", "over"]
    host: int
    seats: list[SeatData]
    ended: Literal["host", "limit"] | None
    rematch: str | None
    winners: list[int] | None
    turn: NotRequired[int]
    waited: NotRequired[int]


# --- to a client ------------------------------------------------------------------------------------------------------


class Event(Struct):
    """One event, as this listener may know it: the entry, a sentence, and the clause behind it.

    Where `says` is a key, its pattern also names the members of the entry, as the catalogue's `fields` call them.
    """

    entry: list[Any]
    says: Sentence
    clause: str


class Choice(Struct):
    """A legal step; `whole` where it completes the move, so that nothing need be asked before `act`."""

    step: int
    name: str
    whole: bool


class News(Message, tag="news"):
    """What happened since the last number, and how things stand now. `whole` starts over: forget everything before.

    `signature` is the server's, under the table's name, `number` and `head`. `set_back` says, in one sentence, that the
    log is shorter or other than what the client was told before. Where it is this seat's turn, `observation`, `mask`
    and `sight` are there if hello asked for them.
    """

    number: int
    since: int | None = None  # the number after which these events came
    events: list[Event] = []
    earlier: int = 0  # events that came before these and are left out
    table_events: list[list[Any]] = []
    table: Described | None = None
    view: dict[str, Any] | None = None
    legal: list[Choice] = []
    observation: list[int] | None = None
    mask: list[int] | None = None
    sight: dict[str, Any] | None = None
    head: str | None = None
    signature: str | None = None
    whole: bool = False
    set_back: Sentence = ""


class Pace(Struct):
    """How much a client may ask: so many requests a second, and so many at once. One that asks for more has to wait."""

    requests: float
    at_once: float


class Welcome(Message, tag="welcome"):
    """The answer to hello: the seat (−1 for a spectator) and how things stand.

    `here` are the seats whose people are connected, `away` the others, by seat, with the seconds for which they have
    been away. `left` is how many seconds the person who decides still has, where
    the table has a pace for people; with every later position that time starts over. `waited` is for how many seconds
    the others have waited for the person who decides. `watching` and `ready` are those of `here`. `key` is the public
    key by which signatures are verified.
    """

    protocol: int
    seat: int
    news: News
    here: list[int] = []
    left: float | None = None
    pace: Pace | None = None
    key: str | None = None
    away: dict[str, int] = {}
    waited: int | None = None
    watching: int = 0
    ready: list[int] = []


class Here(Message, tag="here"):
    """Someone came or went, or is ready: the seats whose people are connected now, how many spectators are `watching`,
    and, before the start, the seats whose people are `ready`."""

    here: list[int]
    watching: int = 0
    ready: list[int] = []


class Phrase(Message, tag="phrase"):
    """A person says one of the set phrases."""

    seat: int
    phrase: PhraseName


class Nudged(Message, tag="nudged"):
    """The person of a seat, whose turn it is, was reminded by the person of another seat."""

    seat: int
    by: int


class Done(Message, tag="done"):
    """It was done and is safely stored, as row `number`."""

    id: str
    number: int


class Refused(Message, tag="refused"):
    """It is not allowed: why, in one sentence, and the clause behind that."""

    id: str
    sentence: Sentence
    clause: str = ""


class Stale(Message, tag="stale"):
    """It answers a position that has passed; here is what was missed."""

    id: str
    news: News


class Failed(Message, tag="failed"):
    """It may not have been stored: ask again, under the same id."""

    id: str
    sentence: Sentence


class Following(Message, tag="following"):
    """The steps that can follow, and the view within the move; where the move is whole, the decision it would make.

    `only` are steps that complete the move, where every way to complete it makes the same decision.
    """

    id: str
    legal: list[Choice]
    view: dict[str, Any] | None = None
    decision: list[Any] | None = None
    only: list[str] = []
    observation: list[int] | None = None
    mask: list[int] | None = None
    sight: dict[str, Any] | None = None


class HintLine(Struct, omit_defaults=True):
    """A step worth thinking about: its score and the chance to win, each with half of its 95 % interval."""

    step: int
    name: str
    score: float
    win: float
    score_within: float | None = None
    win_within: float | None = None


class ClaimLine(Struct):
    """A part of a reason by its key, with the values that its sentence names (cards by code)."""

    key: str
    values: dict[str, Any]


class Advice(Message, tag="advice"):
    """Why the best step is good, in a sentence; the steps worth thinking about, best first; the reason's claims.

    A client that words sentences itself makes the reason of the claims; `reason` is a key where there are none.
    """

    id: str
    hints: list[HintLine]
    reason: Sentence
    clause: str
    claims: list[ClaimLine] | None = None


class Pong(Message, tag="pong"):
    """I am here."""


class Bye(Message, tag="bye"):
    """The last message before the server closes the socket, and why; `again` where coming back may help.

    `owner` is the address of the server that has the table now, if that is another one: come to it there.
    """

    sentence: Sentence
    again: bool = False
    owner: str = ""


ToClient = Welcome | News | Here | Phrase | Nudged | Done | Refused | Stale | Failed | Following | Advice | Pong | Bye

decode = msgspec.json.Decoder(FromClient).decode
encode = msgspec.json.Encoder().encode


def schema(views: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Both directions, as JSON Schema; `views` has the schema of the view of each game, by its name."""
    (ways, parts) = msgspec.json.schema_components([FromClient, ToClient], ref_template="#/$defs/{name}")
    if views:
        for name in ("News", "Following"):
            parts[name]["properties"]["view"] = {"anyOf": [{"$ref": "#/$defs/View"}, {"type": "null"}]}
        own = ["".join(part.capitalize() for part in game.split("-")) + "View" for game in views]
        parts |= dict(zip(own, views.values(), strict=True))
        what = "Everything that a seat knows now, by the fields of its game."
        parts["View"] = {"description": what, "anyOf": [{"$ref": f"#/$defs/{name}"} for name in own]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Parlour table protocol {PROTOCOL}",
        "from_client": ways[0],
        "to_client": ways[1],
        "$defs": parts,
    }
