import { expect, test } from "vitest";
import type { Event } from "../src/lib/wire";
import { shortened } from "../src/parts/shortened";

const event = (seat: number, says: string): Event => ({ entry: ["play", seat], says, clause: "" });
const mine = ({ entry }: Event) => entry[1] === 0;

test("a few events are announced as they are, without those that have no sentence", () => {
  const few = [event(0, "a"), event(1, ""), event(2, "b")];
  expect(shortened(few, mine).map(({ says }) => says)).toEqual(["a", "b"]);
});

test("of many events the oldest of others are left out, and none of one's own", () => {
  const many = [event(0, "mine"), ...Array.from({ length: 30 }, (_, at) => event(1, `other ${at}`)), event(0, "again")];
  const said = shortened(many, mine).map(({ says }) => says);
  expect(said).toHaveLength(20);
  expect([said[0], said[1], said.at(-1)]).toEqual(["mine", "other 12", "again"]);
});

test("the last event is announced however many of one's own came before", () => {
  const said = shortened([...Array.from({ length: 30 }, () => event(0, "mine")), event(1, "at last")], mine);
  expect(said.at(-1)?.says).toBe("at last");
});
