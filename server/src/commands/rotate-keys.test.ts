import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { beforeEach, it } from "node:test";
import { sql } from "kysely";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { type MachineKey, repepperSlice } from "#records/credentials";
import type { MainDb } from "#storage/database";
import { openVault, readNewDataKeys } from "#storage/open-vault";
import { addDataKeys, rewrapDataKeys } from "#storage/rotate-keys";
import { resealSlice, SEALED_COLUMNS, type SealedColumn, VALUES_PER_SLICE } from "#storage/sealed-columns";
import type { WriteContext } from "#storage/transaction";
import { KEY_ACTIVATION_DELAY_MS, VAULT_PURPOSES, type Vault } from "#storage/vault";
import { type WrappingKey, WrongWrappingKey, wrappingKey } from "#storage/wrapping-key";
import { hastyClock, type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { checkSealedColumns, fillSealedColumns } from "#test/sealed-columns";
import { readKeyStatus } from "./key-status.ts";
import { rotateKeys } from "./rotate-keys.ts";

/** Enough that a table takes three slices. */
const VALUES = 2 * VALUES_PER_SLICE + 1;
/** Plus the verifiers, minus client credentials (half of the rows) and the single identity provider. */
const FULL_COLUMNS = SEALED_COLUMNS.length + 1 - 2;
const newKey = () => wrappingKey(randomBytes(32));

/** Writes after a slice was read and before its transaction starts. */
function interrupted(context: WriteContext, write: () => Promise<unknown>): WriteContext {
  const db = new Proxy(context.db, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "transaction") return value.bind(target);
      const execute: ReturnType<MainDb["transaction"]>["execute"] = async (work) => {
        await write();
        return target.transaction().execute(work);
      };
      return () => ({ execute });
    },
  });
  return { ...context, db };
}

function sealedIn(table: string): SealedColumn {
  const found = SEALED_COLUMNS.find((sealed) => sealed.table === table);
  assert.ok(found);
  return found;
}

forEachDatabase("a rotation of keys", (open) => {
  let db: MainDb;
  let clock: TestClock;
  let context: WriteContext;
  let old: WrappingKey;
  let current: WrappingKey;
  let reports: string[];
  let alarms: string[];
  const logger = createLogger("error", { write: (line) => void alarms.push(line) });
  const openWith = (...keys: WrappingKey[]): Promise<Vault> => openVault(db, keys, { clock, logger });
  const progress = { report: (line: string) => void reports.push(line), update() {} };
  const rotate = (dataKeys = true, onSlice?: () => Promise<void>) =>
    rotateKeys(context, [current, old], logger, { dataKeys, progress, ...(onSlice && { onSlice }) });
  const wrappedBy = async () =>
    new Set((await db.selectFrom("vault_keys").selectAll().execute()).map((row) => row.wrapping_key_id));
  const everyRow = async () => {
    const tables = [...new Set(SEALED_COLUMNS.map(({ table }) => table)), "vault_keys", "audit"];
    return Promise.all(tables.map(async (table) => (await sql`select * from ${sql.table(table)}`.execute(db)).rows));
  };

  beforeEach(async () => {
    db = (await open()).databases.main;
    clock = hastyClock();
    context = { db, clock, newId: createIds(clock, systemRandom) };
    [old, current] = [newKey(), newKey()];
    reports = [];
    alarms = [];
  });

  const fill = (vault: Vault, count: number) => fillSealedColumns(context, vault, count);
  const judge = (vault: Vault, machineKeys: readonly MachineKey[]) => checkSealedColumns(db, vault, machineKeys);

  it("wraps all data keys with the new key while running servers continue (SEC-5)", async () => {
    const server = await openWith(old);
    const machineKeys = await fill(server, 3);
    await rotate(false);
    assert.deepEqual(await wrappedBy(), new Set([current.id]));
    assert.deepEqual(reports, [`Wrapped ${VAULT_PURPOSES.length} data keys with key ${current.id}.`]);
    machineKeys.push(...(await fill(server, 1)));
    for (const vault of [server, await openWith(current)])
      assert.deepEqual(await judge(vault, machineKeys), new Set([1]));
    await assert.rejects(
      openWith(old),
      (error) => error instanceof WrongWrappingKey && error.message.includes(current.id),
    );

    const before = await everyRow();
    await rotate(false);
    assert.equal(reports.at(-1), `All data keys are already wrapped by key ${current.id}.`);
    assert.deepEqual(await everyRow(), before, "a second run changes nothing");
    const audit = await db.selectFrom("audit").selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(
      [audit.operation, audit.actor_kind, audit.before, audit.after],
      ["rewrapDataKeys", "system", { wrapped_by: [old.id] }, { wrapped_by: [current.id] }],
    );
  });

  it("can be reverted in the same way", async () => {
    const machineKeys = await fill(await openWith(old), 1);
    await rotate(false);
    await rewrapDataKeys(context, [old, current]);
    assert.deepEqual(await wrappedBy(), new Set([old.id]));
    await judge(await openWith(old), machineKeys);
  });

  it("changes nothing if a data key is wrapped by an unknown key (SEC-7)", async () => {
    await openWith(old);
    const lost = newKey();
    await db
      .updateTable("vault_keys")
      .set({ wrapping_key_id: lost.id })
      .where("purpose", "=", "server-secret")
      .execute();
    const before = await everyRow();
    for (const attempt of [() => rotate(), () => rewrapDataKeys(context, [current, old])]) {
      await assert.rejects(attempt, (error) => error instanceof WrongWrappingKey && error.message.includes(lost.id));
    }
    assert.deepEqual(await everyRow(), before);
  });

  it("runs only once if started concurrently", async () => {
    const machineKeys = await fill(await openWith(old), VALUES_PER_SLICE + 1);
    await Promise.all([rotate(), rotate(), rotate()]);
    assert.deepEqual(await judge(await openWith(current), machineKeys), new Set([2]));
    assert.deepEqual(await wrappedBy(), new Set([current.id]));
  });

  it("continues after an interruption at any slice, with all values readable at any time (SEC-6)", async () => {
    const server = await openWith(old);
    const machineKeys = await fill(server, VALUES);
    const stop = () => Promise.reject(new Error("killed"));
    // Three slices for each full column, two for the half empty one, one for the provider.
    for (let kill = 1; kill <= 3 * FULL_COLUMNS + 2 + 1; kill++) {
      await assert.rejects(rotate(true, stop), /^Error: killed$/);
      await readNewDataKeys(db, [current, old], server);
      if (kill % 4 === 1) await judge(server, machineKeys);
    }
    await rotate(true, stop);
    assert.deepEqual(await judge(await openWith(current), machineKeys), new Set([2]));
    assert.deepEqual(alarms, []);
  });

  it("creates newer keys when it runs again later", async () => {
    const machineKeys = await fill(await openWith(old), 1);
    await rotate();
    clock.advance(60 * 60 * 1000);
    await rotate();
    assert.deepEqual(await judge(await openWith(current), machineKeys), new Set([3]));
  });

  it("seals all values with new keys, after servers have read them", async () => {
    const server = await openWith(old);
    const machineKeys = await fill(server, VALUES);
    await rewrapDataKeys(context, [current, old]);
    await rotate();
    assert.deepEqual(reports.slice(1, 3), [
      "Created a new data key for each purpose.",
      `Waiting ${KEY_ACTIVATION_DELAY_MS / 1000} s until all replicas have read the new data keys.`,
    ]);
    const half = Math.ceil(VALUES / 2);
    assert.equal(reports.at(-1), `Sealed ${FULL_COLUMNS * VALUES + half + 1} values with the newest data keys.`);
    assert.deepEqual(await judge(await openWith(current), machineKeys), new Set([2]));
    await rotate();
    assert.equal(reports.at(-1), "All values are already sealed with the newest data keys.");
    const { data_keys, problems } = await readKeyStatus(db, [current]);
    assert.deepEqual(problems, []);
    for (const { purpose, version, values } of data_keys) {
      if (purpose === "call-payload" || purpose === "snapshot") continue; // they expire before their key does
      if (purpose === "audit-checkpoint") continue; // it signs, and seals nothing
      const columns = SEALED_COLUMNS.filter((sealed) => sealed.purpose === purpose).length || 1; // none: the verifiers
      const stored = purpose === "client-credentials" ? half + 1 : columns * VALUES;
      assert.equal(values, version === 1 ? 0 : stored, `${purpose} ${version}`);
    }
    // A server that has only the old key continues with the old data keys.
    await assert.rejects(readNewDataKeys(db, [old], server), WrongWrappingKey);
    machineKeys.push(...(await fill(server, 1)));
    assert.deepEqual(await judge(await openWith(current), machineKeys), new Set([1, 2]));
    await rotate(false);
    assert.deepEqual(await judge(await openWith(current), machineKeys), new Set([2]), "late values are moved too");
  });

  it("does not overwrite concurrent writes", async () => {
    const vault = await openWith(old);
    await fill(vault, 1);
    await addDataKeys(context, [old], vault);
    clock.advance(KEY_ACTIVATION_DELAY_MS);
    const late = { sealed: "2.late", verifier: Buffer.from("late") };
    const writeServer = () => db.updateTable("mcp_servers").set({ sealed_client_secret: late.sealed }).execute();
    const writeVerifier = () => db.updateTable("credentials").set({ verifier: late.verifier }).execute();
    const writeSecret = () => db.updateTable("credentials").set({ sealed_secret: late.sealed }).execute();
    const slices = [
      await resealSlice(interrupted(context, writeServer), sealedIn("mcp_servers"), vault, ""),
      await repepperSlice(interrupted(context, writeVerifier), vault, ""),
      await resealSlice(interrupted(context, writeSecret), sealedIn("credentials"), vault, ""),
    ];
    assert.deepEqual(
      slices.map((slice) => slice?.moved),
      [0, 0, 0],
    );
    const server = await db.selectFrom("mcp_servers").selectAll().executeTakeFirstOrThrow();
    const credential = await db.selectFrom("credentials").selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([server.sealed_client_secret, credential.sealed_secret], [late.sealed, late.sealed]);
    assert.deepEqual(Buffer.from(credential.verifier), late.verifier);
  });

  it("does not change swapped values, and logs an error for each (SEC-1)", async () => {
    const [one, two] = await fill(await openWith(old), 2);
    assert.ok(one && two);
    const secretOf = (id: string) =>
      db.selectFrom("credentials").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    const [first, second] = [await secretOf(one.id), await secretOf(two.id)];
    const put = (id: string, sealed_secret: string | null) =>
      db.updateTable("credentials").set({ sealed_secret }).where("id", "=", id).execute();
    await put(one.id, second.sealed_secret);
    await put(two.id, first.sealed_secret);
    const { id: userId, sealed_client_credentials: credentials } = await db
      .selectFrom("users")
      .selectAll()
      .where("sealed_client_credentials", "is not", null)
      .executeTakeFirstOrThrow();
    const server = await db.selectFrom("mcp_servers").selectAll().executeTakeFirstOrThrow();
    await db
      .updateTable("mcp_servers")
      .set({ sealed_client_secret: credentials })
      .where("id", "=", server.id)
      .execute();
    const swapped = { sealed_client_credentials: server.sealed_client_secret };
    await db.updateTable("users").set(swapped).where("id", "=", userId).execute();

    const { unopened } = await rotate();
    // The two secrets count twice: once for the sealed value and once for the verifier.
    assert.equal(unopened, 6);
    assert.equal(reports.at(-1), "Skipped 6 values that cannot be decrypted. The log lists what was skipped.");
    assert.equal((await secretOf(one.id)).sealed_secret, second.sealed_secret);
    assert.deepEqual((await secretOf(one.id)).verifier, first.verifier);
    const places = alarms.map((line) => JSON.parse(line)).map(({ level, table, row }) => `${level} ${table} ${row}`);
    for (const place of [
      `credentials ${one.id}`,
      `credentials ${two.id}`,
      `users ${userId}`,
      `mcp_servers ${server.id}`,
    ]) {
      assert.ok(places.includes(`error ${place}`), place);
    }
    assert.ok(!alarms.join("").includes(one.secret));
  });

  it("does not use a sealed secret that does not match the verifier", async () => {
    const vault = await openWith(old);
    const [key] = await fill(vault, 1);
    assert.ok(key);
    const place = { table: "credentials", row: key.id, column: "sealed_secret" };
    const sealed_secret = vault.seal("machine-secret", place, "another");
    await db.updateTable("credentials").set({ sealed_secret }).execute();
    assert.equal((await rotate()).unopened, 1);
    const { verifier, pepper_version } = await db.selectFrom("credentials").selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(Buffer.from(vault.verifier(key.secret, 1) ?? []), Buffer.from(verifier));
    assert.equal(pepper_version, 1);
  });

  it("reports a lost data key in the status", async () => {
    await fill(await openWith(old), 2);
    await db.deleteFrom("vault_keys").where("purpose", "=", "connection").execute();
    const { problems } = await readKeyStatus(db, [old]);
    assert.deepEqual(problems, [
      "Sealed with data keys that no longer exist: 2 values in connections.sealed_credential",
      "Sealed with data keys that no longer exist: 2 values in oauth_flows.sealed_verifier",
    ]);
  });

  it("covers every sealed column", async () => {
    const tables = await db.introspection.getTables();
    const columns = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
    assert.deepEqual(
      columns.filter((column) => column.includes(".sealed_")).sort(),
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
    );
  });
});

forEachDatabase("the status of keys", (open) => {
  let db: MainDb;
  const clock = testClock();
  const logger = createLogger("silent");
  const [old, current] = [newKey(), newKey()];

  it("reports whether the previous key can be removed, and changes nothing", async () => {
    db = (await open()).databases.main;
    await openVault(db, [old], { clock, logger });
    const before = await readKeyStatus(db, [current, old]);
    assert.deepEqual([before.current_key, before.previous_key], [current.id, old.id]);
    assert.equal(before.previous_key_may_be_removed, false);
    assert.deepEqual(
      before.data_keys.map(({ purpose, wrapped_by }) => [purpose, wrapped_by]),
      [...VAULT_PURPOSES].sort().map((purpose) => [purpose, old.id]),
    );
    assert.deepEqual(await readKeyStatus(db, [current, old]), before);
    await rewrapDataKeys({ db, clock, newId: createIds(clock, systemRandom) }, [current, old]);
    assert.equal((await readKeyStatus(db, [current, old])).previous_key_may_be_removed, true);
    assert.equal((await readKeyStatus(db, [current])).previous_key_may_be_removed, null);
  });

  it("reports the missing key", async () => {
    const { problems } = await readKeyStatus(db, [old]);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", new RegExp(`is sealed with key ${current.id}, but the key file holds ${old.id}`));
  });
});
