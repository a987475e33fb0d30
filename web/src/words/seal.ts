// What is said of the seal of a record.

import { plural } from "./grammar";

export const seal = {
  holds: "The seal holds",
  broken: "The seal does not hold",
  why: (entries: number, draws: number) =>
    `The luck was fixed before anyone sat down: all ${plural(draws, "draw", "draws")} came from the secret that was promised then, and none of the ${entries} entries was changed since. This page has computed it itself.`,
  none: "There is no seal that this page can read.",
  otherSecret: "The secret is not the one that was promised.",
  otherEntropy: (seat: number) => `What seat ${seat + 1} added is not what it promised.`,
  fromNothing: (entry: number) => `Entry ${entry + 1} was drawn from nothing.`,
  notDrawn: (entry: number) => `Entry ${entry + 1} was not drawn from the secret.`,
  moreDrawn: "More was drawn than the record shows.",
  changed: "An entry was changed: the chain does not end in its head.",
  otherCommitment: "It is sealed by another promise than the one that this device was shown before it sat down.",
  otherHead: "It does not end in the head that this device was told.",
  otherOwn: "This device promised other entropy than the record says.",
  ownNotShown:
    "The record says that this device did not show the entropy it had promised: was it away when the sitting began? If not, whoever runs the server chose between two deals.",
  keptCommitment: "It is the promise this device was shown before it sat down.",
  keptHead: "It ends in the head that this device was told.",
  notShown: (seats: number[]) =>
    `Entropy that was promised was not shown in time by ${seats.map((seat) => `seat ${seat + 1}`).join(", ")}, and counts for nothing.`,
  unreadable: "The record is not one that can be verified.",
};
