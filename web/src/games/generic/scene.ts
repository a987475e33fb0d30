// How the events of any game are shown: each is said, and then the table stands as the server says.

import type { Scene } from "../../lib/scene";

export const scene: Scene = {
  beat: (events) => Math.min(450, 1800 / events),
  leaves: () => null,
  scores: (view, book) => {
    const declared = book.fields.find((field) => field.score);
    return declared ? (view[declared.name] as number[]).map((score) => ({ score })) : [];
  },
};
