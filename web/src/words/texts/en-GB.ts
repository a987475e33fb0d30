// What the page says in English, apart from the tables of the games: their texts are in their folders. What games say of
// themselves comes from the server.

import type { Grammar } from "../grammar";

const SPELT = ["", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];
const PLACES = { one: "st", two: "nd", few: "rd", other: "th" };
const ENTRIES = { one: "entry", other: "entries" };
const BOTS = { one: "bot", other: "bots" };
const SEATS = { one: "seat", other: "seats" };

export type Texts = ReturnType<typeof english>;

export default function english({
  ago,
  and,
  capital,
  clock,
  date,
  digits,
  form,
  gain,
  minutes,
  number,
  or,
  ordinal,
  plural,
  row,
  time,
}: Grammar) {
  return {
    parlour: "Parlour",
    motto: ({ games }: { games: number }) =>
      games
        ? `${SPELT[games] ?? number(games)} card ${form(games, { one: "game", other: "games" })} from old rule sheets, playable again`
        : "Card games from old rule sheets, playable again",
    you: "you",
    close: "Close",
    cancel: "Cancel",
    moment: "One moment …",

    nothing: {
      title: "Nothing here",
      why: "There is no page at this address. Perhaps the link was cut off when it was copied.",
      home: "To the games",
    },

    connection: {
      lost: "The connection is lost; trying again …",
      offline: "You are offline. The page will reconnect by itself.",
      quiet: "Waiting for the server …",
      held: "No connection. Your choice is kept, and sent as soon as the connection is back.",
      unreachable: "The server cannot be reached just now.",
      noFriends: "Playing with friends needs a server, and this page plays without one.",
      slow: "The games run slowly in this browser: bots play at their lightest, without hints or reviews.",
      again: "Try again",
      noTable: "There is no table by that name.",
      missed: "Something was missed; asking for everything again …",
      askAgain: "The server was set back before this was done. Look at the table, and choose again.",
      gone: ({ entries }: { entries: number }) =>
        `This server told this device of ${plural(entries, ENTRIES)} at this table. Either the table was deleted, or the server was set back.`,
    },

    room: {
      choose: "Choose a game",
      todays: "Today's deals and puzzles",
      figures: "Your figures",
      play: "Play",
      strength: "Strength of the bots",
      arrange: "Friends and options",
      learn: "Learn it",
      rules: "Rules",
      players: ({ low, high, few }: { low: number; high: number; few: number[] }) =>
        few.length === high - low + 1 && few.length > 2
          ? `${number(low)} to ${number(high)} players`
          : `${or(few.map((count) => number(count)))} players`,
      minutes: ({ count }: { count: number }) => minutes(count),
      first: ({ title }: { title: string }) => `${title}: your first game?`,
      firstWhy: "Learn it in a few minutes, with cards in your hand, or start at once: the rules are always at hand.",
      justPlay: "Just play",
      mine: "Your games",
      none: "No games yet. Games you play appear here.",
      noneFinished: "No finished games yet. They appear here.",
      unfinished: "Unfinished games",
      turns: ({ count }: { count: number }) => `(${number(count)}) Your turn`,
      allUnfinished: ({ count }: { count: number }) => `Show all ${number(count)}`,
      goOn: "Continue",
      guest: "Guest", // the name of someone who has given none
      yourTurn: "your turn",
      turnOf: ({ name, seconds }: { name: string; seconds: number }) =>
        seconds < 120 ? `${name} is to play` : `${name} is to play, for ${time(seconds)} now`,
      gathering: "waiting for players",
      company: ({ people, bots }: { people: string[]; bots: number }) =>
        `with ${and([...people, ...(bots ? [plural(bots, BOTS)] : [])])}`,
      when: ({ begun }: { begun: number }) => date(begun),
      begunAgo: ({ seconds }: { seconds: number }) => (seconds < 60 ? "started just now" : `started ${ago(seconds)}`),
      replay: "Replay",
      forget: ({ title }: { title: string }) => `Remove this game of ${title} from the list`,
      forgetSure: ({ title }: { title: string }) =>
        `Remove this game of ${title} from your list? You cannot come back to it.`,
      open: "Open tables",
      noneOpen: "No open tables right now. Create one under “Friends and options”, and others can join it from here.",
      join: "Sit down",
      watch: "Watch",
      seats: ({ free }: { free: number }) => (free ? `${plural(free, SEATS)} free` : "all seats taken"),
      begun: "being played",
      licences: "Licences of fonts and libraries",
      installed: "Everything comes from this server; nothing is fetched from anywhere else.",
    },

    arrange: {
      sizes: "Length and stakes",
      readings: "Rule variants",
      usual: "usual",
      levels: {
        novice: "Easy",
        steady: "Medium",
        expert: "Hard",
        champion: "Very hard",
        thumb: "Simple",
        random: "Random",
      },
    },

    gather: {
      onlyHere: "This link works on this machine only.",
      letIn: "To let others in, close Parlour and start it again with --host 0.0.0.0. This table will still be there.",
      copy: "Copy the link",
      copied: "Copied",
      pressToCopy: ({ apple }: { apple: boolean }) =>
        `The link is selected. Press ${apple ? "⌘" : "Ctrl"}+C to copy it.`,
      holdToCopy: "The link is selected. Hold your finger on it and choose Copy.",
      share: "Share …",
      qr: "The link as a code for a camera",
      program: ({ name }: { name: string }) => `program: ${name}`,
      ready: "ready",
      sealing: "The deal is being sealed …",
    },

    table: {
      back: "Room",
      players: "Players",
      rules: "Rules",
      whatScores: "What scores",
      whatScoresShort: "Points",
      hint: "Hint",
      undo: "Take back",
      log: "What happened",
      programs: ({ players }: { players: string[] }) => `Played by a program: ${and(players)}.`,
      programAt: ({ seat, name }: { seat: string; name: string }) => `${seat} (${name})`,
      known: "What you know",
      scores: "Scores",
      more: "More",
      menu: "Rules, hints and scores",
      settings: "Settings",
      turn: "to play",
      yourTurn: "It is your turn.",
      yourTurnIn: ({ title }: { title: string }) => `● Your turn – ${title}`,
      takenBack: "Taken back.",
      thinks: ({ name }: { name: string }) => `${name} is thinking …`,
      waits: ({ name }: { name: string }) => `Waiting for ${name} …`,
      waitsSince: ({ name, seconds }: { name: string; seconds: number }) =>
        `Waiting for ${name} (${seconds < 3600 ? clock(seconds) : time(seconds)}) …`,
      nudge: ({ name }: { name: string }) => `Remind ${name}`,
      say: "Say",
      watchers: ({ count }: { count: number }) => `${number(count)} watching`,
      isAway: ({ name, seconds }: { name: string; seconds: number }) => `${name} is away (${clock(seconds)}).`,
      cover: ({ name }: { name: string }) => `Let a bot play for ${name}`,
      keptByBot: "played by a bot",
      away: "away",
      deals: ({ you }: { you: boolean }) => (you ? "dealer" : "deals"),
      leads: ({ you }: { you: boolean }) => (you ? "lead" : "leads"),
      cards: ({ count }: { count: number }) => plural(count, { one: "card", other: "cards" }),
      points: ({ count }: { count: number }) => plural(count, { one: "point", other: "points" }),
      counters: ({ count }: { count: number }) => plural(count, { one: "counter", other: "counters" }),
      hand: "Your hand",
      handHolds: ({ cards }: { cards: string[] }) => `Your hand: ${and(cards)}.`,
      handOf: ({ name }: { name: string }) => `The hand of ${name}`,
      canPlay: ({ cards }: { cards: string[] }) => `You can play ${or(cards)}.`,
      onTable: "On the table",
      steps: "What you can do",
      takeBack: "Undo",
      nextDeal: "Next deal",
      nextGame: "Next game",
      deal: "Deal",
      game: "Game",
      now: "Now",
      dealTitle: ({ number: deal, isGame }: { number: number; isGame: boolean }) =>
        `${isGame ? "Game" : "Deal"} ${number(deal)}`,
      trickTitle: ({ number: trick }: { number: number }) => `Trick ${number(trick)}`,
      whatHappened: "what happened",
      goesOn: "go on by itself from now on",
      came: ({ card }: { card: string }) => `New in your hand: ${card}`,
      gone: ({ card }: { card: string }) => `Gone from your hand: ${card}`,
      whyClause: ({ clause }: { clause: string }) => `Why: rule ${clause}`,
      picked: "picked",
      hinted: "the hint",
      hintWhy: "Why?",
      hintStep: "Step",
      hintScore: "Expected score",
      hintWin: "Chance to win",
      hintAlike: ({ score, win }: { score: string; win: string }) =>
        `The steps that were compared come out alike in simulated play: expected score ${score}, chance to win ${win}. Only the reason above speaks for this one.`,
      hintUnsure: "The figures differ by less than simulated play can tell.",
      over: "Game over.",
      dealNo: ({ number }: { number: number }) => `Deal No. ${digits(number)}`,
      numbered: ({ number }: { number: number }) =>
        `Deal No. ${digits(number)}: everyone who plays this number gets the same cards, so you can compare scores.`,
      place: ({ place, of, shared }: { place: number; of: number; shared: boolean }) =>
        `You came ${shared ? "joint " : ""}${ordinal(place, PLACES)} of ${number(of)}.`,
      decided: ({
        deal,
        first,
        trick = 0,
        points = 0,
        names,
        isGame,
      }: {
        deal: number;
        first: boolean;
        trick?: number;
        points?: number;
        names: string[];
        isGame: boolean;
      }) => {
        const who = capital(and(names));
        const most = points > 0 ? ` (${plural(points, { one: "point", other: "points" })})` : "";
        if (trick && first) return `${who} led from the first points on, and won most in trick ${number(trick)}${most}`;
        if (trick) return `${who} took the lead for good in trick ${number(trick)}${most}`;
        if (!deal) return `${who} ${first ? "led from the first points on" : "took the lead for good"}`;
        const one = isGame ? "game" : "deal";
        return first
          ? `${who} led from the first ${one} on`
          : `${who} took the lead for good in ${one} ${number(deal)}`;
      },
      ended: { host: "The host has ended the game.", limit: "The game was ended: it had become too long." },
      end: "End the game",
      endSure: "End this game for everyone?",
      endWhy: "The scores so far are the result.",
      won: ({ names }: { names: string[] }) => capital(`${and(names)} won.`),
      youWon: "You won!",
      again: "Play again",
      rematch: "Play again with everyone",
      toRematch: "To the next game",
      replay: "Replay",
      watching: "You are watching.",
      watchingLate: "The game had started when you came, so you are watching.",
      delayed: ({ seconds }: { seconds: number }) => `You see everything ${time(seconds)} after it happened.`,
      spectators: "Link for spectators",
      carry: "Take my seat to another device",
      carryWhy: "Open this link on the other device, once. It is a key to your seat: show it to nobody.",
      alone: "Only this device keeps my seat",
      aloneWhy: "All your other devices lose this seat.",
      aloneDone: "Your seat is open on this device only.",
      leave: "Leave: let a bot play for me",
      leaveSure: "Leave the game?",
      leaveWhy: "A bot plays for you until you come back. You can come back at any time.",
      leaveDo: "Leave",
      backAgain: "A bot is playing for you.",
      comeBack: "I am back",
      claim: "Become the host",
      claimDone: "You are the host now.",
      careful: "Leaving and ending",
      giveToBot: ({ name }: { name: string }) => `Give ${name}'s seat to a bot`,
      giveToBotSure: ({ name }: { name: string }) => `Give ${name}'s seat to a bot for good?`,
      giveToBotWhy: ({ name }: { name: string }) => `${name} cannot come back to this game.`,
      giveToBotDo: "Give the seat to a bot",
      delete: "Delete this table",
      deleteSure: "Delete this table?",
      deleteWhy: "The game and its record are deleted for everyone, for good.",
      notNow: { h: "There is no hint just now.", u: "Nothing can be taken back just now." },
      hintLater: "You are in the middle of a move: finish it, or take it back with Esc; then ask for a hint.",
      scoresNow: ({ sides, goal }: { sides: { name: string; score: number }[]; goal: number }) =>
        `Score: ${row(sides.map(({ name, score }) => `${name} ${number(score)}`))}${goal ? `; ${number(goal)} to win` : ""}.`,
      earlier: ({ count }: { count: number }) =>
        `${plural(count, { one: "earlier event is", other: "earlier events are" })} not shown.`,
      inThisDeal: ({ points }: { points: number }) => `(${gain(points)} in this deal)`,
      secondsLeft: ({ count }: { count: number }) => `${time(count)} left`,
      keys: "Keys",
      keyNames: { Enter: "Enter", Escape: "Esc" },
      keyActions: {
        arrows: "from card to card",
        enter: "play, take, choose; the next deal",
        clause: "the rule behind the last event",
        rules: "the rule book",
        points: "what scores",
        hint: "a hint",
        undo: "take back",
        log: "what happened",
        known: "what you know",
        totals: "hear the scores",
        where: "hear what was said last, and what to do",
        settings: "settings",
        escape: "close, or undo",
      },
      knownWhere: {
        hand: "in your hand",
        shown: "seen and gone",
        sure: ({ name }: { name: string }) => `${name} has it`,
        maybe: ({ names }: { names: string[] }) => or(names),
        anywhere: "anyone may have it",
        row: ({ first, last }: { first: string; last: string }) => `${first} to ${last}`,
        others: "A name: who has it, or may have it. No name: anyone may have it.",
      },
    },

    clause: {
      states: {
        clear: "clear",
        damaged: "damaged",
        open: "open to reading",
        supplied: "completed by us",
      },
      added: "with an addition",
      ours: "In our words",
      sources: { sheet: "The sheet", leaflet: "The sheet", chapter: "The book" },
      supplied: "We add",
      why: "Why",
      usual: "Why this is the usual choice",
      certainties: { sure: "sure", likely: "likely", even: "as good as another", guess: "a guess" },
      kinds: {
        text: "the words",
        parallel: "a parallel",
        arithmetic: "arithmetic",
        practice: "practice of the time",
        lab: "simulated games",
      },
      reading: "How we read it",
      source: "From",
      options: "It can be read differently",
      here: "played here",
      eachPlayer: ({ count }: { count: number }) => `${number(count)} for each player`,
      whole: "The whole rule book",
      book: ({ title }: { title: string }) => `The rule book: ${title}`,
      aim: "The aim",
      turn: "Your turn",
      cards: "The cards",
      ends: "The end",
      inShort: "In short",
      whatScores: "What scores",
      units: { points: "in points", counters: "in counters" },
      clauses: "Every rule",
      glossary: "Old words",
      about: {
        clear: "The words are whole and can be taken in one way.",
        damaged: "The words are garbled or lost; the reading says what they must have been.",
        open: "The words are whole and can be taken in more than one way.",
        supplied: "Something that play needs is missing there; we add it.",
      },
    },

    settings: {
      title: "Settings",
      name: "Your name",
      language: "Language",
      languageAuto: "system",
      theme: "Theme",
      themes: { auto: "system", light: "light", dark: "dark" },
      type: "Text size",
      types: { usual: "normal", large: "large" },
      motion: "Animation",
      motions: { auto: "system", less: "reduced" },
      pace: "Game speed",
      paces: { slow: "slow", usual: "normal", quick: "fast" },
      goesOn: "Start the next deal by itself",
      forced: "Play my only legal card by itself",
      sound: "Sounds",
      clauses: "Always show rule numbers (museum)",
      letters: "Keyboard shortcuts", // turn this off for speech input
      on: "on",
      off: "off",
    },

    lesson: {
      title: ({ game }: { game: string }) => `${game}: a first hand`,
      on: "Next",
      back: "Back",
      leave: "Leave",
      done: "Now play it",
      step: ({ at, of }: { at: number; of: number }) => `Step ${number(at)} of ${number(of)}`,
      another: ({ step }: { step: string }) => `That is allowed too. In this lesson: ${step}.`,
    },
  };
}
