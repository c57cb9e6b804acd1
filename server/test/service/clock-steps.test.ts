import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "#lib/clock";
import { signedInAs } from "../browser.ts";
import { openTestSqlite } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { startService } from "../start-service.ts";
import { until } from "../upstreams/caller.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const STEPS = [HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS];
const CALL = callText({ era: "legacy", id: "7", tool: "echo__echo", arguments: '{"n":1}' });

/** The monotonic clock is correct; the wall clock is off by `offMs`. */
function steppedClock() {
  const clock = { ...systemClock, offMs: 0, now: () => systemClock.now() + clock.offMs };
  return clock;
}

it("a stepped wall clock grants no access, revokes none, and changes no duration (OPS-6)", async (t) => {
  const database = await openTestSqlite();
  let released = Promise.resolve();
  const upstream = await startRawUpstream({ gate: ({ method }) => (method === "tools/call" ? released : undefined) });
  const clock = steppedClock();
  const service = await startService(database, { clock });
  t.after(async () => {
    await service.close();
    await upstream.close();
    await database.close();
  });
  await createSyncedServer(service, "Echo", upstream.url);
  const bot = await createMachineUser(service, "bot");
  await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  const rotated = await service.api("POST", `/api/users/rotate-secret?email=${bot.email}`);
  const { client_id, secret } = rotated.body.credentials;
  const expiresAt = new Date(clock.now() + HOUR_MS / 2).toISOString();
  const made = await service.api("POST", "/api/api-tokens", { name: "short", scopes: ["all"], expires_at: expiresAt });
  assert.equal(made.status, 201, made.text);
  const withToken = async () =>
    (await service.http("/api/groups", { headers: { authorization: `Bearer ${made.body.token}` } })).status;
  const admin = await signedInAs(service, "admin");
  const reveal = async () => (await admin.api("POST", `/api/users/reveal-secret?email=${bot.email}`)).status;
  assert.equal(await reveal(), 200);

  for (const offMs of STEPS) {
    const { promise, resolve } = Promise.withResolvers<void>();
    released = promise;
    clock.offMs = 0;
    const calls = upstream.count("tools/call");
    const inProgress = service.mcp(`${client_id}:${secret}`, CALL);
    await until(() => upstream.count("tools/call") > calls);
    clock.offMs = offMs;
    resolve();
    const label = `${offMs / HOUR_MS} h`;
    assert.equal((await inProgress).status, 200, label);
    assert.equal((await service.mcp(`${client_id}:${secret}`, CALL)).status, 200, label);
    assert.equal((await service.mcp(bot.credential, CALL)).status, 401, label);
    assert.equal((await service.api("GET", "/api/groups")).status, 200, label);
    assert.equal(await withToken(), offMs > 0 ? 401 : 200, label);
    // A web session ends only after twelve hours without use. A recent authentication does not count after a step.
    const isSignedIn = offMs !== DAY_MS;
    assert.equal((await admin.get("/api/me")).status, isSignedIn ? 200 : 401, label);
    if (isSignedIn) assert.equal(await reveal(), 403, label);
  }
  clock.offMs = 0;
  assert.equal((await admin.get("/api/me")).status, 200, "still signed in");
  const logged = async () => (await service.api("GET", "/api/logs?limit=200")).body.data;
  while ((await logged()).length < 2 * STEPS.length);
  for (const { duration_ms } of await logged()) assert.ok(duration_ms >= 0 && duration_ms < HOUR_MS, `${duration_ms}`);
});

it("setting the clock back does not extend the wait after wrong passwords (OPS-6)", async (t) => {
  const database = await openTestSqlite();
  let now = systemClock.now();
  const service = await startService(database, { clock: { ...systemClock, now: () => now } });
  t.after(async () => {
    await service.close();
    await database.close();
  });
  const email = "admin@example.com";
  const person = await signedInAs(service, "admin", email);
  let last: number;
  do last = (await person.signIn(email, "not the right password")).status;
  while (last !== 429);
  assert.equal((await person.signIn(email)).status, 429);
  now -= DAY_MS;
  assert.equal((await person.signIn(email)).status, 303);
});
