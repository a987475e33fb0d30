#!/usr/bin/env python3
"""A bot for many sittings at once: `parlour simulate masquerade --bots 'batch:./examples/batchbot.py,random'`.

It asks for observations and masks only, as a trained net needs them, and takes the last legal step of each.
docs/external.md says what is sent.
"""

import json
import sys


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:  # it ends when there is no more to read
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": 1, "name": "batchbot", "wants": ["observation", "mask"]})
    elif message["type"] == "batch":
        steps = [max(at for at, legal in enumerate(choice["mask"]) if legal) for choice in message["choices"]]
        say({"type": "steps", "id": message["id"], "steps": steps})
