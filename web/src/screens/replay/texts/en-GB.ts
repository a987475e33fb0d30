// What is said in a replay, and of the seal of a record, in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

export default function english({ and, number, plural }: Grammar) {
  return {
    title: "Replay",
    toTable: "To the table",
    first: "To the beginning",
    previous: "Back",
    next: "Next",
    last: "To the end",
    play: "Play",
    pause: "Pause",
    step: ({ at, of }: { at: number; of: number }) => `${number(at)} of ${number(of)}`,
    jump: "Go to",
    share: "Link to this replay",
    download: "Download the record",
    verify: "Verify the seal",
    verifying: "Verifying …",
    commitment: "Commitment",
    head: "Final hash",
    holds: "The seal holds",
    broken: "The seal does not hold",
    why: ({ entries, draws }: { entries: number; draws: number }) =>
      `The luck was fixed before anyone sat down: all ${plural(draws, { one: "draw", other: "draws" })} came from the secret that the server had committed to, and none of the ${number(entries)} entries was changed later. Your browser checked this itself.`,
    none: "There is no seal that this page can read.",
    otherSecret: "The secret is not the one that the server had committed to.",
    otherEntropy: ({ seat }: { seat: number }) =>
      `What seat ${number(seat + 1)} added is not what it had committed to.`,
    fromNothing: ({ entry }: { entry: number }) => `Entry ${number(entry + 1)} was drawn from nothing.`,
    notDrawn: ({ entry }: { entry: number }) => `Entry ${number(entry + 1)} was not drawn from the secret.`,
    moreDrawn: "More was drawn than the record shows.",
    changed: "An entry was changed: the entries do not lead to the final hash.",
    otherCommitment: "The commitment is not the one that this device was shown before it sat down.",
    otherHead: "The last entry does not match the one that this device was given.",
    otherOwn: "This device had committed to another secret than the record says.",
    ownNotShown:
      "The record says that this device did not show the secret it had committed to. Was it away when the game began? If not, whoever runs the server chose between two deals.",
    keptCommitment: "The commitment is the one that this device was shown before it sat down.",
    keptHead: "The last entry matches the one that this device was given.",
    notShown: ({ seats }: { seats: number[] }) =>
      `Left out, because it was not shown in time: the secret of ${and(seats.map((seat) => `seat ${number(seat + 1)}`))}.`,
    unreadable: "This record cannot be verified.",
  };
}
