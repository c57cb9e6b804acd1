import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forgetExpiredCredentialsJob } from "#jobs/forget-expired-credentials";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createSyncedServer } from "#test/factories";
import { makeGatewayToken } from "#test/gateway-tokens";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const HOUR_MS = 60 * 60 * 1000;

forEachApi(
  "a gateway token",
  (api) => {
    let upstream: RawUpstream;
    let userId: string;

    before(async () => {
      upstream = await startRawUpstream();
      await createSyncedServer(api.service, "Echo", upstream.url);
      await createSyncedServer(api.service, "Other", upstream.url);
      userId = await createPerson(api.service, "Ada", "ada@example.com");
      await createGroup(api.service, "people", { slugs: ["echo", "other"], emails: ["ada@example.com"] });
    });
    after(() => upstream?.close());

    const make = (kind: "oauth" | "app", rest: { clientId?: string; path?: string; serverId?: string } = {}) =>
      makeGatewayToken(api.database, api.clock, { kind, userId, expiresAt: api.clock.now() + HOUR_MS, ...rest });
    const post = (target: string, token: string, method = "tools/list", params: object = {}) =>
      api.service.http(target, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });

    it("authenticates as its user immediately, and the call log records the client", async () => {
      const { token } = await make("oauth", { clientId: "https://client.example/id.json" });
      const response = await post("/mcp", token, "tools/call", { name: "echo__echo", arguments: { a: 1 } });
      assert.ok(response.body.result, response.text);
      const [row] = (await api.call("GET", "/api/logs?limit=1")).body.data;
      assert.deepEqual(
        [row.user_email, row.via, row.client_id, row.outcome],
        ["ada@example.com", "oauth", "https://client.example/id.json", "ok"],
      );
    });

    it("of the app needs no client ID", async () => {
      const { token } = await make("app");
      assert.equal((await post("/mcp", token)).body.result.tools.length, 4);
      const [row] = (await api.call("GET", "/api/logs?limit=1")).body.data;
      assert.deepEqual([row.via, row.client_id], ["app", null]);
    });

    it("for one URL is rejected at every other URL (RFC 8707)", async () => {
      const { id: serverId } = (await api.call("GET", "/api/mcp-servers/echo")).body.data;
      const { token } = await make("oauth", { clientId: "cli_1", path: "/mcp/echo", serverId });
      assert.equal((await post("/mcp/echo", token)).status, 200);
      assert.equal((await post("/mcp/echo?x=1", token)).status, 200);
      for (const target of ["/mcp", "/mcp?mcp=echo", "/mcp/other", "/mcp/echo2"]) {
        const { status, text } = await post(target, token);
        assert.deepEqual([status, text], [401, '{"error":"invalid_token"}'], target);
      }
    });

    it("for a URL that meant another server, or none, is rejected there (AZ-7)", async () => {
      const path = "/mcp/echo";
      for (const serverId of ["srv_before", undefined]) {
        const { token } = await make("oauth", { clientId: "cli_1", path, ...(serverId && { serverId }) });
        assert.equal((await post(path, token)).status, 401, serverId);
      }
      const { token } = await make("oauth", { clientId: "cli_1", path: "/mcp/unknown" });
      const { status, body } = await post("/mcp/unknown", token);
      assert.deepEqual([status, body.result.tools], [200, []], "D27: no server is not an error");
    });

    it("is rejected while its user is disabled, and does not authenticate at the admin API (AUTH-3)", async () => {
      const { token } = await make("oauth", { clientId: "cli_1" });
      assert.equal((await api.call("GET", "/api/me", undefined, { authorization: `Bearer ${token}` })).status, 401);
      assert.equal((await post("/mcp", token)).status, 200);
      await api.call("PATCH", "/api/users?email=ada@example.com", { disabled: true });
      assert.equal((await post("/mcp", token)).status, 401);
      await api.call("PATCH", "/api/users?email=ada@example.com", { disabled: false });
      assert.equal((await post("/mcp", token)).status, 200);
    });

    it("is rejected after it expires, and is then deleted", async () => {
      const { id, token } = await make("oauth", { clientId: "cli_1" });
      assert.equal((await post("/mcp", token)).status, 200);
      api.clock.advance(HOUR_MS);
      assert.equal((await post("/mcp", token)).status, 401);
      const job = forgetExpiredCredentialsJob({
        db: api.db,
        clock: api.clock,
        newId: createIds(api.clock, systemRandom),
      });
      await job.run();
      assert.equal((await api.db.selectFrom("credentials").selectAll().execute()).length > 0, true, "too early");
      api.clock.advance(60_001);
      await job.run();
      assert.deepEqual(await api.db.selectFrom("credentials").select("id").execute(), []);
      const changes = await api.db.selectFrom("changes").select("target_id").where("kind", "=", "credential").execute();
      assert.ok(changes.filter((change) => change.target_id === id).length === 2);
    });
  },
  { clock: "by-hand" },
);
