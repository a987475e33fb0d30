"""Verifies the seals of records by the standard library alone: python verify.py FILE.jsonl KIND... (such as deal)"""
import hashlib
import json
import sys


def sha(label, *parts):
    return hashlib.sha256(b"parlour %s 1\0" % label + b"".join(parts)).digest()

def sized(part):
    return len(part).to_bytes(4, "big") + part

def drawn(seed, left, wanted):  # each is drawn by a byte of the stream; bytes that would favour some are passed over
    stream, found = iter(hashlib.shake_256(seed).digest(1 << 16)), []
    for _ in range(wanted):
        at = next(byte for byte in stream if byte < 256 - 256 % len(left)) % len(left)
        found.append(left[at])
        left = left[1:] if at == 0 else left[1:at] + left[:1] + left[at + 1:]  # the front one takes the place
    return found

def holds(record, chance):
    seal, secret, rules = record["seal"], bytes.fromhex(record["seal"]["secret"]), record.get("rules", 1)
    entropy = b"".join(sized(bytes.fromhex(each or "")) for each in seal["entropy"])
    parts = (secret, entropy, seal["table"].encode(), str(rules).encode())
    stream, pools, head = b"parlour stream 1\0" + b"".join(map(sized, parts)), list(seal["pools"]), bytes(32)
    links = [{name: record[name] for name in ("game", "players", "options", "shuffle")} | {"rules": rules}
             | {name: seal[name] for name in ("table", "commitment", "promises", "entropy", "pack")}]
    for entry in record["log"]:
        if entry[0] in chance:
            number, pool = (len(seal["pools"]) - len(pools)).to_bytes(4, "big"), pools.pop(0)
            given = entry[-1] if isinstance(entry[-1], list) else [entry[-1]]
            place = seal["pack"].index if given and isinstance(given[0], str) else int
            if drawn(stream + number, pool, len(given)) != given or pool != sorted(pool, key=place):
                return False
            entry = {"chance": entry, "from": pool}
        links.append(entry)
    links.append({name: value for name, value in record.items() if name not in ("log", "seal")})
    for number, link in enumerate(links):
        text = json.dumps(link, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        salt = sha(b"salt", secret, number.to_bytes(8, "big"))
        head = sha(b"head", head, sha(b"entry", salt, text))
    kept = all(shown is None or sha(b"entropy", bytes.fromhex(shown)).hex() == promise
               for shown, promise in zip(seal["entropy"], seal["promises"], strict=True))
    promised = sha(b"commitment", secret).hex() == seal["commitment"] and seal["version"] == 1 and not pools
    return promised and kept and head.hex() == seal["head"]

if __name__ == "__main__":
    path, *chance = sys.argv[1:] if sys.argv[2:] else sys.exit(__doc__)  # the kinds are on the page of the game
    records = [json.loads(line) for line in open(path, encoding="utf-8")]
    found = [holds(record, chance) for record in records]
    for record in records:  # to be compared with what the table showed, and with the pack of the rule sheet
        print(*(record["seal"][name] for name in ("commitment", "head")), "".join(record["seal"]["pack"])[:60])
    print(f"{sum(found)} of {len(found)} seals hold")
    sys.exit(0 if found and all(found) else 1)
