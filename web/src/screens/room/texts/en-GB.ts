// What the form says that sets up a table, in English.

import type { Grammar } from "../../../words/grammar";

export type Texts = ReturnType<typeof english>;

export default function english({ digits, number }: Grammar) {
  return {
    title: ({ game }: { game: string }) => `Set up a table: ${game}`,
    who: "Who plays",
    players: "Players",
    alone: "Alone, with bots",
    onlyHere:
      "Parlour runs for this machine only, so the link will work here and nowhere else. To let others in, close Parlour first and start it again with --host 0.0.0.0.",
    friends: "With friends, by a link",
    everyone: "Open to everyone here",
    level: "The bots",
    readingsUsual: "usual rules",
    readingsChanged: ({ count }: { count: number }) => `${number(count)} changed`,
    readingsWhy: "The old rules can be read in more than one way here. The usual choice is marked.",
    sheetSays: ({ clause, silent }: { clause: string; silent: boolean }) =>
      `${silent ? "Where the old rules are silent" : "The rule in our words"}: ${clause}`,
    names: "Its name in records and on the command line:",
    between: ({ low, high, usual }: { low: number; high: number; usual: string }) =>
      `${number(low)} to ${number(high)}; usually ${usual}`,
    pace: "Pace",
    paceNow: ({ bots, takesOver }: { bots: string; takesOver: string }) =>
      `bots take ${bots}${takesOver ? `; a bot takes over ${takesOver}` : ""}`,
    botPace: "Bots take",
    botPaces: { "0": "no time", "0.6": "a moment", "1.5": "their time" },
    personPace: "A bot takes over for a player who does not respond",
    personPaces: {
      "0": "never",
      "30": "after half a minute",
      "120": "after two minutes",
      "3600": "after an hour",
      "28800": "after eight hours",
      "86400": "after a day",
      "259200": "after three days",
      "604800": "after a week",
    },
    spectators: "Spectators see the game",
    spectatorPaces: { "0": "at once", "60": "a minute later", "600": "ten minutes later" },
    more: "More",
    hints: "Hints allowed",
    programs: "Programs may sit down too; everyone sees which seats are theirs",
    phrases: "Players may say set phrases, such as “Well played!”",
    numbered: "A numbered deal",
    numberedWhy: "Everyone who plays the same number gets the same cards. For one person with bots only.",
    number: "Number",
    deal: ({ number }: { number: number }) => `deal No. ${digits(number)}`,
    today: ({ number }: { number: number }) => `Today's deal: No. ${digits(number)}`,
    noNumber: "any cards",
    go: "Start",
    create: "Create the table",
  };
}
