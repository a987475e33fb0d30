// What the generic board says.

export const generic = {
  facts: "How it stands",
  played: (name: string, card: string) => `${name}: ${card}`,
  more: (label: string, count: number) => `${label}: ${count}`,
  none: "none",
  flags: { true: "yes", false: "no" },
  nothing: "No card lies on the table.",
};
