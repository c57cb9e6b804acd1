import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { check, guard } from "#test/guard-kit";
import type { GuardDefinition } from "../definition.ts";
import { GuardSet } from "../guard-set.ts";
import { scanPayload } from "../scan.ts";
import { DEFAULT_LIMITS } from "../text/extract.ts";
import { type ScanJob, ScanPool } from "./scan-pool.ts";

/** Each match is found in linear time, but there are as many searches as characters, each up to the end. */
const QUADRATIC = "a[^z]*z|a";

function jobFor(guards: readonly GuardDefinition[], value: unknown): ScanJob {
  const set = new GuardSet(guards, systemClock);
  const copyBytes = async () => Uint8Array.from(Buffer.from(JSON.stringify(value)));
  const input = { prefix: "", skipBinary: false, schemaTarget: "arguments" as const, tool: undefined };
  return { set, guards: set.compiled.guards, input, base: 0, copyBytes, limits: DEFAULT_LIMITS, wantsLeaves: false };
}

async function withPool(options: object, run: (pool: ScanPool) => Promise<void>): Promise<void> {
  const pool = new ScanPool({ clock: systemClock, workers: 1, maxWaiting: 2, limitMs: 20_000, ...options });
  try {
    await run(pool);
  } finally {
    await pool.close();
  }
}

const emails = guard({ action: "redact", checks: [check("pii", { entities: ["email"] })] });

describe("ScanPool", () => {
  it("finds the same as the main thread", async () => {
    await withPool({}, async (pool) => {
      const text = "x ".repeat(50_000);
      const job = jobFor([emails], { "k@x.org": [`${text} ann@example.com é ${text}`, "bob@example.com"] });
      const result = await pool.scan(job);
      const input = { ...job.input, base: job.base, bytes: Buffer.from(await job.copyBytes()) };
      const inline = scanPayload(job.set.compiled, job.guards, input, job.limits);
      assert.deepEqual(result, { ...inline, leaves: [] });
      assert.equal(inline.findings.length, 3);
    });
  });

  it("ends an examination that takes too long, does not stall the caller, and examines the next payload", async () => {
    await withPool({ limitMs: 8_000 }, async (pool) => {
      assert.notEqual(typeof (await pool.scan(jobFor([emails], ["warm"]))), "string");
      const slow = jobFor([guard({ checks: [check("regex", { pattern: QUADRATIC })] })], ["a".repeat(250_000)]);
      let turns = 0;
      let isDone = false;
      const count = () => {
        turns++;
        if (!isDone) setImmediate(count);
      };
      setImmediate(count);
      assert.equal(await pool.scan(slow), "timeout");
      isDone = true;
      assert.ok(turns > 100, "the event loop continued meanwhile");
      assert.notEqual(typeof (await pool.scan(jobFor([emails], ["next"]))), "string");
    });
  });

  it("reports a crash as a failure, and refuses payloads when too many wait", async () => {
    await withPool({ maxHeapMb: 4 }, async (pool) => {
      const jobs = Array.from({ length: 4 }, () => pool.scan(jobFor([emails], ["text"])));
      assert.deepEqual(await Promise.all(jobs), ["failed", "failed", "failed", "overloaded"]);
      assert.equal(await pool.scan(jobFor([emails], ["text"])), "failed");
    });
  });

  it("examines with each of many sets of guards, also with those that a worker has forgotten", async () => {
    await withPool({}, async (pool) => {
      const jobs = ["one", "two", "three", "four", "five", "six"].map((word) =>
        jobFor([guard({ checks: [check("keyword", { words: [word] })] })], [`${word} x`]),
      );
      for (const job of [...jobs, ...jobs]) {
        const result = await pool.scan(job);
        assert.ok(typeof result !== "string");
        assert.equal(result.findings.length, 1);
      }
    });
  });

  it("copies a payload only when a worker is free, and survives a copy that fails", async () => {
    await withPool({}, async (pool) => {
      const copied: string[] = [];
      const job = (name: string, copyBytes?: ScanJob["copyBytes"]): ScanJob => {
        const { copyBytes: copy, ...rest } = jobFor([emails], [`${name}@example.com`]);
        const noted = () => {
          copied.push(name);
          return (copyBytes ?? copy)();
        };
        return { ...rest, copyBytes: noted };
      };
      const held = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
      const first = pool.scan(job("first", () => held.promise));
      const second = pool.scan(job("second"));
      assert.deepEqual(copied, ["first"]);
      held.reject(new Error("gone"));
      assert.equal(await first, "failed");
      assert.notEqual(typeof (await second), "string");
      assert.deepEqual(copied, ["first", "second"]);
    });
  });

  it("refuses payloads after it was closed", async () => {
    const pool = new ScanPool({ clock: systemClock, workers: 1, maxWaiting: 2, limitMs: 1_000 });
    await pool.close();
    assert.equal(await pool.scan(jobFor([emails], ["text"])), "overloaded");
  });
});
