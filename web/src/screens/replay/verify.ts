// Verifies the seal of a record, in the page: that the secret is the one promised before anyone sat down, that every
// draw came from it, and that every entry is chained to the head. It knows the seal (docs/table.md) and no rules.

import { sha256 } from "@noble/hashes/sha2.js";
import { shake256 } from "@noble/hashes/sha3.js";
import { hexadecimal } from "../../lib/bytes";
import type { Kept } from "../../lib/device.svelte";
import { seal as say } from "./words";

type Plain = null | boolean | number | string | Plain[] | { [name: string]: Plain };
type Seal = {
  version: number;
  table: string;
  commitment: string;
  secret: string;
  promises: (string | null)[];
  entropy: (string | null)[];
  pack: string[];
  pools: Plain[][];
  head: string;
};
export type SealedRecord = { [name: string]: Plain } & { log: Plain[][]; rules?: number; players: number };
export type Verdict = { holds: boolean; why: string; notes: string[]; commitment: string; head: string };

const LONGEST_STREAM = 1 << 16;

const text = (words: string) => new TextEncoder().encode(words);
const bytes = (digits: string) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function big(value: number, size: number): Uint8Array {
  const made = new Uint8Array(size);
  new DataView(made.buffer).setUint32(size - 4, value);
  return made;
}

const sized = (part: Uint8Array) => joined(big(part.length, 4), part);
const sha = (label: string, ...parts: Uint8Array[]) => sha256(joined(text(`parlour ${label} 1\0`), ...parts));

/** Text as the chain has it: members in order of their names, nothing between. */
function canonical(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** What a stream draws from a pool; bytes that would favour some are passed over. */
function drawn(seed: Uint8Array, pool: Plain[], wanted: number): Plain[] {
  const stream = shake256(seed, { dkLen: Math.min(LONGEST_STREAM, 64 + 16 * wanted) });
  const left = [...pool];
  const found: Plain[] = [];
  let at = 0;
  while (found.length < wanted) {
    const byte = stream[at++];
    if (byte === undefined || left.length === 0) return [];
    if (byte >= 256 - (256 % left.length)) continue;
    const chosen = byte % left.length;
    found.push(left[chosen]!);
    if (chosen > 0) left[chosen] = left[0]!; // the front one takes the place
    left.shift();
  }
  return found;
}

const same = (one: Plain, other: Plain) => canonical(one) === canonical(other);

/**
 * Whether a seal holds, and what this device adds, where it has stored something of the sitting. `chance` are the kinds
 * of entries that chance decides.
 */
export function verify(record: SealedRecord, chance: string[], kept?: Kept): Verdict {
  const seal = record["seal"] as unknown as Seal | undefined;
  const verdict = (why: string, draws = 0, notes: string[] = []): Verdict => ({
    holds: why === "",
    why: why || say.why({ entries: record.log.length, draws }),
    notes,
    commitment: seal?.commitment ?? "",
    head: seal?.head ?? "",
  });
  if (!seal || seal.version !== 1) return verdict(say.none);
  const secret = bytes(seal.secret);
  if (hexadecimal(sha("commitment", secret)) !== seal.commitment) return verdict(say.otherSecret);
  for (const [seat, shown] of seal.entropy.entries())
    if (shown !== null && hexadecimal(sha("entropy", bytes(shown))) !== seal.promises[seat])
      return verdict(say.otherEntropy({ seat }));

  const rules = record.rules ?? 1;
  const entropy = joined(...seal.entropy.map((each) => sized(bytes(each ?? ""))));
  const stream = joined(
    text("parlour stream 1\0"),
    ...[secret, entropy, text(seal.table), text(String(rules))].map(sized),
  );
  const { game, players, options, shuffle } = record;
  const { table, commitment, promises, pack } = seal;
  const links: Plain[] = [
    {
      game: game!,
      players,
      options: options!,
      shuffle: shuffle!,
      rules,
      table,
      commitment,
      promises,
      entropy: seal.entropy,
      pack,
    },
  ];
  let draws = 0;
  for (const [number, entry] of record.log.entries()) {
    if (!chance.includes(entry[0] as string)) {
      links.push(entry);
      continue;
    }
    const pool = seal.pools[draws];
    const last = entry.at(-1)!;
    const given = Array.isArray(last) ? last : [last];
    if (!pool) return verdict(say.fromNothing({ entry: number }));
    const place = (each: Plain) => (typeof given[0] === "string" ? pack.indexOf(each as string) : (each as number));
    const sorted = [...pool].sort((one, other) => place(one) - place(other));
    if (!same(drawn(joined(stream, big(draws, 4)), pool, given.length), given) || !same(pool, sorted))
      return verdict(say.notDrawn({ entry: number }));
    links.push({ chance: entry, from: pool });
    draws += 1;
  }
  if (draws !== seal.pools.length) return verdict(say.moreDrawn);
  const { log: _log, seal: _seal, ...closing } = record;
  links.push(closing as Plain);
  let head: Uint8Array = new Uint8Array(32);
  for (const [number, link] of links.entries()) {
    const salt = sha("salt", secret, joined(new Uint8Array(4), big(number, 4)));
    head = sha("head", head, sha("entry", salt, text(canonical(link))));
  }
  if (hexadecimal(head) !== seal.head) return verdict(say.changed);
  // a whole chain may still be another than the one that was promised here
  if (kept?.commitment && kept.commitment !== seal.commitment) return verdict(say.otherCommitment);
  if (kept?.head && kept.head !== seal.head) return verdict(say.otherHead);
  const own = kept?.entropy && hexadecimal(sha("entropy", bytes(kept.entropy)));
  if (own && !seal.promises.includes(own)) return verdict(say.otherOwn);
  const silent = seal.promises.flatMap((promise, seat) => (promise && !seal.entropy[seat] ? [seat] : []));
  const notes = [
    kept?.commitment && say.keptCommitment,
    kept?.head && say.keptHead,
    silent.length && say.notShown({ seats: silent }),
    own && silent.includes(seal.promises.indexOf(own)) && say.ownNotShown,
  ];
  return verdict("", draws, notes.filter((note) => typeof note === "string" && note !== "") as string[]);
}
