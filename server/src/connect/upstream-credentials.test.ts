import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { createLogger } from "#lib/logger";
import {
  type ConnectionSecret,
  connectionKey,
  findConnection,
  renewConnection,
  saveConnection,
} from "#records/connections";
import type { Databases, MainDb } from "#storage/database";
import type { ConnectionRow } from "#storage/user-tables";
import { Vault } from "#storage/vault";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { newId, serverRow, userRow, write } from "#test/example-replica";
import { type CredentialState, UpstreamCredentials } from "./upstream-credentials.ts";

const logger = createLogger("silent");
const user = { id: "usr_a", email: "a@example.com" };
const [keyed, oauthed] = [
  { id: "srv_key", slug: "wiki" },
  { id: "srv_oauth", slug: "files" },
];
const UP = { url: serverRow("", "").upstream_url ?? "" };
const atKeyed = { id: keyed.id, upstream: { ...UP } };
const atOAuth = { id: oauthed.id, upstream: { ...UP } };
const HOUR_MS = 60 * 60 * 1000;

const oauth = (accessToken: string, refreshToken?: string): ConnectionSecret => {
  const client = { tokenEndpoint: "https://as.example.com/token", clientId: "client" };
  return { kind: "oauth", accessToken, ...client, ...(refreshToken === undefined ? {} : { refreshToken }) };
};

forEachDatabase("credentials of users for upstreams", (open) => {
  let databases: Databases;
  let clock: TestClock;
  let vault: Vault;
  let credentials: UpstreamCredentials;
  let away = false;
  let reads = 0;
  let renewals: string[] = [];
  let renewWith: ((connection: ConnectionRow) => Promise<void>) | undefined;

  before(async () => {
    databases = (await open()).databases;
    const { main } = databases;
    await main
      .insertInto("users")
      .values([userRow("usr_a"), userRow("usr_b")])
      .execute();
    await main
      .insertInto("mcp_servers")
      .values([
        { ...serverRow(keyed.id, keyed.slug), auth_type: "proxy-api-key" },
        { ...serverRow(oauthed.id, oauthed.slug), auth_type: "proxy-oauth" },
      ])
      .execute();
  });
  beforeEach(async () => {
    await databases.main.deleteFrom("connections").execute();
    await databases.main.updateTable("mcp_servers").set({ auth_settings: {} }).execute();
    [away, reads, renewals, renewWith] = [false, 0, [], undefined];
    clock = testClock();
    const key = { purpose: "connection", version: 1, createdAt: 0, key: Buffer.alloc(32, 7) } as const;
    vault = new Vault([key], { clock, logger });
    credentials = new UpstreamCredentials({
      get db(): MainDb {
        reads++;
        if (away) throw new Error("The database is away");
        return databases.main;
      },
      clock,
      newId,
      vault,
      logger,
      async renew(connection, reason) {
        renewals.push(reason);
        await renewWith?.(connection);
      },
    });
  });

  const connect = async (server: typeof keyed, secret: ConnectionSecret, expiresAt?: number) => {
    await write(databases, async (tx, trail) => {
      const making = { user, server, secret, operation: "connect", now: clock.now(), newId, vault };
      await saveConnection(tx, trail, { ...making, expiresAt: expiresAt ?? null });
    });
  };
  const renewTo = (accessToken: string) => async (connection: ConnectionRow) => {
    await write(databases, async (tx, trail) => {
      const expiresAt = clock.now() + HOUR_MS;
      const renewal = { secret: oauth(accessToken, "r2"), expiresAt, now: clock.now(), vault };
      assert.equal(await renewConnection(tx, trail, connection, renewal), true);
    });
  };
  const headersOf = (state: CredentialState) => (typeof state === "object" ? state.headers : state);
  const ready = async (server: typeof atKeyed, userId = user.id) => headersOf(await credentials.of(server, userId));
  const refuse = async (server: typeof atKeyed, again = false) => {
    const credential = await credentials.of(server, user.id);
    assert.ok(typeof credential === "object");
    return headersOf(await credentials.refused(server, user.id, credential, again));
  };
  const rowOf = (server: typeof keyed) => findConnection(databases.main, user.id, server.id);

  it("sends a key in the header of the server's settings (D6, D23)", async () => {
    await connect(keyed, { kind: "api_key", key: "k-1" });
    assert.deepEqual(await ready(atKeyed), ["Authorization", "Bearer k-1"]);
    const auth_settings = { headerName: "X-Api-Key", headerPrefix: "" };
    await databases.main.updateTable("mcp_servers").set({ auth_settings }).where("id", "=", keyed.id).execute();
    assert.deepEqual(await ready({ id: keyed.id, upstream: { ...UP } }), ["X-Api-Key", "k-1"]);
  });

  it("sends a token as a bearer token, whatever the key settings are", async () => {
    const auth_settings = { headerName: "X-Api-Key", headerPrefix: "" };
    await databases.main.updateTable("mcp_servers").set({ auth_settings }).execute();
    await connect(oauthed, oauth("t-1"));
    assert.deepEqual(await ready(atOAuth), ["Authorization", "Bearer t-1"]);
  });

  it("returns the same object from memory the second time", async () => {
    await connect(keyed, { kind: "api_key", key: "k-1" });
    const first = await credentials.of(atKeyed, user.id);
    const before = reads;
    assert.equal(credentials.of(atKeyed, user.id), first);
    assert.equal(reads, before);
  });

  it("returns no credential of another user (AZ-5)", async () => {
    await connect(keyed, { kind: "api_key", key: "k-1" });
    assert.equal(await ready(atKeyed, "usr_b"), "not_connected");
    assert.equal(await ready(atOAuth), "not_connected");
  });

  it("reads again after a change, also after a failed lookup", async () => {
    assert.equal(await ready(atKeyed), "not_connected");
    await connect(keyed, { kind: "api_key", key: "k-1" });
    assert.equal(await ready(atKeyed), "not_connected");
    credentials.forget([connectionKey(user.id, keyed.id)]);
    assert.deepEqual(await ready(atKeyed), ["Authorization", "Bearer k-1"]);
    await connect(keyed, { kind: "api_key", key: "k-2" });
    credentials.forget(undefined);
    assert.deepEqual(await ready(atKeyed), ["Authorization", "Bearer k-2"]);
  });

  it("does not cache a read that a change overtook", async () => {
    const reading = credentials.of(atKeyed, user.id);
    credentials.forget([connectionKey(user.id, keyed.id)]);
    await connect(keyed, { kind: "api_key", key: "k-1" });
    credentials.forget([connectionKey(user.id, keyed.id)]);
    const joined = ready(atKeyed);
    await reading;
    assert.deepEqual(await joined, ["Authorization", "Bearer k-1"]);
    assert.deepEqual(await ready(atKeyed), ["Authorization", "Bearer k-1"]);
  });

  it("distinguishes a new grant from a renewed one", async () => {
    const grant = async () => {
      credentials.forget(undefined);
      const state = await credentials.of(atOAuth, user.id);
      return typeof state === "object" ? state.grant : state;
    };
    await connect(oauthed, oauth("t-1", "r-1"));
    const first = await grant();
    const row = await rowOf(oauthed);
    assert.ok(row);
    await renewTo("t-2")(row);
    assert.equal(await grant(), first);
    clock.advance(1);
    await connect(oauthed, oauth("t-3", "r-3"));
    assert.notEqual(await grant(), first);
  });

  describe("while the database is down", () => {
    it("serves credentials used within the hour, and rejects others", async () => {
      await connect(keyed, { kind: "api_key", key: "k-1" });
      await ready(atKeyed);
      away = true;
      clock.advance(HOUR_MS - 1);
      assert.deepEqual(await ready(atKeyed), ["Authorization", "Bearer k-1"]);
      clock.advance(HOUR_MS - 1);
      assert.deepEqual(await ready(atKeyed), ["Authorization", "Bearer k-1"]);
      await assert.rejects(async () => ready(atOAuth), /away/);
    });

    it("uses a token that is due for renewal until it expires", async () => {
      await connect(oauthed, oauth("t-1", "r-1"), clock.now() + 600_000);
      await ready(atOAuth);
      away = true;
      clock.advance(599_000);
      assert.deepEqual(await ready(atOAuth), ["Authorization", "Bearer t-1"]);
      clock.advance(1_000);
      await assert.rejects(async () => ready(atOAuth), /away/);
    });
  });

  describe("a token that expires", () => {
    it("is renewed a minute before, once for concurrent callers", async () => {
      await connect(oauthed, oauth("t-1", "r-1"), clock.now() + 600_000);
      clock.advance(539_999);
      assert.deepEqual(await ready(atOAuth), ["Authorization", "Bearer t-1"]);
      clock.advance(1);
      renewWith = renewTo("t-2");
      const all = await Promise.all(Array.from({ length: 50 }, () => ready(atOAuth)));
      assert.deepEqual(new Set(all.map(String)), new Set(["Authorization,Bearer t-2"]));
      assert.deepEqual(renewals, ["expiring"]);
    });

    it("with a lifetime of a minute or less is renewed in its last quarter, not with each call", async () => {
      for (const livesMs of [60_000, 20_000, 4]) {
        renewals = [];
        await connect(oauthed, oauth("t-1", "r-1"), clock.now() + livesMs);
        credentials.forget(undefined);
        for (const share of [0, 1 / 4, 1 / 4]) {
          clock.advance(livesMs * share);
          assert.deepEqual([await ready(atOAuth), renewals], [["Authorization", "Bearer t-1"], []]);
        }
        clock.advance(livesMs / 4);
        renewWith = renewTo("t-2");
        assert.deepEqual([await ready(atOAuth), renewals], [["Authorization", "Bearer t-2"], ["expiring"]]);
      }
    });

    it("is used after a failed renewal, which is retried later", async () => {
      await connect(oauthed, oauth("t-1", "r-1"), clock.now() + 600_000);
      clock.advance(550_000);
      renewWith = () => Promise.reject(new Error("the authorization server is away"));
      assert.deepEqual(await ready(atOAuth), ["Authorization", "Bearer t-1"]);
      assert.deepEqual(await ready(atOAuth), ["Authorization", "Bearer t-1"]);
      assert.equal(renewals.length, 1);
      clock.advance(10_000);
      assert.deepEqual(await ready(atOAuth), ["Authorization", "Bearer t-1"]);
      assert.equal(renewals.length, 2);
      clock.advance(40_000);
      await assert.rejects(async () => ready(atOAuth), /is away/);
    });

    it("without a refresh token is used until it expires; then the user must reconnect (D35)", async () => {
      await connect(oauthed, oauth("t-1"), clock.now() + 50_000);
      clock.advance(49_999);
      assert.deepEqual(await ready(atOAuth), ["Authorization", "Bearer t-1"]);
      clock.advance(1);
      assert.equal(await ready(atOAuth), "reconnect_needed");
      assert.equal((await rowOf(oauthed))?.state, "reconnect_needed");
      assert.deepEqual(renewals, []);
    });
  });

  describe("a 401", () => {
    it("renews a token once", async () => {
      await connect(oauthed, oauth("t-1", "r-1"));
      renewWith = renewTo("t-2");
      assert.deepEqual(await refuse(atOAuth), ["Authorization", "Bearer t-2"]);
      assert.deepEqual(renewals, ["refused"]);
    });

    it("ends a key, a token that cannot be renewed, and one that is rejected again", async () => {
      await connect(keyed, { kind: "api_key", key: "k-1" });
      assert.equal(await refuse(atKeyed), "reconnect_needed");
      assert.equal((await rowOf(keyed))?.state, "reconnect_needed");
      await connect(oauthed, oauth("t-1"));
      assert.equal(await refuse(atOAuth), "reconnect_needed");
      await connect(oauthed, oauth("t-2", "r-2"));
      credentials.forget(undefined);
      assert.equal(await refuse(atOAuth, true), "reconnect_needed");
      assert.deepEqual(renewals, []);
    });

    it("renews nothing if the credential was replaced meanwhile", async () => {
      await connect(oauthed, oauth("t-1", "r-1"));
      const old = await credentials.of(atOAuth, user.id);
      await connect(oauthed, oauth("t-2", "r-2"));
      assert.ok(typeof old === "object");
      const now = await credentials.refused(atOAuth, user.id, old, false);
      assert.deepEqual([headersOf(now), renewals], [["Authorization", "Bearer t-2"], []]);
    });

    it("never returns the rejected credential, also if the renewal changed nothing", async () => {
      await connect(oauthed, oauth("t-1", "r-1"));
      assert.equal(await refuse(atOAuth), "reconnect_needed");
    });
  });

  it("stores the scopes that a 403 requires for the next authorization", async () => {
    await connect(oauthed, oauth("t-1"));
    await Promise.all(
      ["write admin", "admin delete"].map((scope) =>
        credentials.lacksScope(atOAuth, user.id, `Bearer error="insufficient_scope", scope="${scope}"`),
      ),
    );
    assert.deepEqual((await rowOf(oauthed))?.needed_scopes?.sort(), ["admin", "delete", "write"]);
  });

  it("does not send a key that is not valid in a header", async () => {
    for (const key of ["a\r\nx-evil: 1", "a\nb", "a\0b", "", " a", "ü"]) {
      await connect(keyed, { kind: "api_key", key });
      credentials.forget(undefined);
      assert.equal(await ready(atKeyed), "reconnect_needed", JSON.stringify(key));
    }
  });
});
