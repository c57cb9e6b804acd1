import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PinningServer } from "./pin.ts";
import { nextPin } from "./pins.ts";

const server = (tool_policy: PinningServer["tool_policy"], tools_synced_at: number | null = 1): PinningServer => {
  return { id: "srv_1", tool_policy, tools_synced_at };
};
const ACCEPTED = {
  pin: "accepted",
  held: false,
  pinned_definition: null,
  pinned_digest: null,
  rejected_digest: null,
} as const;
const known = { ...ACCEPTED, digest: "a", definition: "A" };
const CHANGED = { pin: "changed", pinned_definition: "A", pinned_digest: "a", rejected_digest: null } as const;
const changed = { ...CHANGED, held: false, digest: "b", definition: "B" };

describe("the pin of a synced tool (GW-17)", () => {
  for (const [words, given, before, digest, expected] of [
    ["the first sync accepts everything", server("hold", null), undefined, "a", ACCEPTED],
    ["the first sync also accepts tools that another upstream left", server("hold", null), changed, "c", ACCEPTED],
    ["allow accepts new tools", server("allow"), undefined, "a", ACCEPTED],
    ["allow accepts changed tools", server("allow"), known, "b", ACCEPTED],
    ["warn marks new tools", server("warn"), undefined, "a", { ...ACCEPTED, pin: "new" }],
    [
      "warn marks changed tools and keeps the accepted definition",
      server("warn"),
      known,
      "b",
      { ...CHANGED, held: false },
    ],
    ["hold holds new tools", server("hold"), undefined, "a", { ...ACCEPTED, pin: "new", held: true }],
    ["hold holds changed tools", server("hold"), known, "b", { ...CHANGED, held: true }],
    ["an unchanged tool stays accepted", server("hold"), known, "a", ACCEPTED],
    ["a waiting tool keeps waiting", server("hold"), changed, "b", { ...CHANGED, held: true }],
    [
      "a second change is compared with the accepted definition",
      server("warn"),
      changed,
      "c",
      { ...CHANGED, held: false },
    ],
    ["returning to the accepted definition needs no approval", server("hold"), changed, "a", ACCEPTED],
    ["a release without pins left nothing to compare with", server("hold"), { ...known, digest: "" }, "a", ACCEPTED],
  ] as const) {
    it(words, () => assert.deepEqual(nextPin(given, before, digest), expected));
  }
});
