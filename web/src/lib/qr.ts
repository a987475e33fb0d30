// A link as a code for a camera.

/** The code as one path of small squares, and how many of them a side has. */
export async function qrOf(text: string): Promise<{ path: string; size: number }> {
  const { encode } = await import("uqr");
  const { data } = encode(text, { border: 2, ecc: "M" });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { path, size: data.length };
}
