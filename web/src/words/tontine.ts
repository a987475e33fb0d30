// What the table of tontine says.

export const tontine = {};
