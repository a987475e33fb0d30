// What the table of heraldry says.

export const heraldry = {};
