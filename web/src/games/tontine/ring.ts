// Where the seats are: evenly around the largest ring that the board can hold, one's own at the bottom and the next at
// the left of it, each as large as leaves all of them to be seen, its card towards the middle.

/** How large everything is: a seat's token, whether its name stands under it, and its card as a picture or a sign. */
type Size = { token: number; name: boolean; card: number; picture: boolean };
/** In pixels from the middle of the ring: a seat's token, and its card from there. */
type Spot = { x: number; y: number; cardX: number; cardY: number };
export type Ring = Size & {
  width: number;
  height: number;
  spots: Spot[]; // from the front seat on, leftwards
  apart: boolean; // whether no two touch
  inner: { left: number; top: number; bottom: number; clear: number }; // what is free within; `clear`: all the way down
};

type Box = { x: number; y: number; w: number; h: number };

const SIZES: Size[] = [
  { token: 96, name: true, card: 120, picture: true },
  { token: 80, name: true, card: 96, picture: true },
  { token: 66, name: true, card: 74, picture: true },
  { token: 62, name: true, card: 62, picture: true },
  { token: 58, name: true, card: 52, picture: true },
  { token: 54, name: true, card: 44, picture: true },
  { token: 54, name: false, card: 52, picture: true },
  { token: 50, name: false, card: 44, picture: true },
  { token: 46, name: false, card: 40, picture: true },
  { token: 48, name: false, card: 44, picture: false },
  { token: 44, name: false, card: 39, picture: false },
  { token: 41, name: false, card: 36, picture: false },
  { token: 38, name: false, card: 34, picture: false },
  { token: 35, name: false, card: 31, picture: false },
  { token: 33, name: false, card: 30, picture: false },
  { token: 31, name: false, card: 28, picture: false },
  { token: 29.5, name: false, card: 27, picture: false },
  { token: 27.5, name: false, card: 25, picture: false },
  { token: 26, name: false, card: 23, picture: false },
];
const ROUNDNESS = [2, 2.3, 2.7, 3.3, 4.5, 7, 11]; // an ellipse, and what comes nearer and nearer to a rectangle
const SAMPLES = 360;
const HIGHEST = 2400;
const APART = 2;

const cardHeight = (size: Size) => (size.picture ? 1.4 : 0.62) * size.card;
const clash = (one: Box, other: Box) =>
  Math.abs(one.x - other.x) * 2 < one.w + other.w + APART && Math.abs(one.y - other.y) * 2 < one.h + other.h + APART;

/** The largest seats for which there is room; where there is none the ring is higher than the board, which scrolls. */
export function ringOf(
  width: number,
  height: number,
  players: number,
  own: boolean,
  type: number,
  over = false, // one's own card does not lie in the middle any more
): Ring {
  for (let high = Math.max(height, 200); ; high += 40)
    for (const size of SIZES)
      for (const roundness of ROUNDNESS) {
        const ring = laid(width, high, players, own, type, size, roundness);
        if (ring && ((ring.apart && fits(ring, own && !over, type)) || high > HIGHEST)) return ring;
      }
}

/** Whether the ring lies across rather than upright. */
export const isWide = (width: number, height: number) => width > 1.1 * height;

/** Whether one's own card lies beside the box rather than under it. */
export const isLow = (width: number, height: number) => isWide(width, height) && height < 440;

/** Whether the box, one's own card and how it went have room within. */
function fits({ width, height, inner }: Ring, own: boolean, type: number): boolean {
  const low = isLow(width, height);
  const least = low ? 130 * type : isWide(width, height) ? 210 * type : Math.min(84 * type, 0.23 * width);
  return -inner.left >= least && inner.bottom - inner.top >= (own && !low ? 232 : 125) * type;
}

function laid(
  width: number,
  height: number,
  players: number,
  own: boolean,
  type: number,
  size: Size,
  roundness: number,
): Ring | null {
  const w = size.name ? Math.max(size.token, 92 * type) : size.token;
  const h = size.token + (size.name ? 19 * type : 0);
  const [a, b] = [(width - w) / 2 - 5, (height - h) / 2 - 5];
  const spots = a > w / 2 && b > h / 2 ? evenly(a, b, roundness, players, w, h, size) : null;
  if (!spots) return null;

  const boxes = spots.map(({ x, y, cardX, cardY }, at): Box[] => {
    const token = { x, y, w, h };
    return own && at === 0 ? [token] : [token, { x: x + cardX, y: y + cardY, w: size.card, h: cardHeight(size) }];
  });
  let apart = true;
  for (let at = 0; apart && at < players; at++)
    for (let next = 1; apart && next <= Math.min(3, players - 1); next++)
      apart = !boxes[at]!.some((one) => boxes[(at + next) % players]!.some((other) => clash(one, other)));

  const all = boxes.flat();
  const amid = all.filter((box) => Math.abs(box.x) < 70 + box.w / 2);
  const wide = isWide(width, height);
  const top = Math.max(wide ? -0.3 * height : -b, ...amid.filter(({ y }) => y < 0).map((box) => box.y + box.h / 2)) + 6;
  const bottom = Math.min(b, ...amid.filter(({ y }) => y > 0).map((box) => box.y - box.h / 2)) - 6;
  // how far to the sides, where the widest things lie: beside the box, or beside one's own card
  const row = wide ? top + (own && !isLow(width, height) ? 0.28 : 0.5) * (bottom - top) : 0;
  const high = wide ? 75 : 0.3 * height;
  const aside = all.filter((box) => Math.abs(box.y - row) < high + box.h / 2).map((box) => Math.abs(box.x) - box.w / 2);
  const within = all.filter((box) => box.y - box.h / 2 < bottom && box.y + box.h / 2 > top);
  const clear = Math.min(a, ...within.map((box) => Math.abs(box.x) - box.w / 2)) - 8;
  const inner = { left: -Math.min(a, ...aside) + 8, top, bottom, clear };
  return { ...size, width, height, spots, apart, inner };
}

/** Places around the ring that are equally far from each other, measured in tokens or in cards, whichever is less; null
 * where they would be too near. */
function evenly(
  a: number,
  b: number,
  roundness: number,
  players: number,
  w: number,
  h: number,
  size: Size,
): Spot[] | null {
  const bent = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / roundness);
  const points = Array.from({ length: SAMPLES + 1 }, (_, at) => {
    const angle = Math.PI / 2 + (2 * Math.PI * at) / SAMPLES; // from the bottom, to the left
    return withCard({ x: a * bent(Math.cos(angle)), y: b * bent(Math.sin(angle)) }, a, b, roundness, w, h, size);
  });
  const far = [0];
  for (let at = 1; at <= SAMPLES; at++) {
    const [from, to] = [points[at - 1]!, points[at]!];
    const [x, y] = [to.x - from.x, to.y - from.y];
    const token = Math.max(Math.abs(x) / w, Math.abs(y) / h);
    const card = Math.max(
      Math.abs(x + to.cardX - from.cardX) / size.card,
      Math.abs(y + to.cardY - from.cardY) / cardHeight(size),
    );
    far.push(far[at - 1]! + Math.min(token, card));
  }
  if (far[SAMPLES]! < players) return null;
  let at = 0;
  return Array.from({ length: players }, (_, number) => {
    const wanted = (far[SAMPLES]! * number) / players;
    while (far[at + 1]! < wanted) at++;
    const share = (wanted - far[at]!) / (far[at + 1]! - far[at]! || 1);
    const [from, to] = [points[at]!, points[at + 1]!];
    const part = (of: keyof Spot) => from[of] + share * (to[of] - from[of]);
    return { x: part("x"), y: part("y"), cardX: part("cardX"), cardY: part("cardY") };
  });
}

/** The card lies towards the middle: below the token where the ring runs across, beside it where it runs down. */
function withCard(
  { x, y }: { x: number; y: number },
  a: number,
  b: number,
  roundness: number,
  w: number,
  h: number,
  size: Size,
): Spot {
  const slope = (value: number, half: number) => (-Math.sign(value) * Math.abs(value / half) ** (roundness - 1)) / half;
  const [inX, inY] = [slope(x, a), slope(y, b)];
  const [reachX, reachY] = [(w + size.card) / 2 + 4, (h + cardHeight(size)) / 2 + 4];
  // as far straight inwards as it takes for the two not to touch
  const along = Math.min(reachX / (Math.abs(inX) || 1e-9), reachY / (Math.abs(inY) || 1e-9));
  return { x, y, cardX: inX * along, cardY: inY * along };
}
