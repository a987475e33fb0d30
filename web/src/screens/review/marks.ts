// The mistakes of a review, in words.

import { catalogueOf } from "../../lib/catalogues";
import type { Play } from "../../lib/play.svelte";
import type { MarkLine, Said } from "../../lib/wire";
import { wordingOf } from "../../lib/wording";
import { said } from "./words";

/** A mistake: at which frame, what was played, what would have been better, and why. */
export type Mark = {
  move: number;
  within: number;
  played: string;
  best: string;
  worth: string;
  reason: string;
  clause: string;
  lost: number;
};

/** The mistakes among some choices, in the order of play, and another sentence of the server, in words. */
export async function worded(play: Play, lines: MarkLine[], also: string | Said = "") {
  const catalogue = await catalogueOf(play.game).catch(() => undefined);
  const company = { names: play.names, me: -1, sides: play.sides, cardNames: play.cardNames };
  const wording = wordingOf(catalogue, company);
  const marks = lines
    .filter(({ mistake }) => mistake)
    .map(({ move, within, played, best, score, score_within, win, win_within, lost, reason, clause, claims }) => ({
      move,
      within,
      lost: lost ?? 0,
      clause: clause ?? "",
      played: play.stepName(played),
      best: play.stepName(best),
      worth: said.worth({
        score: score ?? 0,
        within: score_within ?? 0,
        win: win ?? 0,
        winWithin: win_within ?? 0,
      }),
      reason: wording.reason(reason ?? "", claims),
    }));
  return { marks, sentence: wording.say(also) };
}
