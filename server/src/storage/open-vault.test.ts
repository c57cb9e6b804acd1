import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, it } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { createPostgresDatabase, forEachDatabase, makeDataDir, type TestDatabase } from "#test/databases";
import type { MainDb } from "./database.ts";
import { openDatabases } from "./open-databases.ts";
import { assertUsable, openVault } from "./open-vault.ts";
import { VAULT_PURPOSES } from "./vault.ts";
import { WrongWrappingKey, wrappingKey } from "./wrapping-key.ts";

const needs = { clock: testClock(), logger: createLogger("silent") };
const place = { table: "credentials", row: "crd_1", column: "sealed_secret" };
const newKey = () => wrappingKey(randomBytes(32));
const rows = (db: MainDb) => db.selectFrom("vault_keys").selectAll().orderBy("purpose").execute();

forEachDatabase("the vault's keys", (open, dialect) => {
  let database: TestDatabase;
  before(async () => {
    database = await open();
  });
  const openMain = async () => {
    const { main } = database.databases;
    await main.deleteFrom("vault_keys").execute();
    return main;
  };

  it("are created on first use, one per purpose, and never stored unwrapped", async () => {
    const db = await openMain();
    const key = newKey();
    await openVault(db, [key], needs);
    const stored = await rows(db);
    assert.deepEqual(stored.map((row) => row.purpose).sort(), [...VAULT_PURPOSES].sort());
    for (const row of stored) {
      assert.equal(row.wrapping_key_id, key.id);
      assert.equal(Buffer.from(row.wrapped_key, "base64url").length, 12 + 32 + 16);
    }
    assert.equal(new Set(stored.map((row) => row.wrapped_key)).size, stored.length);
  });

  it("open values again that were sealed before with the same key file", async () => {
    const db = await openMain();
    const key = newKey();
    const sealed = (await openVault(db, [key], needs)).seal("machine-secret", place, "s3cret");
    const stored = await rows(db);
    assert.equal((await openVault(db, [key], needs)).open("machine-secret", place, sealed), "s3cret");
    assert.deepEqual(await rows(db), stored);
  });

  it("can be unwrapped with the previous key file while a new one is current", async () => {
    const db = await openMain();
    const [old, current] = [newKey(), newKey()];
    const sealed = (await openVault(db, [old], needs)).seal("machine-secret", place, "s3cret");
    await assertUsable(db, [current, old]);
    assert.equal((await openVault(db, [current, old], needs)).open("machine-secret", place, sealed), "s3cret");
  });

  it("reject another key file, name the required one, and stay unchanged (SEC-7)", async () => {
    const db = await openMain();
    const [right, wrong] = [newKey(), newKey()];
    await openVault(db, [right], needs);
    const stored = await rows(db);
    for (const attempt of [
      () => assertUsable(db, [wrong]),
      () => openVault(db, [wrong], needs),
      () => openVault(db, [], needs),
    ]) {
      await assert.rejects(attempt, (error) => error instanceof WrongWrappingKey && error.message.includes(right.id));
    }
    assert.deepEqual(await rows(db), stored);
  });

  it("are rejected like a wrong key file if they are damaged or were swapped", async () => {
    const db = await openMain();
    const key = newKey();
    await openVault(db, [key], needs);
    const [first, second] = await rows(db);
    for (const wrapped of ["", "AAAA", String(second?.wrapped_key), `${first?.wrapped_key.slice(0, -8)}AAAAAAAA`]) {
      await db
        .updateTable("vault_keys")
        .set({ wrapped_key: wrapped })
        .where("purpose", "=", String(first?.purpose))
        .execute();
      await assert.rejects(openVault(db, [key], needs), WrongWrappingKey);
    }
  });

  it("are the same for processes that start concurrently", async () => {
    const main = await openMain();
    const key = newKey();
    const another = await openDatabases({ ...database, logger: createLogger("silent") });
    try {
      const vaults = await Promise.all([main, another.main, main].map((db) => openVault(db, [key], needs)));
      const sealed = vaults.map((vault) => vault.seal("connection", place, "x"));
      for (const vault of vaults) for (const each of sealed) assert.equal(vault.open("connection", place, each), "x");
      assert.equal((await rows(main)).length, VAULT_PURPOSES.length);
    } finally {
      await another.close();
    }
  });

  it("are not read from a database without tables", async () => {
    const dataDir = await makeDataDir();
    const fresh = dialect === "postgres" ? await createPostgresDatabase() : undefined;
    const databases = await openDatabases({ dataDir, databaseUrl: fresh?.databaseUrl, logger: createLogger("silent") });
    await assertUsable(databases.main, [newKey()]);
    await databases.close();
    await fresh?.drop();
  });
});
