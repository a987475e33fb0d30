"""People and spectators of a simulated world: they play, wander, misbehave, go away and come back."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from parlour.engine.errors import Refusal
from parlour.records.seal import commitment_to
from parlour.server.messages import PhraseName
from parlour.server.store import StoreError
from parlour.server.table import GATHERING, OVER, PLAYING, SEALING

from .loop import Wrong
from .network import CLOSED, Link
from .server import Lost

if TYPE_CHECKING:
    from .world import Place, World

SOONER_OR_LATER = 30.0  # seconds until a person looks at the table again
PATIENCE = 300.0  # seconds of calm in which nothing happens, after which a host removes those who do not come
NO_ANSWER = 100.0  # seconds after which something is wrong, where nothing else is
ARRANGING = ("start", "show", "bot", "host", "claim", "remove", "stand", "carry", "alone", "rematch", "end")
EFFECTS = ("act", "undo", *ARRANGING)
FINAL = (  # why a client need not come back
    "This seat is not yours any more.",
    "This token has no seat at this table.",
    "There is no such table.",
    "The host has deleted this table.",
    "The same cards are played at several tables: nobody can watch until all have finished.",
)
SLOW_SECONDS = 3600.0  # of a pace at which nobody sleeps
PHRASES = get_args(PhraseName)
encode = msgspec.json.encode


class Person:
    """One device of a person at a table, or a spectator: a client that plays on through every fault."""

    def __init__(self, world: World, place: Place, label: str, token: str | None, protocol: int = 2) -> None:
        self.world, self.place, self.label, self.token, self.protocol = world, place, label, token, protocol
        self.luck = random.Random(f"{world.seed} {label}")
        self.seat = -1
        self.number: int | None = None  # up to which it was told everything
        self.news: dict[str, Any] = {}
        self.events: list[Any] | None = None  # everything it was told of the sitting; None where some of it is left out
        self.events_at: dict[int, int] = {}  # by number: how many of them
        self.table: dict[str, Any] = {}  # as described
        self.asked: dict[str, tuple[dict[str, Any], int]] = {}  # by id: the request, and how often it was sent
        self.open: dict[str, float] = {}  # ids without a final answer, and since when
        self.done: dict[str, int] = {}  # by id: the row
        self.refused: list[str] = []  # ids of requests that were sent once and refused
        self.twisted: set[str] = set()  # ids that were used for something else, too
        self.count = 0
        self.prefix: list[int] = []  # of a move whose steps are looked at one after the other
        self.entropy = b""
        self.gone = False  # for ever
        asleep = random.Random(f"{world.seed} {label} sleeps").random() < 0.5
        self.sleeps = (
            asleep and token is not None and 0 < place.pace.person < SLOW_SECONDS
        )  # others play on, and a bot for them
        self.link: Link | None = None
        self.looks = 0.0  # when it next does something
        self.changed = 0.0  # when it last heard that something had happened

    # coming and going

    async def run(self) -> None:
        while not self.gone:
            link = Link(self.world.loop, self.luck, self.label, self.world.delay)
            if self.world.server.connect(link, self.label):
                self.link = link
                await self.talk(link)
                link.cut()
                self.link = None
            await asyncio.sleep(self.luck.uniform(0.1, 1.0 if self.world.calm else 20.0))

    async def sit(self, name: str, seat: int | None) -> bool:
        """Sit down, asking again where no answer came; whether there was a seat."""
        promise = commitment_to(self.entropy) if self.entropy else None
        for _ in range(200):
            try:
                self.seat, _ = await self.world.server.ask(
                    lambda room: room.join(self.place.name, self.place.code, name, seat, promise, self.token)
                )
                return True
            except (Lost, StoreError):
                await asyncio.sleep(self.luck.uniform(0.5, 5.0))
            except Refusal:
                return False
        return False

    async def talk(self, link: Link) -> None:
        """One connection, from hello to its end."""
        link.told = lambda content: self.world.checks.told(self, content, link is self.link)
        hello: dict[str, Any] = {"kind": "hello", "protocol": self.protocol, "table": self.place.name}
        if self.token is not None:
            hello["token"] = self.token
        if self.number is not None and self.luck.random() < 0.8:
            hello["last"] = self.number
            hello |= {name: self.news[name] for name in ("head", "signature") if self.news.get(name) is not None}
            hello["whole"] = self.luck.random() < 0.1
        self.say(hello)
        self.prefix = []
        began, welcomed = self.world.loop.at, False
        self.looks = began + SOONER_OR_LATER
        while not self.gone:
            message = await link.hear(min(SOONER_OR_LATER, max(0.0, self.looks - self.world.loop.at)))
            if message is CLOSED:
                return
            if message is not None:
                self.world.trace("heard", self.label, message["kind"].encode())
                if message["kind"] == "welcome":
                    welcomed = True
                    for name in list(self.open):  # what was not answered is asked again
                        self.send_again(name)
                self.take(message)
            if self.world.loop.at >= self.looks:
                if not welcomed:
                    return  # it tries again
                self.looks = self.world.loop.at + self.think_seconds()
                self.do_something()

    def think_seconds(self) -> float:
        slow = self.world.slowness
        if self.world.calm:
            return slow * self.luck.uniform(0.5, 8.0)
        return min(900.0, slow * self.luck.expovariate(1 / self.luck.choice((1.0, 10.0, 60.0))))

    # saying

    def say(self, message: dict[str, Any]) -> None:
        content = encode(message)
        self.world.trace("says", self.label, content)
        if self.link is not None:
            self.link.say(content)

    def ask(self, kind: str, **members: Any) -> None:
        """Ask for something under a new id."""
        self.count += 1
        name = f"{self.label} {kind} {self.count}"
        self.asked[name] = ({"kind": kind, "id": name, **members}, 0)
        self.open[name] = self.world.loop.at
        self.send_again(name)

    def send_again(self, name: str) -> None:
        request, times = self.asked[name]
        self.asked[name] = (request, times + 1)
        if times and self.world.calm:
            self.open[name] = self.world.loop.at
        self.say(request)

    # hearing

    def take(self, message: dict[str, Any]) -> None:
        kind = message["kind"]
        if kind == "welcome":
            self.hear(message["news"], welcome=True)
        elif kind == "news":
            self.hear(message)
        elif kind == "bye":
            sentence = message["sentence"]
            self.gone = sentence in FINAL
            if self.gone and self.token is not None and self.table.get("rematch"):
                self.world.follow_rematch(self, self.table["rematch"])
            if not self.gone and not message.get("again") and not sentence.startswith(("The message", "Hello")):
                raise Wrong(f"{self.label} was sent away: {sentence}")
        elif "id" in message:
            self.take_answer(kind, message)

    def take_answer(self, kind: str, message: dict[str, Any]) -> None:
        name = message["id"]
        request, times = self.asked[name]
        if kind == "refused" and name in self.twisted:
            if self.world.calm:  # nobody twists it any more
                self.open.pop(name, None)
            return
        if kind == "failed":
            if self.world.calm and self.world.loop.at - self.open.get(name, self.world.loop.at) > NO_ANSWER:
                raise Wrong(f"{name} fails for ever: {message['sentence']}")
            if "noted" in message["sentence"]:
                raise Wrong(f"{name}: {message['sentence']}")
            return  # it is asked again when the person next looks
        self.open.pop(name, None)
        if kind == "done":
            number = message["number"]
            if request["kind"] in EFFECTS and self.done.setdefault(name, number) != number:
                raise Wrong(f"{name} was done as row {self.done[name]}, and again as row {number}")
            if name not in self.twisted:
                self.after(request)
        elif kind == "refused":
            if times == 1 and message["sentence"] not in FINAL:
                self.refused.append(name)
            self.prefix = []
        elif kind == "stale":
            self.prefix = []
            self.hear(message["news"], stale=True)
        elif kind == "following" and request["prefix"] == self.prefix and self.prefix:
            if message.get("legal"):
                self.step(message["legal"])
            else:
                self.ask("act", number=self.number, move=self.prefix)

    def hear(self, news: dict[str, Any], welcome: bool = False, stale: bool = False) -> None:
        """Take news, which must follow what was told before."""
        number, since = news["number"], news.get("since")
        delayed = self.token is None and self.place.pace.spectator
        before = self.number
        if before is not None and number < before and not delayed:
            raise Wrong(f"{self.label} was told of {before}, and then of {number}")
        if since is None and not news.get("whole"):
            raise Wrong(f"{self.label} was told news since nothing that are not whole")
        if since is not None and since != before and not stale:
            raise Wrong(f"{self.label} was told of {before}, and then what came after {since}")
        if news.get("set_back"):
            raise Wrong(f"{self.label}: {news['set_back']}")
        self.add_up(news, since)
        if number != before:
            self.changed = self.world.loop.at
        self.number = number
        self.news = news
        if news.get("table") is not None:
            self.table = news["table"]
        if not welcome:
            self.looks = min(self.looks, self.world.loop.at + self.think_seconds())
        else:
            self.looks = self.world.loop.at + self.luck.uniform(0.0, 2.0)
        self.prefix = []

    def add_up(self, news: dict[str, Any], since: int | None) -> None:
        """Add what happened to what was told before."""
        if since is None:
            self.world.checks.heard(self)
            self.events = None if news.get("earlier") else []
            self.events_at = {}
        if self.events is not None:
            if since is not None and since != self.number:  # a stale answer tells again what came since its position
                if since not in self.events_at:
                    self.events = None
                    return
                del self.events[self.events_at[since] :]
            self.events += [event["entry"] for event in news.get("events", ())]
            self.events_at[news["number"]] = len(self.events)

    def after(self, request: dict[str, Any]) -> None:
        """What follows when something was done."""
        if request["kind"] == "carry":
            self.world.carry(self, request["code"])
        elif request["kind"] == "stand":
            self.gone = True
            self.world.sit_again(self)

    # doing

    @property
    def phase(self) -> str:
        return str(self.table.get("phase", ""))

    @property
    def is_host(self) -> bool:
        return self.token is not None and self.table.get("host") == self.seat

    def do_something(self) -> None:
        if self.token is None or (self.sleeps and self.world.calm):
            self.say({"kind": "ping"})
            if self.luck.random() < 0.1:
                self.world.look(self)
            return
        for name, since in self.open.items():
            if self.world.loop.at - since > 5.0:
                if self.world.calm and self.world.loop.at - since > NO_ANSWER:
                    raise Wrong(f"{name} was never answered")
                self.send_again(name)
                return
        if not self.world.calm and self.luck.random() < self.world.mischief:
            self.wander()
        elif self.phase == GATHERING:
            self.arrange()
        elif self.phase == SEALING and self.entropy and self.luck.random() < 0.7:
            self.ask("show", entropy=self.entropy.hex())
        elif self.news.get("legal"):
            self.prefix = []
            self.step(self.news["legal"])
        elif self.phase == PLAYING and self.table["seats"][self.seat]["bot"]:
            self.ask("back")
        elif self.phase == PLAYING and self.waits_in_vain:
            self.changed = self.world.loop.at
            others = [seat for seat in range(self.place.players) if seat != self.seat]
            if self.is_host:
                self.ask("remove", seat=self.luck.choice(others))
            else:  # the host may be the one who never comes
                self.ask("claim")
        elif self.phase == OVER:
            self.go_on()
        else:
            self.say({"kind": "ping"})

    @property
    def waits_in_vain(self) -> bool:
        """Whether somebody never comes, as where a table was deleted before all had heard of the rematch."""
        in_vain = self.world.calm and self.world.loop.at > self.changed + PATIENCE
        return in_vain and not self.place.pace.person  # where people have a pace, a bot plays for them by and by

    def step(self, legal: list[dict[str, Any]]) -> None:
        """Take any step; a whole move is made, an unfinished one is looked at."""
        chosen = self.luck.choice(legal)
        self.prefix.append(chosen["step"])
        if self.protocol == 1:
            chosen = {**chosen, "whole": False}
        if chosen["whole"]:
            self.ask("act", number=self.number, move=self.prefix)
        else:
            self.ask("follow", prefix=list(self.prefix))

    def arrange(self) -> None:
        """Before the start: the host fills the seats and starts."""
        if not self.is_host:
            return
        empty = [number for number, seat in enumerate(self.table["seats"]) if not seat["name"] and not seat["bot"]]
        people = sum(bool(seat["name"]) for seat in self.table["seats"])
        if not empty and not self.world.closing:
            self.ask("start")
        elif people >= self.place.people or self.world.calm or self.luck.random() < 0.2:
            self.ask("bot", seat=self.luck.choice(empty), level=self.luck.choice(("thumb", "thumb", "random")))

    def go_on(self) -> None:
        """After the end: a rematch, or the end of the table."""
        if self.table.get("rematch"):
            self.world.follow_rematch(self, self.table["rematch"])
        elif not self.world.calm and self.luck.random() < 0.3:
            if self.luck.random() < 0.5:
                self.ask("rematch")
            elif self.luck.random() < 0.3 and "!" not in self.label and self.world.size < 10:
                self.world.play_again(self)
            elif self.is_host:
                self.world.delete(self)

    def wander(self) -> None:
        """Do something that is not the next move: allowed, wrong, late, or again."""
        luck, seats = self.luck, max(1, len(self.table.get("seats", ())))
        match luck.randrange(22):
            case 0 | 1 if self.asked:
                self.send_again(luck.choice(list(self.asked)))
            case 2 if self.asked:
                request, _ = self.asked[luck.choice(list(self.asked))]
                self.twisted.add(request["id"])
                self.say({"kind": "host", "id": request["id"], "seat": luck.randrange(seats)})
            case 3 if self.news.get("legal") and luck.random() < 0.7:
                move = [luck.choice(self.news["legal"])["step"]]
                self.ask("act", number=max(0, (self.number or 0) - luck.randint(0, 4)), move=move)
            case 3:
                self.ask("act", number=luck.randrange(0, (self.number or 0) + 3), move=[luck.randrange(60)])
            case 4:
                self.ask("undo", number=self.number or 0)
            case 5:
                self.ask("leave")
            case 6:
                self.ask("back")
            case 7:
                self.ask("carry", code=self.world.secret(luck))
            case 8 if luck.random() < 0.3:
                self.ask(luck.choice(("alone", "alone", "end")))
            case 9:
                self.ask("claim")
            case 10 if luck.random() < 0.3:
                self.ask("remove", seat=luck.randrange(seats))
            case 11:
                self.ask("host", seat=luck.randrange(seats))
            case 12 if luck.random() < 0.3:
                self.ask("stand")
            case 13:
                kind = luck.choice(("hasten", "ready", "say", "say", "nudge"))
                members: dict[str, Any] = {"say": {"phrase": luck.choice(PHRASES)}, "nudge": {}}.get(kind, {"on": True})
                self.ask(kind, **members)
            case 14:
                self.ask("bot", seat=luck.randrange(seats), level=luck.choice(("", "thumb", "random", "nobody")))
            case 15:
                if luck.random() < 0.5:
                    self.ask("hint")
                else:
                    self.ask("follow", prefix=[luck.randrange(60)])
            case 18:
                self.world.look(self)
            case 20:
                self.world.be_told_elsewhere(self)
            case 21:
                self.ask("say", phrase=luck.choice(PHRASES))
            case 19:
                turn = (self.news.get("view") or {}).get("to_act", -1)
                self.ask("cover", seat=turn if turn >= 0 and luck.random() < 0.8 else luck.randrange(seats))
            case 16 if self.link is not None:
                self.world.loop.call_later(0.1, self.link.cut)
            case 17 if self.link is not None:
                if luck.random() < 0.2:
                    self.say({"kind": "nonsense"})
                else:
                    self.link.read_on(False)
                    self.world.loop.call_later(luck.uniform(1.0, 400.0), self.link.read_on, True)
            case _:
                self.ask("start")
