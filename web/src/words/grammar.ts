// Numbers, plurals, lists, dates and spans of time as a language writes them.

/** A word in the forms that numbers ask for; English has `one` and `other`, for places also `two` and `few`. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

type Span = "second" | "minute" | "hour" | "day";

const AGO: [Span, number][] = [
  ["day", 86_400],
  ["hour", 3600],
];

/** A function that makes something once for each name that it is given. */
function once<Name extends string, Made>(make: (name: Name) => Made): (name: Name) => Made {
  const made = new Map<Name, Made>();
  return (name) => {
    const found = made.get(name) ?? make(name);
    made.set(name, found);
    return found;
  };
}

export function grammarOf(language: string) {
  const rules = once((type: Intl.PluralRuleType) => new Intl.PluralRules(language, { type }));
  const lists = once((type: Intl.ListFormatType) => new Intl.ListFormat(language, { type }));
  const numbers = once((options: string) => new Intl.NumberFormat(language, JSON.parse(options)));
  const written = (value: number, options: Intl.NumberFormatOptions = {}) =>
    numbers(JSON.stringify(options)).format(value).replace("-", "−");
  const counts = (span: Span, display: "long" | "short") => (value: number) =>
    written(value, { style: "unit", unit: span, unitDisplay: display });

  const grammar = {
    language,

    /** A number with so many digits behind the point, and a true minus. */
    number: (value: number, digits = 0) =>
      written(value, { minimumFractionDigits: digits, maximumFractionDigits: digits }),

    /** What was won or lost, with its sign. */
    gain: (value: number) => written(value, { signDisplay: "exceptZero" }),

    /** The number of a thing, such as a deal: nothing stands between its digits. */
    digits: (value: number) => written(value, { useGrouping: false }),

    /** A share of one. */
    percent: (share: number) => written(share, { style: "percent" }),

    /** The form of a word for so many. */
    form: (count: number, forms: Forms) => forms[rules("cardinal").select(count)] ?? forms.other,

    /** A number and what is counted. */
    plural: (count: number, forms: Forms) => `${grammar.number(count)} ${grammar.form(count, forms)}`,

    /** A place in a row: the number with the ending that it has. */
    ordinal: (place: number, endings: Forms) =>
      `${grammar.number(place)}${endings[rules("ordinal").select(place)] ?? endings.other}`,

    /** Several names in one breath. */
    and: (names: string[]) => listed(names, "conjunction"),

    /** One of several. */
    or: (names: string[]) => listed(names, "disjunction"),

    /** Facts in a row. */
    row: (facts: (string | false | null | undefined)[]) =>
      lists("unit").format(facts.filter((fact) => !!fact) as string[]),

    /** A span of time in the largest unit that leaves at least two of it. */
    time: (seconds: number) =>
      seconds < 120
        ? counts("second", "long")(seconds)
        : seconds < 7200
          ? counts("minute", "long")(Math.round(seconds / 60))
          : seconds < 172_800
            ? counts("hour", "long")(Math.round(seconds / 3600))
            : counts("day", "long")(Math.round(seconds / 86_400)),

    /** Minutes, where there is little room. */
    minutes: counts("minute", "short"),

    /** Seconds as a clock shows them: 0:32. */
    clock: (seconds: number) =>
      `${grammar.number(Math.floor(seconds / 60))}:${written(seconds % 60, { minimumIntegerDigits: 2 })}`,

    /** A day and the time of day. */
    date: (milliseconds: number) =>
      new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(milliseconds),

    /** How long ago something was, in the largest unit that there is one of. */
    ago: (seconds: number) => {
      const [span, length] = AGO.find(([, least]) => seconds >= least) ?? (["minute", 60] as const);
      return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-Math.floor(seconds / length), span);
    },

    /** As it stands at the beginning of a sentence. */
    capital: (text: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1),
  };

  /** Things in a row; semicolons keep things apart that have commas. */
  function listed(things: string[], type: Intl.ListFormatType): string {
    const apart = things.length > 2 && things.some((thing) => thing.includes(", "));
    return lists(type)
      .formatToParts(things)
      .map(({ type, value }) => (apart && type === "literal" ? `;${value.replace(/^[,،、;]/, "")}` : value))
      .join("");
  }

  return grammar;
}

export type Grammar = ReturnType<typeof grammarOf>;

/** A number stays on the line of its "No.". */
export const unbroken = (text: string) => text.replaceAll("No. ", "No.\u00a0");
