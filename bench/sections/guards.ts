import { readFileSync } from "node:fs";
import { BUILT_IN_GUARDS } from "#guards/builtins";
import { GuardEngine } from "#guards/engine";
import { GuardSet } from "#guards/guard-set";
import { resultPayload } from "#guards/payload";
import { systemClock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { median } from "../load.ts";
import type { Report } from "../report.ts";
import { measureGuardedCalls } from "./guards-gateway.ts";

const ROUNDS = 9;
const SMALL_CALLS = 20_000;
const LARGE_BYTES = 256 * 1024;
const SUBJECT = { server: "github", tool: "github__get_issue", user: "ann@example.com", groups: ["Engineering"] };
const SMALL = {
  content: [
    {
      type: "text",
      text: "Build 48213 of api-gateway finished at 2026-11-16T15:00:00Z with 3 warnings: https://ci.test/48213",
    },
  ],
  structuredContent: { build: 48213, state: "passed", warnings: 3 },
  isError: false,
};

/** The guard engine alone, with all built-in runtime guards on `log`, and then calls through the gateway. */
export async function measureGuards(report: Report): Promise<void> {
  const enabled = BUILT_IN_GUARDS.map((guard) => ({ ...guard, enabled: true, action: "log" as const }));
  const set = new GuardSet(enabled, systemClock);
  const engine = new GuardEngine({ clock: systemClock });
  const selection = set.select(SUBJECT, "response");
  if (selection === undefined) throw new Error("no guard applies");
  measureLookup(report, enabled);

  const small = payloadOf(SMALL);
  const evaluateSmall = () => engine.evaluate(selection, small, { direction: "response" });
  const nanoseconds = timeEach(SMALL_CALLS, evaluateSmall);
  report.add({
    what: `guards: result of ${small.source.length} B under all built-in guards, engine only`,
    seen: `${(nanoseconds / 1000).toFixed(1)} µs`,
    budget: "≤ 20 µs",
    met: nanoseconds <= 20_000,
  });

  const large = payloadOf({ content: [{ type: "text", text: documentation() }] });
  const times: number[] = [];
  for (let round = 0; round < 3 * ROUNDS; round++) {
    const startedAt = performance.now();
    await engine.evaluate(selection, large, { direction: "response" });
    if (round >= ROUNDS) times.push(performance.now() - startedAt);
  }
  const p50 = median(times);
  report.add({
    what: "guards: result of 256 KiB under all built-in guards, in a worker: p50",
    seen: `${p50.toFixed(1)} ms`,
    budget: "≤ 50 ms",
    met: p50 <= 50,
  });
  await engine.close();
  await measureGuardedCalls(report);
}

/** What guards cost a call that none of them covers. */
function measureLookup(report: Report, enabled: GuardSet["definitions"]): void {
  const scope = { groups: [], servers: ["linear"], tools: [], users: [], exclude_servers: [] };
  const elsewhere = new GuardSet(
    enabled.map((guard) => ({ ...guard, scope })),
    systemClock,
  );
  const nanoseconds = timeEach(SMALL_CALLS * 10, () => elsewhere.select(SUBJECT, "response"));
  report.add({
    what: "guards: call that no guard covers",
    seen: `${nanoseconds.toFixed(0)} ns`,
    budget: "≤ 500 ns",
    met: nanoseconds <= 500,
  });
}

/** Median nanoseconds per run, after a warm-up. */
function timeEach(runs: number, run: () => unknown): number {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    for (let at = 0; at < runs; at++) run();
    if (round > 0) rounds.push(((performance.now() - startedAt) / runs) * 1e6);
  }
  return median(rounds);
}

function payloadOf(value: unknown) {
  const source = new ByteSource(Buffer.from(JSON.stringify(value)));
  return resultPayload(source, { start: 0, end: source.length });
}

/** Real text: documentation of a dependency, repeated. The message has 256 KiB with its escapes. */
function documentation(): string {
  const text = readFileSync(new URL("../../node_modules/fastify/README.md", import.meta.url), "utf8");
  return text.repeat(Math.ceil(LARGE_BYTES / text.length)).slice(0, Math.floor(LARGE_BYTES * 0.97));
}
