// What is said where the server contradicts what it told before, in English.

import type { Grammar } from "../../../words/grammar";

const ENTRIES = { one: "entry", other: "entries" };

export type Texts = ReturnType<typeof english>;

export default function english({ plural }: Grammar) {
  return {
    title: "The server has lost or changed something",
    back: ({ before, now }: { before: number; now: number }) =>
      `This server told you of ${plural(before, ENTRIES)} in the log of this table. Now its log has ${plural(now, ENTRIES)}.`,
    other: ({ before }: { before: number }) =>
      `This server told you of ${plural(before, ENTRIES)} in the log of this table. Now it says that they were different ones.`,
    means:
      "Someone may have restored an older copy of its data, or changed it. The table shows what the server has now, and play goes on from there.",
    signed: "The server signed what it told you. Save that if you want to prove it later.",
    unsigned: "What it told you was not signed, so it proves nothing to others.",
    save: "Save what I was told",
  };
}
