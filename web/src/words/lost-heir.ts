// What the table of lost-heir says.

export const lostHeir = {};
