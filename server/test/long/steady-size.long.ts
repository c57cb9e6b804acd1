/**
 * OPS-7: under steady load a process reaches its size and stays there. Two minutes (or SOAK_SECONDS) of calls and lists
 * of both eras, with streams and callers that disconnect; the last third is compared with the previous third.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { callRepeatedly } from "./callers.ts";
import { inLongSetup } from "./setup.ts";

const SECONDS = Number(process.env.SOAK_SECONDS ?? 120);
const SAMPLES = 60;
/** The timing of garbage collections is not growth. */
const MAX_GROWTH_MB = 24;
const MAX_NEW_FILES = 8;
const TIMEOUT = { timeout: (SECONDS + 300) * 1000 };

it(`does not grow during ${SECONDS} s of calls`, TIMEOUT, (t) =>
  inLongSetup("sqlite", t.signal, async ({ service, history, users }) => {
    const { pid } = await service.current();
    let isOver = false;
    const load = Promise.all(users.map((user) => callRepeatedly(user, service, history, () => isOver)));
    const sizes: { mb: number; files: number }[] = [];
    try {
      for (let sample = 0; sample < SAMPLES; sample++) {
        await Promise.race([sleep((SECONDS * 1000) / SAMPLES), load]);
        sizes.push(sizeOf(pid));
      }
    } finally {
      isOver = true;
    }
    await load;
    const third = SAMPLES / 3;
    const [before, after] = [sizes.slice(third, 2 * third), sizes.slice(2 * third)];
    const [mbBefore, mbAfter] = [before, after].map((part) => middle(part.map(({ mb }) => mb)));
    const [filesBefore, filesAfter] = [before, after].map((part) => middle(part.map(({ files }) => files)));
    assert.ok(mbBefore && mbAfter && filesBefore && filesAfter);
    const calls = `${history.answered} answers`;
    t.diagnostic(`${calls}; resident ${mbBefore} MB, then ${mbAfter} MB; files ${filesBefore}, then ${filesAfter}`);
    assert.ok(mbAfter - mbBefore <= MAX_GROWTH_MB);
    assert.ok(filesAfter - filesBefore <= MAX_NEW_FILES);
  }),
);

function sizeOf(pid: number): { mb: number; files: number } {
  const residentKb = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return { mb: Math.round(residentKb / 1024), files: readdirSync(`/proc/${pid}/fd`).length };
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
