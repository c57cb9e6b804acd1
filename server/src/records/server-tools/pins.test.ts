import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nextPin, type PinningServer } from "./pins.ts";

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

describe("what becomes of a tool that was read (GW-17)", () => {
  for (const [words, given, before, digest, expected] of [
    ["a first reading pins everything", server("hold", null), undefined, "a", ACCEPTED],
    ["also over what another upstream left", server("hold", null), changed, "c", ACCEPTED],
    ["allow takes what is new", server("allow"), undefined, "a", ACCEPTED],
    ["allow takes what changed", server("allow"), known, "b", ACCEPTED],
    ["warn marks what is new", server("warn"), undefined, "a", { ...ACCEPTED, pin: "new" }],
    ["warn marks what changed, and keeps what was", server("warn"), known, "b", { ...CHANGED, held: false }],
    ["hold holds what is new", server("hold"), undefined, "a", { ...ACCEPTED, pin: "new", held: true }],
    ["hold holds what changed", server("hold"), known, "b", { ...CHANGED, held: true }],
    ["what stays the same stays accepted", server("hold"), known, "a", ACCEPTED],
    ["what waits goes on waiting", server("hold"), changed, "b", { ...CHANGED, held: true }],
    ["a second change is told against what was accepted", server("warn"), changed, "c", { ...CHANGED, held: false }],
    ["a way back to what was accepted needs nobody", server("hold"), changed, "a", ACCEPTED],
    [
      "a release that pinned nothing left nothing to compare with",
      server("hold"),
      { ...known, digest: "" },
      "a",
      ACCEPTED,
    ],
  ] as const) {
    it(words, () => assert.deepEqual(nextPin(given, before, digest), expected));
  }
});
