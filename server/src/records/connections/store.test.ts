import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { createLogger } from "#lib/logger";
import type { Databases, MainDb, MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import { Vault, VaultFault } from "#storage/vault";
import { forEachDatabase } from "#test/databases";
import { newId, serverRow, userRow, write } from "#test/example-replica";
import {
  type ConnectionMaking,
  deleteConnection,
  deleteConnectionsOfServer,
  findConnection,
  listConnectionsOfServer,
  listConnectionsOfUser,
  markReconnectNeeded,
  noteNeededScopes,
  openConnection,
  renewConnection,
  saveConnection,
} from "./index.ts";

const NOW = 1_800_000_000_000;
const clock = { now: () => NOW, monotonic: () => NOW, after: () => ({ cancel() {} }) };
const key = { purpose: "connection", version: 1, createdAt: 0, key: Buffer.alloc(32, 7) } as const;
const vault = new Vault([key], { clock, logger: createLogger("silent") });
const ends = { user: { id: "usr_a", email: "a@example.com" }, server: { id: "srv_1", slug: "wiki" } };
const other = { user: { id: "usr_b", email: "b@example.com" }, server: ends.server };
const oauth = {
  kind: "oauth",
  accessToken: "access-canary",
  refreshToken: "refresh-canary",
  tokenEndpoint: "https://as.example.com/token",
  clientId: "client",
} as const;

forEachDatabase("a connection", (open) => {
  let databases: Databases;
  let db: MainDb;
  before(async () => {
    databases = (await open()).databases;
    db = databases.main;
    await db.insertInto("users").values(["usr_a", "usr_b"].map(userRow)).execute();
    await db
      .insertInto("mcp_servers")
      .values([serverRow("srv_1", "wiki"), serverRow("srv_2", "files")])
      .execute();
  });
  beforeEach(async () => {
    for (const table of ["connections", "audit", "changes"] as const) await db.deleteFrom(table).execute();
  });

  const inWrite = async <Result>(work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>) => {
    let result: Result | undefined;
    await write(databases, async (tx, trail) => {
      result = await work(tx, trail);
    });
    // The work has run: what it gave is here.
    return result as Result;
  };
  const save = (making: Partial<ConnectionMaking> = {}) => {
    const rest = { operation: "connect", now: NOW, newId, vault };
    return inWrite((tx, trail) => saveConnection(tx, trail, { ...ends, secret: oauth, ...rest, ...making }));
  };
  const found = async (userId = "usr_a") => {
    const row = await findConnection(db, userId, "srv_1");
    assert.ok(row);
    return row;
  };
  const changes = async () =>
    (await db.selectFrom("changes").select(["kind", "target_id"]).execute()).map(Object.values);

  it("stores its secret sealed, and it opens only in its row", async () => {
    await save({
      expiresAt: NOW + 5,
      scopes: ["read"],
      issuer: "https://as.example.com",
      resource: "https://wiki/mcp",
    });
    const row = await found();
    assert.deepEqual(openConnection(vault, row), oauth);
    assert.equal(JSON.stringify(row).includes("canary"), false);
    const { kind, state, version, connected_at, expires_at, scopes, issuer, resource, last_error } = row;
    assert.deepEqual(
      [kind, state, version, connected_at, expires_at, scopes, issuer, resource, last_error],
      ["oauth", "connected", 1, NOW, NOW + 5, ["read"], "https://as.example.com", "https://wiki/mcp", null],
    );
    await save(other);
    assert.throws(() => openConnection(vault, { ...row, id: "con_other" }), VaultFault);
  });

  it("is unique per user and server: connecting again replaces it under its id", async () => {
    const first = await save();
    await inWrite((tx) => noteNeededScopes(tx, first, ["write"]));
    const again = await save({ secret: { kind: "api_key", key: "key-canary" }, now: NOW + 9 });
    assert.deepEqual([again.id, again.version, again.created_at], [first.id, 2, NOW]);
    const row = await found();
    assert.deepEqual([row.kind, row.connected_at, row.needed_scopes], ["api_key", NOW + 9, null]);
    assert.deepEqual(openConnection(vault, row), { kind: "api_key", key: "key-canary" });
  });

  it("is unique when ten save it concurrently", async () => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => save({ secret: { kind: "api_key", key: `k${n}` } })));
    const rows = await db.selectFrom("connections").selectAll().execute();
    assert.deepEqual([rows.length, rows[0]?.version], [1, 10]);
  });

  it("notifies the gateway and the audit log of each write, without the secret", async () => {
    const row = await save();
    await inWrite((tx, trail) => deleteConnection(tx, trail, ends, "disconnect"));
    assert.deepEqual(await changes(), [
      ["connection", "usr_a srv_1"],
      ["connection", "usr_a srv_1"],
    ]);
    const audit = await db.selectFrom("audit").selectAll().orderBy("id").execute();
    assert.deepEqual(audit.map((entry) => entry.operation).sort(), ["connect", "disconnect"]);
    assert.deepEqual([audit[0]?.target_id, audit[0]?.target_name], [row.id, "a@example.com wiki"]);
    assert.equal(JSON.stringify(audit).includes("canary"), false);
    assert.equal(await findConnection(db, "usr_a", "srv_1"), undefined);
  });

  it("is renewed only if it still has the renewed version", async () => {
    await save();
    const row = await found();
    const renewal = { secret: { ...oauth, accessToken: "second" }, expiresAt: NOW + 60, now: NOW + 1, vault };
    const renewals = await Promise.all(
      [1, 2, 3].map(() => inWrite((tx, trail) => renewConnection(tx, trail, row, renewal))),
    );
    assert.deepEqual(renewals.toSorted(), [false, false, true]);
    const renewed = await found();
    assert.deepEqual([renewed.version, renewed.connected_at, renewed.expires_at], [2, NOW, NOW + 60]);
    assert.deepEqual(openConnection(vault, renewed), { ...oauth, accessToken: "second" });
    const marked = await inWrite((tx, trail) =>
      markReconnectNeeded(tx, trail, { ...row, ...ends }, { error: "late", now: NOW }),
    );
    assert.deepEqual([marked, (await found()).state], [false, "connected"]);
  });

  it("reports why the user must reconnect, until they do", async () => {
    await save();
    const error = "The server did not accept the key";
    const row = await found();
    assert.equal(
      await inWrite((tx, trail) => markReconnectNeeded(tx, trail, { ...row, ...ends }, { error, now: NOW })),
      true,
    );
    const ended = await found();
    assert.deepEqual([ended.state, ended.last_error, ended.version], ["reconnect_needed", error, 2]);
    await save();
    assert.deepEqual([(await found()).state, (await found()).last_error], ["connected", null]);
  });

  it("collects the scopes that the server requested", async () => {
    const row = await save();
    for (const scopes of [["write"], ["admin", "write"], []]) await inWrite((tx) => noteNeededScopes(tx, row, scopes));
    assert.deepEqual((await found()).needed_scopes, ["write", "admin"]);
    const others = Array.from({ length: 49 }, (_, at) => `other-${at}`);
    for (const scopes of [others, ["more"]]) await inWrite((tx) => noteNeededScopes(tx, row, scopes));
    assert.deepEqual((await found()).needed_scopes, ["write", "admin", ...others.slice(0, 48)], "fifty at most");
  });

  it("is listed by user and by server, with the email and without the secret", async () => {
    await save();
    await save(other);
    await save({ server: { id: "srv_2", slug: "files" } });
    assert.deepEqual((await listConnectionsOfUser(db, "usr_a")).map((row) => row.server_id).sort(), ["srv_1", "srv_2"]);
    const listed = await listConnectionsOfServer(db, "srv_1", { skip: 0, limit: 10 });
    assert.deepEqual(listed.map((row) => row.user_email).sort(), ["usr_a@example.com", "usr_b@example.com"]);
    assert.equal("sealed_credential" in (listed[0] ?? {}), false);
    assert.equal((await listConnectionsOfServer(db, "srv_1", { skip: 1, limit: 10 })).length, 1);
  });

  it("is deleted with the others of its server, and the gateway is notified of each", async () => {
    await save();
    await save(other);
    await db.deleteFrom("changes").execute();
    assert.equal(await inWrite((tx, trail) => deleteConnectionsOfServer(tx, trail, "srv_1")), 2);
    assert.deepEqual((await changes()).sort(), [
      ["connection", "usr_a srv_1"],
      ["connection", "usr_b srv_1"],
    ]);
  });
});
