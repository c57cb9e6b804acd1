import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { trimUnused } from "#identity/oauth-server/clients";
import { systemRandom } from "#lib/random";
import { deleteOldRequests, insertRequest } from "#records/access-requests";
import { makeConnectLink } from "#records/connect-links";
import { keepAnswer, trimKeptAnswers } from "#records/idempotency";
import {
  callerStreamsOf,
  deleteCallerStreams,
  deleteCallerStreamsBefore,
  deleteLinkedResourcesBefore,
  findLinkedServer,
  insertMcpSubscription,
  insertUpstreamSession,
  rememberLinkedResources,
  saveCallerStreams,
  setMcpLogLevel,
  trimMcpSessions,
  trimMcpSubscriptions,
} from "#records/mcp-sessions";
import { putArtifact } from "#records/oauth-artifacts";
import { insertFlow } from "#records/oauth-flows";
import { insertGrant } from "#records/oauth-grants";
import { beginAttempt, blockedUntil, trimAttempts } from "#records/sign-in-attempts";
import type { MainDb } from "#storage/database";
import type { MainTables } from "#storage/tables";
import { WriteTrail } from "#storage/transaction";
import { onSqliteApi } from "#test/api";
import { signedInAs } from "#test/browser";
import { forEachDatabase } from "#test/databases";
import { serverRow, userRow } from "#test/example-replica";

const NOW = 1_800_000_000_000;
const HOUR_MS = 60 * 60 * 1000;

/** Runs it this often, some of them concurrently. */
async function times(count: number, run: () => Promise<void>): Promise<void> {
  let started = 0;
  const runSome = async () => {
    while (started++ < count) await run();
  };
  await Promise.all(Array.from({ length: 10 }, runSome));
}

/** What strangers and members can store (decision 0058). */
forEachDatabase("tables that strangers and members can grow", (open) => {
  let db: MainDb;
  const count = async (table: keyof MainTables) => {
    const rows = db.selectFrom(table).select((is) => is.fn.countAll<number>().as("rows"));
    return (await rows.executeTakeFirstOrThrow()).rows;
  };
  before(async () => {
    db = (await open()).databases.main;
    await db.insertInto("users").values(["usr_a", "usr_b"].map(userRow)).execute();
    await db.insertInto("mcp_servers").values(serverRow("srv_a", "a")).execute();
  });

  describe("sign_in_attempts", () => {
    const never = () => Uint8Array.of(1);
    const begin = (email: string, address: string, random = never) =>
      db.transaction().execute((tx) => beginAttempt(tx, { email, address }, NOW, random));

    it("gets no rows from an address that is blocked", async () => {
      for (let n = 0; n < 20; n++) assert.equal(await begin(`p${n}@example.com`, "203.0.113.1"), undefined);
      const rows = await count("sign_in_attempts");
      for (let n = 0; n < 100; n++) assert.equal(await begin(`q${n}@example.com`, "203.0.113.1"), NOW + 1_000);
      assert.equal(await count("sign_in_attempts"), rows);
      assert.equal(await blockedUntil(db, { email: "r@example.com", address: "203.0.113.1" }, NOW), NOW + 1_000);
      assert.equal(await count("sign_in_attempts"), rows);
    });

    it("is trimmed with some of the attempts, and keeps the keys with the most failures", async () => {
      await db.deleteFrom("sign_in_attempts").execute();
      for (let n = 0; n < 4; n++) await begin("attacked@example.com", `203.0.113.${n}`);
      for (let n = 0; n < 50; n++) await begin(`p${n}@example.com`, `198.51.100.${n}`);
      await trimAttempts(db, NOW, 10);
      assert.equal(await count("sign_in_attempts"), 10);
      const { failures } = await db
        .selectFrom("sign_in_attempts")
        .select("failures")
        .orderBy("failures", "desc")
        .limit(1)
        .executeTakeFirstOrThrow();
      assert.equal(failures, 4);
      await db
        .updateTable("sign_in_attempts")
        .set({ last_at: NOW - HOUR_MS })
        .execute();
      // One statement, because the limit is high.
      await sql`INSERT INTO sign_in_attempts (attempt_key, failures, blocked_until, last_at)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100500)
        SELECT 'old ' || n, 9, 0, ${sql.lit(NOW - HOUR_MS)} FROM numbers`.execute(db);
      assert.ok((await count("sign_in_attempts")) > 100_000);
      await begin("one-more@example.com", "192.0.2.1", () => Uint8Array.of(0));
      assert.equal(await count("sign_in_attempts"), 2);
    });
  });

  it("idempotency keeps the newest responses of a caller, and those of others", async () => {
    const keep = (actor_id: string, n: number) =>
      db.transaction().execute((tx) => {
        const request = { operation: "any", request_hash: "h", status: 200, answer: "{}" };
        return keepAnswer(tx, { ...request, actor_id, key_hash: `${n}`, created_at: NOW + n }, 0);
      });
    for (let n = 0; n < 8; n++) await keep("tok_a", n);
    for (let n = 0; n < 3; n++) await keep("tok_b", n);
    await db.transaction().execute((tx) => trimKeptAnswers(tx, "tok_a", 5));
    const rows = await db.selectFrom("idempotency").select(["actor_id", "key_hash"]).orderBy("created_at").execute();
    assert.deepEqual(
      rows.filter((row) => row.actor_id === "tok_a").map((row) => row.key_hash),
      ["3", "4", "5", "6", "7"],
    );
    assert.equal(rows.length, 8);
  });

  it("mcp_sessions and mcp_subscriptions keep the rows that were used last", async () => {
    await db.transaction().execute(async (tx) => {
      for (let n = 0; n < 12; n++) {
        await setMcpLogLevel(tx, new WriteTrail(), `session-${n}`, "info", NOW + n);
        const place = { mcp_session_id: "session-11", server_id: "srv_a", uri: `a:${n}`, asked_uri: `a:${n}` };
        await insertMcpSubscription(tx, new WriteTrail(), { ...place, held_by: null }, NOW + n);
      }
    });
    await trimMcpSessions(db, 5);
    await trimMcpSubscriptions(db, 5);
    assert.deepEqual([await count("mcp_sessions"), await count("mcp_subscriptions")], [5, 5]);
    const left = await db.selectFrom("mcp_sessions").select("id").orderBy("updated_at").limit(1).executeTakeFirst();
    assert.equal(left?.id, "session-7");
  });

  it("access_requests keeps the newest 200 decided ones of a person, and all that are pending", async () => {
    const row = (n: number, status: "pending" | "denied") => ({
      ...{ id: `acr_${status}_${n}`, user_id: "usr_a", server_id: "srv_a", tool_names: [], reason: "r", status },
      ...{ message: null, group_name: null, decided_by: null, decided_at: null, created_at: NOW + n },
    });
    await db.transaction().execute(async (tx) => {
      await insertRequest(tx, row(0, "pending"));
      for (let n = 0; n < 210; n++) await insertRequest(tx, row(n, "denied"));
      await deleteOldRequests(tx, "usr_a");
    });
    assert.equal(await count("access_requests"), 201);
    const left = await db.selectFrom("access_requests").select("id").orderBy("created_at").limit(2).execute();
    assert.deepEqual(left.map(({ id }) => id).sort(), ["acr_denied_10", "acr_pending_0"]);
  });

  it("upstream_sessions keeps 1,000 of a user", async () => {
    const place = (n: number) => ({ mcpSessionId: `s${n}`, userId: "usr_a", serverId: "srv_a", url: "u", grant: "g" });
    const stored = Array.from({ length: 995 }, (_, n) => ({
      ...{ id: `ses_${n}`, key_hash: `key ${n}`, mcp_session_id: `s${n}`, server_id: "srv_a", user_id: "usr_a" },
      ...{ sealed_session: "1.x", opened_at: NOW + n, used_at: NOW + n },
    }));
    await db.insertInto("upstream_sessions").values(stored).execute();
    for (let n = 995; n < 1_010; n++) {
      await insertUpstreamSession(db, place(n), { id: `ses_${n}`, sealed_session: "1.x" }, NOW + n);
    }
    assert.equal(await count("upstream_sessions"), 1_000);
  });

  it("oauth_artifacts keeps the newest of those that anyone can create, and all clients with a consent", async () => {
    const day = 24 * HOUR_MS;
    const put = (model: string, n: number, lifeMs: number) =>
      putArtifact(db, {
        ...{ id: `${model} ${n}`, model, user_id: null, client_id: null, grant_id: null, sealed_payload: "1.x" },
        ...{ created_at: NOW + n, expires_at: NOW + n + lifeMs },
      });
    for (let n = 0; n < 9; n++) {
      await put("Client", n, day);
      await put("Interaction", n, HOUR_MS);
      await put("ReplayDetection", n, 9 * day);
      await put("Client", 100 + n, 90 * day);
    }
    await trimUnused(db, 5);
    const rows = await db.selectFrom("oauth_artifacts").select(["model", "id"]).execute();
    const left = (model: string) => rows.filter((row) => row.model === model).length;
    assert.deepEqual([left("Client"), left("Interaction"), left("ReplayDetection")], [14, 5, 5]);
  });

  it("oauth_grants keeps the 100 of a person that were used last", async () => {
    const client = { client_id: "cli_1", client_name: "c", redirect_uri: "http://127.0.0.1/", resource_path: null };
    for (let n = 0; n < 105; n++) {
      const times = { created_at: NOW + n, last_used_at: NOW + n, expires_at: NOW + HOUR_MS };
      const row = { id: `grant ${n}`, user_id: "usr_a", ...client, ...times };
      await db.transaction().execute((tx) => insertGrant({ tx, trail: new WriteTrail() }, row));
    }
    const rows = await db.selectFrom("oauth_grants").select("id").orderBy("created_at").execute();
    assert.deepEqual([rows.length, rows[0]?.id], [100, "grant 5"]);
  });

  it("linked_resources keep the newest 1,000 of a user, and only for an hour", async () => {
    const links = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => {
        const ends = { user_id: "usr_a", server_id: "srv_a" };
        return { key_hash: `link ${from + n}`, ...ends, linked_at: NOW + from + n };
      });
    for (let n = 0; n < 1_100; n += 100) await rememberLinkedResources(db, links(n, n + 100));
    await rememberLinkedResources(db, [{ key_hash: "other", user_id: "usr_b", server_id: "srv_a", linked_at: NOW }]);
    assert.equal(await count("linked_resources"), 1_001);
    assert.equal(await findLinkedServer(db, "link 99", 0), undefined);
    assert.equal(await findLinkedServer(db, "link 100", 0), "srv_a");
    assert.equal(await findLinkedServer(db, "link 100", NOW + 100), undefined, "too old");
    await rememberLinkedResources(db, [
      { key_hash: "other", user_id: "usr_b", server_id: "srv_b", linked_at: NOW + 1 },
    ]);
    assert.equal(await findLinkedServer(db, "other", 0), "srv_b", "the newest link wins");
    await deleteLinkedResourcesBefore(db, NOW + HOUR_MS);
    assert.equal(await count("linked_resources"), 0);
  });

  it("caller_streams are forgotten with their time, and read per caller", async () => {
    const stream = (id: string, caller_hash: string, seen_at: number) => {
      return { id, caller_hash, lists: { tools: id }, resources: [id], seen_at };
    };
    await saveCallerStreams(db, [stream("1", "a", NOW), stream("2", "a", NOW + 1), stream("3", "b", NOW + 2)]);
    await saveCallerStreams(db, [{ ...stream("1", "a", NOW + 3), lists: { tools: "new" } }]);
    const found = await callerStreamsOf(db, "a", NOW);
    assert.deepEqual(
      found.map(({ id, lists, resources }) => [id, lists, resources]),
      [
        ["1", { tools: "new" }, ["1"]],
        ["2", { tools: "2" }, ["2"]],
      ],
    );
    await deleteCallerStreams(db, ["2"]);
    await deleteCallerStreamsBefore(db, NOW + 3);
    assert.equal(await count("caller_streams"), 1);
  });

  it("oauth_flows and connect_links keep the newest 20 of a user", async () => {
    const plan = {
      ...{ upstreamUrl: "u", issuer: "i", namesIssuer: false, tokenEndpoint: "t", redirectUri: "r", resource: "r" },
      ...{ scopes: [], clientId: "c", clientSource: "settings" as const },
    };
    for (let n = 0; n < 25; n++) {
      const hashes = { state_hash: `${n}`, browser_hash: "b", sealed_verifier: "1.x" };
      const ends = { user_id: "usr_a", server_id: "srv_a" };
      await insertFlow(db, { id: `flw_${n}`, ...hashes, ...ends, plan, expires_at: NOW + n });
      await db
        .transaction()
        .execute((tx) =>
          makeConnectLink(tx, { userId: "usr_a", serverId: "srv_a" }, { now: NOW + n, random: systemRandom }),
        );
    }
    assert.deepEqual([await count("oauth_flows"), await count("connect_links")], [20, 20]);
  });
});

// The limit is in memory.
onSqliteApi("changes of a member", (api) => {
  it("are limited to 600 per hour, and so are their audit entries; those of admins are not", async () => {
    const [member, admin] = [await signedInAs(api.service, "member"), await signedInAs(api.service, "admin")];
    const change = async (browser: typeof member, csrf: string) =>
      browser.api("DELETE", "/api/me/clients?id=none", undefined, { "x-csrf-token": csrf });
    const [ofMember, ofAdmin] = [await member.csrfToken(), await admin.csrfToken()];
    await times(600, async () => assert.equal((await change(member, ofMember)).status, 404));
    const refused = await change(member, ofMember);
    assert.deepEqual([refused.status, refused.body], [429, { error: "Too many changes. Try again later." }]);
    const seconds = Number(refused.headers["retry-after"]);
    assert.ok(seconds > 60 && seconds <= 3_600, `${seconds} s`);
    assert.equal((await member.api("GET", "/api/me")).status, 200);
    await times(601, async () => assert.equal((await change(admin, ofAdmin)).status, 404));
  });
});
