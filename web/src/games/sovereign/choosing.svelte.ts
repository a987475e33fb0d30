// The coins that are chosen in one's hand. Where they can be offered they are steps of an offer, not yet sent; where
// they cannot, they are only added up here. The last coin of exact change waits until it is laid down.

import type { Play } from "../../lib/play.svelte";
import { VALUES } from "./wire";
import { WANTED } from "./money";
import type { Shown } from "./scene";

/** A coin in the hand; alike ones are told apart by their keys. */
export type Coin = { code: string; key: string };

/** Coins by kind as single cards, the greatest first. */
export function singly(counts: Record<string, number>, without: string[] = []): Coin[] {
  return Object.keys(VALUES).flatMap((code) => {
    const gone = without.filter((each) => each === code).length;
    return Array.from({ length: (counts[code] ?? 0) - gone }, (_, number) => ({ code, key: `${code} ${number}` }));
  });
}

export class Choosing {
  #sent = $state.raw<string[]>([]); // keys, one for each step of `play.picked`
  #held = $state.raw<string[]>([]); // keys that are only added up

  constructor(
    readonly play: Play<Shown>,
    readonly hand: () => Coin[],
  ) {}

  get #offered(): string[] {
    return this.#sent.slice(0, this.play.picked.length);
  }

  get held(): string[] {
    const here = new Set(this.hand().map((coin) => coin.key));
    return this.#held.filter((key) => here.has(key) && !this.#offered.includes(key));
  }

  get keys(): string[] {
    return [...this.#offered, ...this.held];
  }

  get codes(): string[] {
    return this.keys.map(codeOf);
  }

  get sum(): number {
    return this.codes.reduce((sum, code) => sum + (VALUES[code] ?? 0), 0);
  }

  /** Whether coins can be offered now. */
  get offering(): boolean {
    return this.play.picked.length > 0 || this.play.offered.some((choice) => choice.name.startsWith("offer "));
  }

  /** Whether any sum can be offered, right or wrong. */
  get free(): boolean {
    if (this.play.options["mistakes"] !== "penalised") return false;
    return this.play.can(this.play.picked.length ? "offer done" : "leave") !== undefined;
  }

  get exact(): boolean {
    return this.sum === WANTED && !this.codes.includes("SOV");
  }

  /** The step that lays the chosen coins down, where they can be. */
  get laying(): string | undefined {
    if (!this.offering || !this.keys.length || !(this.free || (this.exact && this.held.length))) return undefined;
    const next = this.held[0];
    return next ? `offer ${codeOf(next)}` : "offer done";
  }

  async press({ code, key }: Coin) {
    if (this.play.busy) return; // one coin after another: each is answered for what it is
    this.play.said = null;
    if (this.keys.includes(key)) return this.#remove(key);
    const step = `offer ${code}`;
    const last = !this.free && this.sum + (VALUES[code] ?? 0) === WANTED;
    if (this.held.length || last || !this.play.can(step)) {
      this.#held = [...this.held, key];
      await this.#tell(step);
    } else {
      await this.#offer(key);
    }
  }

  /** Why a coin is only added up, where that could be asked. */
  async #tell(step: string) {
    const { play } = this;
    const wrongly = play.view?.offered_wrongly && play.can("leave");
    if (play.can(step) || !(wrongly || (this.offering && (step === "offer SOV" || this.told)))) return;
    const why = await play.why(step);
    if (why) play.said = why;
  }

  /** Whether it is known that change can be given. */
  get told(): boolean {
    const stage = this.play.view?.stage;
    return this.offering && !this.free && (stage === "after" || !this.play.can("leave") || this.play.picked.length > 0);
  }

  async #offer(key: string) {
    this.#sent = [...this.#offered, key];
    await this.play.take(`offer ${codeOf(key)}`, true); // the change is given when the player says so
  }

  async #remove(key: string) {
    if (this.held.includes(key)) {
      this.#held = this.held.filter((each) => each !== key);
      return;
    }
    const rest = this.#offered.filter((each) => each !== key);
    this.play.takeBack(true);
    for (const each of rest) await this.#offer(each);
  }

  async layDown() {
    if (this.play.busy) return;
    for (const key of this.held) {
      await this.#offer(key);
      this.#held = this.#held.filter((each) => each !== key);
    }
    if (this.play.can("offer done")) await this.play.take("offer done");
  }

  putBack() {
    this.forget();
    this.play.takeBack(true);
  }

  forget() {
    this.#held = [];
  }
}

export function codeOf(key: string): string {
  return key.split(" ")[0] ?? "";
}
