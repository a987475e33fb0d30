// What the table of Lost Heir says.

import { and, plural } from "../../words/grammar";

/** A number as it is scored: with a true minus. */
const figure = (points: number) => `${points}`.replace("-", "−");

const gain = (points: number) => (points < 0 ? figure(points) : `+${points}`);

export const lostHeir = {
  cities: { N: "New York", P: "Philadelphia", B: "Boston", C: "Chicago" } as Record<string, string>,
  boys: { LH: "Lost Heir", WB: "Wrong Boy" } as Record<string, string>,
  figure,
  gain,
  both: and,
  partner: "your partner",

  bidding: {
    title: "The bidding",
    stillTo: "still to bid",
    passed: "passed",
    bid: (bid: number) => `bid ${bid}`,
    none: "No bid yet",
    highest: "Highest bid",
    names: (name: string) => `${name} now names the trump suit`,
    choose: "Your bid",
    step: (bid: number) => `Bid ${bid}`,
    pass: "Pass",
    taken: (name: string) => `already bid by ${name}`,
    below: "below the highest bid",
  },

  naming: {
    title: "Name the trump suit",
    held: (count: number) => (count ? `${count} in hand` : "none in hand"),
  },

  trump: {
    title: "Trumps",
    is: "is trumps",
    on: (bid: number, city: string) => `${bid} on ${city}`,
    named: (name: string, bid: number) => `Named by ${name}, for ${bid}`,
    left: (count: number) => (count === 0 ? "no tricks left" : plural(count, "trick left", "tricks left")),
    leads: (name: string, you: boolean) => (you ? "You lead" : `${name} leads`),
  },

  boysNow: {
    title: "The two boys",
    out: "not seen yet",
    hand: "in your hand",
    trick: "in this trick",
    taken: (name: string, points: number) => `${name}, ${gain(points)}`,
    void: (name: string) => `${name}, does not count`,
    gone: "taken",
  },

  trick: {
    title: "The trick",
    empty: "No card lies in the trick.",
    card: (name: string, card: string) => `${name}: ${card}`,
    leads: (name: string) => `${name}, who leads`,
    takes: "takes it",
    last: "Last trick",
    lastTitle: (name: string) => `The last trick, taken by ${name}`,
    backTo: "Back to the table",
    found: (name: string, you: boolean, points: number) =>
      `${name} ${you ? "have" : "has"} found the Lost Heir: ${plural(points, "point", "points")}`,
    wrong: (name: string, you: boolean, points: number) =>
      `${name} ${you ? "take" : "takes"} the Wrong Boy: ${-points} off`,
    void: (boy: string) => `A City card keeps the ${boy} from counting`,
  },

  score: {
    title: "Score",
    goal: (points: number) => (points ? `${points} to win` : ""),
    deal: "deal",
    fines: "fines",
    total: "total",
    short: (total: number, deal: number, fines: number) =>
      `${figure(total)} · deal ${gain(deal)}${fines ? ` ${figure(fines)}` : ""}`,
    line: (name: string, deal: number, fines: number, total: number) =>
      `${name}: ${figure(deal)} in this deal${fines ? `, fines ${figure(fines)}` : ""}, ${figure(total)} in all`,
  },

  slip: {
    title: "The deal is over",
    made: (name: string, bid: number, points: number) => `${name} bid ${bid} and made ${points}.`,
    failed: (name: string, bid: number, points: number) =>
      `${name} bid ${bid} and made ${figure(points)}: no points for this deal.`,
    side: "Side",
    /** The columns, by clause. */
    scored: { "HEIR-12": "tricks", "HEIR-13": "Heir", "HEIR-14": "Wrong Boy", "HEIR-15": "fines" } as Record<
      string,
      string
    >,
    gain: "deal",
    total: "total",
  },

  prompt: {
    bid: "Bid the points you think you will make, or pass.",
    over: (bid: number) => `Bid the points you think you will make: above ${bid}, to name the trump suit. Or pass.`,
    name: (bid: number) => `Name the trump suit. You are to make ${plural(bid, "point", "points")}.`,
    leadTrump: (city: string) => `Lead a trump: a ${city} card.`,
    lead: "Lead any card.",
    follow: (city: string) => `Follow with a ${city} card.`,
    followOrOdd: (city: string) => `Follow with a ${city} card, or play an odd card.`,
    none: (led: string) => `You have no ${led}: play any card.`,
    any: "Play any card.",
    lit: "Play one of the lit cards.",
    penalised: "Play a card. Careful: an illegal card will stand and cost 3 points.",
  },
};
