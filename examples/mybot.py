#!/usr/bin/env python3
"""A bot for parlour: `parlour simulate masquerade --bots 'exec:./examples/mybot.py,random'`.

It has one simple taste in each game, and is random where that does not decide. docs/external.md says what is sent.
"""

import json
import random
import sys

TASTES = {
    "masquerade": lambda verb, number: -number,  # low numbers are high cards, and high cards climb
    "lost-heir": lambda verb, number: 99 if verb == "pass" else number,  # promise nothing, and win tricks
    "sovereign": lambda verb, number: verb != "leave",  # another coin may be a better one
    "heraldry": lambda verb, number: number,  # a higher card may take more at once
}


def number_in(name):
    """The number in the name of a step: 3 in “play M3”, and 0 where there is none."""
    return int("".join(letter for letter in name if letter.isdigit()) or 0)


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:  # it ends when there is no more to read
    message = json.loads(line)
    if message["type"] == "hello":
        taste = TASTES.get(message["game"], lambda verb, number: 0)
        say({"type": "hello", "protocol": 1, "name": "mybot"})
    elif message["type"] == "begin":
        random.seed(message["seed"])  # the same seed, the same sitting
    elif message["type"] == "choose":
        liking = {step: taste(name.split()[0], number_in(name)) for step, name in message["steps"]}
        best = [step for step in liking if liking[step] == max(liking.values())]
        say({"type": "step", "id": message["id"], "step": random.choice(best)})
