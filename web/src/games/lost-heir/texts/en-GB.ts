// What the table of Lost Heir says in English.

import type { Grammar } from "../../../words/grammar";

const POINTS = { one: "point", other: "points" };

export type Texts = ReturnType<typeof english>;

export default function english({ and, gain, number, plural }: Grammar) {
  return {
    cities: { N: "New York", P: "Philadelphia", B: "Boston", C: "Chicago" },
    boys: { LH: "Lost Heir", WB: "Wrong Boy" },
    ribbons: { LH: "Lost Heir", WB: "Wrong Boy", NY: "City card", PH: "City card" },
    steps: {
      "trump N": "name New York as trumps",
      "trump P": "name Philadelphia as trumps",
      "trump B": "name Boston as trumps",
      "trump C": "name Chicago as trumps",
    },
    partner: "your partner",
    side: ({ names }: { names: string[] }) => and(names),

    bidding: {
      title: "The bidding",
      stillTo: "still to bid",
      passed: "passed",
      bid: ({ bid }: { bid: number }) => `bid ${number(bid)}`,
      none: "No bid yet",
      highest: "Highest bid",
      names: ({ name }: { name: string }) => `${name} now names the trump suit`,
      choose: "Your bid",
      step: ({ bid }: { bid: number }) => `Bid ${number(bid)}`,
      pass: "Pass",
      taken: ({ name }: { name: string }) => `already bid by ${name}`,
      below: ({ bid, highest }: { bid: number; highest: number }) =>
        `${number(bid)} is below the highest bid of ${number(highest)}: it cannot win the auction`,
    },

    naming: {
      title: "Name the trump suit",
      held: ({ count }: { count: number }) => (count ? `${number(count)} in hand` : "none in hand"),
    },

    trump: {
      title: "Trumps",
      is: "is trumps",
      on: ({ bid, city }: { bid: number; city: string }) => `${number(bid)} on ${city}`,
      named: ({ name, bid }: { name: string; bid: number }) => `Named by ${name}, for ${number(bid)}`,
      left: ({ count }: { count: number }) =>
        count === 0 ? "no tricks left" : plural(count, { one: "trick left", other: "tricks left" }),
      leads: ({ name, you }: { name: string; you: boolean }) => (you ? "You lead" : `${name} leads`),
    },

    boysNow: {
      title: "The two boys",
      out: "not seen yet",
      hand: "in your hand",
      trick: "in this trick",
      taken: ({ name, points }: { name: string; points: number }) => `${name}, ${gain(points)}`,
      void: ({ name }: { name: string }) => `${name}, does not count`,
      gone: "taken",
    },

    trick: {
      title: "The trick",
      empty: "No card lies in the trick.",
      card: ({ name, card }: { name: string; card: string }) => `${name}: ${card}`,
      leads: ({ name }: { name: string }) => `${name}, who leads`,
      takes: "takes it",
      last: "Last trick",
      lastTitle: ({ name }: { name: string }) => `The last trick, taken by ${name}`,
      backTo: "Back to the table",
      found: ({ name, you, points }: { name: string; you: boolean; points: number }) =>
        `${name} ${you ? "have" : "has"} found the Lost Heir: ${plural(points, POINTS)}`,
      wrong: ({ name, you, points }: { name: string; you: boolean; points: number }) =>
        `${name} ${you ? "take" : "takes"} the Wrong Boy: ${number(-points)} off`,
      void: ({ boy }: { boy: string }) => `A City card keeps the ${boy} from counting`,
    },

    score: {
      title: "Score",
      goal: ({ points }: { points: number }) => (points ? `${number(points)} to win` : ""),
      deal: "deal",
      fines: "fines",
      total: "total",
      short: ({ total, deal, fines }: { total: number; deal: number; fines: number }) =>
        `${number(total)} · deal ${gain(deal)}${fines ? ` ${number(fines)}` : ""}`,
      line: ({ name, deal, fines, total }: { name: string; deal: number; fines: number; total: number }) =>
        `${name}: ${number(deal)} in this deal${fines ? `, fines ${number(fines)}` : ""}, ${number(total)} in all`,
    },

    slip: {
      title: "The deal is over",
      before: "The deal before this one",
      cancelled: ({ boy, cities }: { boy: string; cities: string[] }) => `${boy}: cancelled by ${and(cities)}`,
      made: ({ name, bid, points }: { name: string; bid: number; points: number }) =>
        `${name} bid ${number(bid)} and made ${number(points)}.`,
      failed: ({ name, bid, points }: { name: string; bid: number; points: number }) =>
        `${name} bid ${number(bid)} and made ${number(points)}: no points for this deal.`,
      side: "Side",
      /** The columns, by clause. */
      scored: { "HEIR-12": "tricks", "HEIR-13": "Heir", "HEIR-14": "Wrong Boy", "HEIR-15": "fines" },
      gain: "deal",
      total: "total",
    },

    prompt: {
      bid: "Bid the points you think you will make, or pass.",
      over: ({ bid }: { bid: number }) =>
        `Bid above ${number(bid)} to name the trump suit, or pass. A lower bid is allowed, but cannot win.`,
      above: ({ bid }: { bid: number }) => `Bid above ${number(bid)}, or pass.`,
      pass: ({ bid }: { bid: number }) => `Nobody can bid above ${number(bid)}: pass.`,
      name: ({ bid }: { bid: number }) => `Name the trump suit. You are to make ${plural(bid, POINTS)}.`,
      leadTrump: ({ city }: { city: string }) => `Lead a trump: a ${city} card.`,
      lead: "Lead any card.",
      follow: ({ city }: { city: string }) => `Follow with a ${city} card.`,
      followOrOdd: ({ city }: { city: string }) => `Follow with a ${city} card, or play an odd card.`,
      none: ({ led }: { led: string }) => `You have no ${led}: play any card.`,
      noSuit: "No suit has been led yet: play any card. The first card of a suit sets the one to follow.",
      any: "Play any card.",
      lit: "Play a card that is allowed.",
      penalised: "Play a card. Careful: an illegal card will stand and cost 3 points.",
    },
  };
}
