import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import type { KyselyPlugin } from "kysely";
import type { Databases } from "#storage/database";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { newId, Replica, userRow, write } from "#test/example-replica";
import { createCredentialRefresh } from "./credential-refresh.ts";

const REMEMBERED_MS = 10_000;
const SECRET = "gh_sk_any";
const clock = testClock();

forEachDatabase("an access key that is not in the snapshot", (open) => {
  let databases: Databases;
  let replica: Replica;
  let looks = 0;
  let underWay = 0;
  let mostUnderWay = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      looks++;
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      return node;
    },
    async transformResult({ result }) {
      underWay--;
      return result;
    },
  };
  const make = (rest: { publisher?: { catchUp(): Promise<void> } } = {}) => {
    const publisher = { ...methodsOf(replica), ...rest.publisher };
    return createCredentialRefresh({ db: databases.main.withPlugin(counting), clock, publisher });
  };

  before(async () => {
    databases = (await open()).databases;
    await write(databases, async (tx) => void (await tx.insertInto("users").values(userRow("usr_1")).execute()));
    replica = new Replica(databases, clock);
    await replica.publisher.start();
  });
  beforeEach(() => {
    looks = 0;
    mostUnderWay = 0;
  });
  after(() => replica.publisher.stop());

  /** Simulates another replica: this one notices the key only by a lookup. */
  async function addKey(revokedAt: number | null = null): Promise<string> {
    const id = newId("crd");
    await write(databases, async (tx, trail) => {
      const row = {
        id,
        kind: "machine_key" as const,
        user_id: "usr_1",
        access_key: `gh_ak_${id}`,
        verifier: new Uint8Array(32),
        pepper_version: 1,
        sealed_secret: null,
        scopes: null,
        toolkit: null,
        actor: null,
        expires_at: null,
        revoked_at: revokedAt,
        created_at: 1,
      };
      await tx.insertInto("credentials").values(row).execute();
      trail.changed("credential", id);
    });
    return `gh_ak_${id}`;
  }
  const known = (key: string) => replica.holder.current().credentials.get(key) !== undefined;

  it("is accepted immediately if it is in the database", async () => {
    const key = await addKey();
    assert.equal(known(key), false);
    await make().refresh(key, SECRET);
    assert.equal(known(key), true);
  });

  it("is looked up once for any number of concurrent requests", async () => {
    const key = await addKey();
    const { refresh } = make();
    const found = await Promise.all(Array.from({ length: 50 }, () => refresh(key, SECRET).then(() => known(key))));
    assert.ok(found.every(Boolean));
    assert.equal(looks, 1);
  });

  it("is not looked up again for ten seconds if it is unknown", async () => {
    const { refresh } = make();
    for (let i = 0; i < 5; i++) await refresh("gh_ak_invented", SECRET);
    assert.equal(looks, 1);
    clock.advance(REMEMBERED_MS - 1);
    await refresh("gh_ak_invented", SECRET);
    assert.equal(looks, 1);
    clock.advance(1);
    await refresh("gh_ak_invented", SECRET);
    assert.equal(looks, 2);
  });

  it("is looked up for each new secret once in ten seconds, because a secret may be new (SEC-8)", async () => {
    const key = await addKey();
    const { refresh } = make();
    for (const secret of ["first", "first", "rotated", "rotated", "first"]) await refresh(key, secret);
    assert.equal(looks, 2);
    clock.advance(REMEMBERED_MS);
    await refresh(key, "rotated");
    assert.equal(looks, 3);
  });

  it("is not looked up again if it was revoked", async () => {
    const key = await addKey(1);
    const { refresh } = make();
    await refresh(key, SECRET);
    await refresh(key, SECRET);
    assert.deepEqual([known(key), looks], [false, 1]);
  });

  it("waits while eight others are looked up, and is found then", async () => {
    const { refresh } = make();
    const valid = await addKey();
    const keys = [...Array.from({ length: 99 }, (_, i) => `gh_ak_flood_${i}`), valid];
    const checked = await Promise.all(keys.map((key) => refresh(key, SECRET)));
    assert.deepEqual([new Set(checked), known(valid)], [new Set([true]), true]);
    assert.deepEqual([looks, mostUnderWay], [100, 8]);
  });

  it("is reported as not looked up if too many wait, and is looked up the next time", async () => {
    const { refresh } = make();
    const keys = Array.from({ length: 600 }, (_, i) => `gh_ak_many_${i}`);
    const checked = await Promise.all(keys.map((key) => refresh(key, SECRET)));
    assert.deepEqual([looks, checked.filter((wasChecked) => !wasChecked).length], [508, 92]);
    assert.equal(await refresh("gh_ak_many_599", SECRET), true);
    assert.equal(looks, 509);
  });

  it("gives no principal and no error when the lookup fails (AUTH-2)", async () => {
    const key = await addKey();
    const { refresh } = make({ publisher: { catchUp: () => Promise.reject(new Error("the database is away")) } });
    assert.equal(await refresh(key, SECRET), false);
    assert.equal(known(key), false);
    assert.equal(await make().refresh(key, SECRET), true);
    assert.equal(known(key), true);
  });
});

function methodsOf({ publisher }: Replica) {
  return {
    start: () => publisher.start(),
    startFrom: (...args: Parameters<typeof publisher.startFrom>) => publisher.startFrom(...args),
    applyUpTo: (revision: number) => publisher.applyUpTo(revision),
    catchUp: () => publisher.catchUp(),
    isBehind: () => false,
    isRestored: () => false,
    ageSeconds: () => 0,
    stop: () => publisher.stop(),
  };
}
