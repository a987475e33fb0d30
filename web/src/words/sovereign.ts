// What the table of sovereign says.

export const sovereign = {};
