/**
 * F11: how long the gateway decides about a call, with 1,000 servers, and with 200 toolkits that limit servers. The
 * difference is a part of the 2% that toolkits and selections may add to a call: a call takes some hundred microseconds.
 */
import assert from "node:assert/strict";
import { it } from "node:test";
import { compileToolkit } from "#gateway/snapshot/compile-toolkit";
import { nextSnapshot } from "#gateway/snapshot/next-snapshot";
import { resolve } from "#gateway/snapshot/resolve";
import { ALL_SERVERS } from "#gateway/snapshot/scope";
import type { Snapshot } from "#gateway/snapshot/shape";
import { exampleServer, exampleSnapshot, exampleTools, exampleUser } from "../example-entries.ts";

const SERVERS = 1_000;
const TOOLKITS = 200;
const DECISIONS = 50_000;
const ROUNDS = 9;
/** 2% of a call of 100 µs, which is faster than any seen. */
const MOST_ADDED_US = 2;

const ada = exampleUser("ada", ["dev"]);

it("adds at most 2 µs to a decision with 200 toolkits", (t) => {
  const none = exampleSnapshot({ servers: servers(), groups: { dev: false }, users: [ada] });
  const all = nextSnapshot(none, { revision: 2, toolkits: new Map(toolkits().map((each) => [each.id, each])) });
  const seen: [number[], number[]] = [[], []];
  // The first rounds only warm up.
  for (let round = -2; round < ROUNDS; round++) {
    for (const [at, snapshot] of [none, all].entries()) {
      const microseconds = decide(snapshot);
      if (round >= 0) seen[at]?.push(microseconds);
    }
  }
  const [without, withToolkits] = [median(seen[0]), median(seen[1])];
  t.diagnostic(`${without.toFixed(2)} µs without toolkits, ${withToolkits.toFixed(2)} µs with ${TOOLKITS}`);
  assert.ok(withToolkits - without <= MOST_ADDED_US);
});

function servers() {
  const tools = (slug: string) => exampleTools(slug, ["echo", "search"]);
  return Array.from({ length: SERVERS }, (_, at) => `server-${at}`).map((slug) =>
    exampleServer(slug, ["dev"], { tools: tools(slug) }),
  );
}

function toolkits() {
  return Array.from({ length: TOOLKITS }, (_, at) =>
    compileToolkit({
      ...{ id: `tkt_${at}`, slug: `toolkit-${at}`, name: `Toolkit ${at}`, instructions: "", owner_id: null },
      ...{ least_privilege: true, prompts: [], resources: [], groupIds: ["dev"] },
      tools: [{ server: `server-${at}`, tool: "echo" }],
    }),
  );
}

/** Microseconds per decision, over the servers that toolkits limit. */
function decide(snapshot: Snapshot): number {
  const names = Array.from({ length: TOOLKITS }, (_, at) => `server-${at}__echo`);
  const startedAt = performance.now();
  for (let count = 0; count < DECISIONS; count++) {
    const decision = resolve(snapshot, { user: ada }, ALL_SERVERS).named("tools", names[count % TOOLKITS] ?? "");
    if (decision.kind !== "forward") assert.fail();
  }
  return ((performance.now() - startedAt) * 1_000) / DECISIONS;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
