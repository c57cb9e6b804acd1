import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { EgressFailure, EgressRefused } from "#egress/egress";
import { createLogger } from "#lib/logger";
import { newUserRow } from "#records/users";
import type { MainDb } from "#storage/database";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { DocumentReachability } from "./document-reachability.ts";

const CLAUDE = "https://claude.example/client.json";
const OTHER = "https://other.example/client.json";
const REGISTRY = "https://registry.example";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

forEachDatabase("whether client ID metadata documents can be fetched", (open) => {
  let db: MainDb;
  const clock = testClock();
  /** The hosts that respond. */
  const up = new Set<string>();
  const contacted: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    const url = String(input);
    contacted.push(url);
    if (!up.has(url)) throw new EgressFailure("connect", `host "${new URL(url).host}" could not be resolved`);
    return new Response("{}", { status: 404 });
  };
  const create = (registryUrl?: string) =>
    new DocumentReachability({ db, clock, logger: createLogger("silent"), fetch, registryUrl });
  const advertised = async () => (await create().status()).isAdvertised;
  const setMode = (client_id_documents: string) =>
    db.insertInto("settings").values({ name: "organization", value: { client_id_documents }, updated_at: 0 }).execute();
  const insertGrant = (client_id: string) => {
    const times = { created_at: 1, last_used_at: clock.now(), expires_at: clock.now() + HOUR_MS };
    const client = { client_id, client_name: "Client", redirect_uri: "http://localhost/" };
    const row = { id: client_id, user_id: "usr_1", resource_path: null, server_id: null, ...client, ...times };
    return db.insertInto("oauth_grants").values(row).execute();
  };
  beforeEach(async () => {
    db ??= (await open()).databases.main;
    await db.deleteFrom("settings").execute();
    await db.deleteFrom("oauth_grants").execute();
    await db.deleteFrom("users").execute();
    await db
      .insertInto("users")
      .values(newUserRow("usr_1", "Ada", "ada@example.com", 1))
      .execute();
    up.clear();
    contacted.length = 0;
  });

  it("is not assumed: without evidence, clients register themselves", async () => {
    assert.equal(await advertised(), false);
    await create().testWhenDue();
    assert.deepEqual([await advertised(), contacted], [false, []]);
  });

  it("is shown by the registry that is synced anyway, and tested again after hours", async () => {
    up.add(REGISTRY);
    await create(REGISTRY).testWhenDue();
    assert.deepEqual([await advertised(), contacted], [true, [REGISTRY]]);
    clock.advance(3 * HOUR_MS);
    await create(REGISTRY).testWhenDue();
    assert.equal(contacted.length, 1);
    clock.advance(2 * HOUR_MS);
    up.clear();
    await create(REGISTRY).testWhenDue();
    assert.deepEqual([await advertised(), contacted.length], [false, 2]);
  });

  it("is tested with increasing pauses while it fails", async () => {
    const attempts: number[] = [];
    const start = clock.now();
    for (let minute = 0; minute < 300; minute++) {
      const before = contacted.length;
      await create(REGISTRY).testWhenDue();
      if (contacted.length > before) attempts.push((clock.now() - start) / MINUTE_MS);
      clock.advance(MINUTE_MS);
    }
    assert.deepEqual(attempts, [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  });

  it("contacts nothing and advertises as set with on and off", async () => {
    for (const [mode, expected] of [
      ["on", true],
      ["off", false],
    ] as const) {
      await db.deleteFrom("settings").execute();
      await setMode(mode);
      await create(REGISTRY).testWhenDue();
      assert.deepEqual([await advertised(), contacted], [expected, []]);
    }
  });

  it("ends for all processes when a client's document fails, and returns when that document works", async () => {
    up.add(REGISTRY);
    await create(REGISTRY).testWhenDue();
    const other = create(REGISTRY);
    assert.equal((await other.status()).isAdvertised, true);
    await assert.rejects(create().fetch(CLAUDE), EgressFailure);
    clock.advance(2_000);
    assert.equal((await other.status()).isAdvertised, false);
    contacted.length = 0;
    await other.testWhenDue();
    assert.deepEqual(contacted, [], "it waits a minute");
    clock.advance(MINUTE_MS);
    await other.testWhenDue();
    assert.deepEqual([await advertised(), contacted], [false, [CLAUDE]], "the registry does not outweigh the document");
    up.add(CLAUDE);
    clock.advance(2 * MINUTE_MS);
    await other.testWhenDue();
    assert.equal(await advertised(), true);
  });

  it("does not depend on one broken host if the document of a client in use works", async () => {
    await insertGrant(OTHER);
    up.add(OTHER);
    await create(REGISTRY).testWhenDue();
    assert.deepEqual(contacted, [OTHER], "documents in use are tested instead of the registry");
    await assert.rejects(create().fetch(CLAUDE), EgressFailure);
    assert.equal(await advertised(), false);
    clock.advance(MINUTE_MS);
    await create(REGISTRY).testWhenDue();
    assert.equal(await advertised(), true);
  });

  it("forgets a failed document after a day", async () => {
    up.add(REGISTRY);
    await assert.rejects(create().fetch(CLAUDE), EgressFailure);
    clock.advance(25 * HOUR_MS);
    contacted.length = 0;
    await create(REGISTRY).testWhenDue();
    assert.deepEqual([await advertised(), contacted], [true, [REGISTRY]]);
  });

  it("learns from documents of requests, and stores at most one failure per minute", async () => {
    up.add(OTHER);
    await create().fetch(OTHER);
    assert.equal(await advertised(), true);
    const stored = async () => (await create().status()).state;
    await assert.rejects(create().fetch(CLAUDE), EgressFailure);
    const first = await stored();
    clock.advance(1_000);
    await assert.rejects(create().fetch("https://third.example/x"), EgressFailure);
    assert.deepEqual(await stored(), first);
    assert.deepEqual(first?.failed?.url, CLAUDE);
  });

  it("counts refused addresses and timeouts as failures, but no shutdown and no response", async () => {
    for (const [failure, works] of [
      [new EgressRefused("not public"), false],
      [new EgressFailure("cancelled", "timed out"), false],
      [new EgressFailure("tls", "not trusted"), false],
      [new EgressFailure("closed", "shutting down"), true],
      [new EgressFailure("too-large", "too large"), true],
    ] as const) {
      await db.deleteFrom("settings").execute();
      up.add(OTHER);
      await create().fetch(OTHER);
      const needs = { db, clock, logger: createLogger("silent"), registryUrl: undefined };
      const failing = new DocumentReachability({ ...needs, fetch: () => Promise.reject(failure) });
      await assert.rejects(failing.fetch(CLAUDE), failure);
      assert.equal(await advertised(), works, failure.kind);
    }
  });
});
