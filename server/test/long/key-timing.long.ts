/** AUTH-5: the duration of a rejection does not reveal whether the key exists. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { openTestSqlite } from "../databases.ts";
import { createMachineUser } from "../factories.ts";
import { startService } from "../start-service.ts";

const REQUESTS_EACH = 20_000;
const WARM_UP = 2_000;
const MAX_DIFFERENCE_MS = 0.05;
const MIN_P = 0.01;

it(`rejects existing and unknown keys in the same time, over ${REQUESTS_EACH} requests each`, async (t) => {
  const database = await openTestSqlite();
  const service = await startService(database);
  t.after(async () => {
    await service.close();
    await database.close();
  });
  const [known, gone, third] = [
    await createMachineUser(service, "known"),
    await createMachineUser(service, "gone"),
    await createMachineUser(service, "third"),
  ];
  const removed = await service.api("DELETE", `/api/users?email=${gone.email}`);
  assert.equal(removed.status, 200, removed.text);
  // A well-formed secret that belongs to neither key.
  const [, secret = ""] = third.credential.split(":");
  const keys = [known, gone].map(({ credential }) => `${credential.split(":")[0]}:${secret}`);
  const tookMs: [number[], number[]] = [[], []];
  for (let n = -WARM_UP; n < 2 * REQUESTS_EACH; n++) {
    // In pairs with changing order, so that other load affects both equally.
    const which = (n & 1) ^ ((n >> 1) & 1) ? 1 : 0;
    const since = performance.now();
    const { status } = await service.mcp(keys[which] ?? "", "{}");
    const took = performance.now() - since;
    assert.equal(status, 401);
    if (n >= 0) tookMs[which].push(took);
  }
  const apart = Math.abs(middle(tookMs[0]) - middle(tookMs[1]));
  const p = mannWhitney(...tookMs);
  t.diagnostic(`medians ${(apart * 1000).toFixed(1)} µs apart, Mann-Whitney p = ${p.toFixed(3)}`);
  assert.ok(apart < MAX_DIFFERENCE_MS || p > MIN_P);
});

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Two-sided, by the normal approximation, which is exact enough for thousands of values. */
function mannWhitney(ones: readonly number[], others: readonly number[]): number {
  const all = [...ones.map((ms) => ({ ms, isOne: true })), ...others.map((ms) => ({ ms, isOne: false }))];
  all.sort((a, b) => a.ms - b.ms);
  const ranks = all.reduce((sum, { isOne }, at) => (isOne ? sum + at + 1 : sum), 0);
  const [n, m] = [ones.length, others.length];
  const u = ranks - (n * (n + 1)) / 2;
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return 2 * (1 - normalBelow(z));
}

/** Abramowitz and Stegun 26.2.17. */
function normalBelow(z: number): number {
  const k = 1 / (1 + 0.2316419 * z);
  const series = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
