// What the table of masquerade says.

export const masquerade = {};
