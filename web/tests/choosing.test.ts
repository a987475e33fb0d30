import { beforeEach, describe, expect, test, vi } from "vitest";
import { Choosing, singly } from "../src/games/sovereign/choosing.svelte";

test("coins are single cards, the greatest first, without those laid down", () => {
  expect(singly({ "6D": 1, CR: 2 }, ["CR"])).toEqual([
    { code: "CR", key: "CR 0" },
    { code: "6D", key: "6D 0" },
  ]);
});

describe("coins that are chosen", () => {
  const coins = singly({ HG: 1, HS: 2, SH: 1 });
  const [guinea, half, other] = coins;
  let offered: string[];
  let play: {
    picked: string[];
    busy: boolean;
    said: unknown;
    options: object;
    view: object;
    offered: { name: string }[];
    can: (name: string) => object | undefined;
    take: (name: string) => Promise<void>;
    takeBack: () => void;
    why: () => Promise<null>;
  };
  let choosing: Choosing;

  beforeEach(() => {
    offered = ["leave"];
    play = {
      ...{ picked: [], busy: false, said: null, options: {}, view: { stage: "start" } },
      get offered() {
        return offered.map((name) => ({ name }));
      },
      can: (name) => (offered.includes(name) ? {} : undefined),
      take: vi.fn(async (name: string) => void play.picked.push(name)),
      takeBack: vi.fn(() => void (play.picked = [])),
      why: async () => null,
    };
    choosing = new Choosing(play as never, () => coins);
  });

  test("are only added up where they cannot be offered", async () => {
    await choosing.press(guinea!);
    expect(play.take).not.toHaveBeenCalled();
    expect(choosing.sum).toBe(126);
    await choosing.press(guinea!);
    expect(choosing.sum).toBe(0);
  });

  test("are offered one by one, and the last waits until it is laid down", async () => {
    offered = ["leave", "offer HS"];
    await choosing.press(half!);
    expect(play.take).toHaveBeenCalledWith("offer HS", true);
    await choosing.press(other!);
    expect(play.take).toHaveBeenCalledTimes(1);
    expect(choosing.exact).toBe(true);
    expect(choosing.laying).toBe("offer HS");
    await choosing.layDown();
    expect(play.take).toHaveBeenCalledTimes(2);
  });

  test("are put back together", async () => {
    offered = ["leave", "offer HS"];
    await choosing.press(half!);
    choosing.putBack();
    expect(choosing.keys).toEqual([]);
  });
});
