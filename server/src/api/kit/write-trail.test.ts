import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { operations } from "#api/operations";
import { oauthChangeDigest } from "#records/mcp-servers";
import { findUser } from "#records/users";
import { insertAgentRows } from "#test/agent-rows";
import { forEachApi } from "#test/api";
import { insertPendingApprovals } from "#test/approval-rows";
import { insertDiscoveryRows } from "#test/discovery-writes";
import { insertExchangeCredential } from "#test/exchange-rows";
import { createGroup, createPerson, createServer, createSyncedServer } from "#test/factories";
import { FAMILY_WRITES } from "#test/family-writes";
import { DESTINATION, DESTINATION_WRITES, REJECTED_DESTINATION_WRITES } from "#test/log-destination-writes";
import { OAUTH_CHANGE } from "#test/oauth-change";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { createWebhookWithDelivery } from "#test/webhook-fixture";
import type { Operation } from "./operation.ts";

const FOREIGN = "canary-of-a-foreign-name";
const SECRET = "canary-7f3a-secret";
const OAUTH = { authType: "proxy-oauth", clientId: "public", clientSecret: SECRET };
const CHANGE_DIGEST = { digest: oauthChangeDigest(OAUTH_CHANGE) };
const CLIENT = { clientId: "public", clientSecret: SECRET, tokenUrl: "https://idp.example.com/token" };
const WEBHOOK_SECRET = `whsec_${Buffer.from(SECRET.repeat(2)).toString("base64")}`;
const SCAN = { type: "webhook", name: "Scan", config: { url: "http://127.0.0.1:65001/", headers: { key: SECRET } } };
const GUARD = { name: "Scan", type: "runtime", action: "block", checks: [SCAN] };
const GROUP_CHANGES = { name: "Changed", settings: { show_draft_mcps: true } };
const CONNECTION_OF_EVE = "/api/mcp-servers/keyed/connections?email=eve@example.com";
/** Nothing emits this event here, so nothing is sent. */
const WEBHOOK = { url: "http://127.0.0.1:65001/", events: ["guard.blocked"] };

/** Every write of an API token once, in an order in which each can succeed. */
const BOT = "bot@machine.example.com";
const OTHER_CLIENT = { client_credentials: { ...CLIENT, clientId: "other" } };
const WRITES: readonly [operation: string, method: string, path: string, body: object | undefined, sides: string][] = [
  ["createMcpServer", "POST", "/api/mcp-servers", { name: "Audited", auth_settings: OAUTH }, "after"],
  ["updateMcpServer", "PATCH", "/api/mcp-servers?slug=audited", { name: "Changed", auth_settings: OAUTH }, "both"],
  ["updateMcpServerTools", "PATCH", "/api/mcp-servers/tools?slug=echo", { disable: ["echo"] }, "both"],
  ["acceptTools", "POST", "/api/mcp-servers/echo/tools/accept", {}, "after"],
  ["rejectTools", "POST", "/api/mcp-servers/echo/tools/reject", {}, "after"],
  ["keepOAuthSettings", "POST", "/api/mcp-servers/standing/oauth-change/keep", CHANGE_DIGEST, "after"],
  ["approveOAuthChange", "POST", "/api/mcp-servers/standing/oauth-change/approve", CHANGE_DIGEST, "after"],
  ["deleteUserConnection", "DELETE", "/api/user/connection?email=ada@example.com&mcp=keyed", undefined, "before"],
  ["deleteMcpServerConnection", "DELETE", CONNECTION_OF_EVE, undefined, "before"],
  ["createGroup", "POST", "/api/groups", { name: "Audited" }, "after"],
  ["updateGroup", "PATCH", "/api/groups?name=audited", GROUP_CHANGES, "both"],
  ["addIntegrationsToGroup", "POST", "/api/groups/changed/integrations", { slugs: ["audited"] }, "after"],
  ["updateGroupIntegration", "PATCH", "/api/groups/changed/integrations?slug=audited", { tools: ["x"] }, "both"],
  ...FAMILY_WRITES,
  ["createGuard", "POST", "/api/guards", GUARD, "after"],
  ["updateGuard", "PATCH", "/api/guards?slug=scan", { threshold: 3, checks: [SCAN] }, "both"],
  ["deleteGuard", "DELETE", "/api/guards?slug=scan", undefined, "before"],
  ["decideApproval", "POST", "/api/guards/approvals/apr_1/decision", { decision: "approve" }, "both"],
  ["createUserToolkit", "POST", "/api/user/toolkits?email=ada@example.com", { name: "Own" }, "after"],
  ["updateUserToolkit", "PATCH", "/api/user/toolkits?email=ada@example.com&slug=own", { name: "Mine" }, "both"],
  ["deleteUserToolkit", "DELETE", "/api/user/toolkits?email=ada@example.com&slug=own", undefined, "before"],
  ["addUsersToGroup", "POST", "/api/groups/changed/users", { emails: ["ada@example.com"] }, "after"],
  ["getUserAuthUrl", "GET", "/api/user/auth-url?email=ada@example.com&mcp=audited", undefined, "after"],
  ["approveAccessRequest", "POST", "/api/access-requests/acr_1/approve", { group: "changed", grant: true }, "both"],
  ["denyAccessRequest", "POST", "/api/access-requests/acr_2/deny", { note: "No" }, "both"],
  ["removeIntegrationFromGroup", "DELETE", "/api/groups/changed/integrations?slug=audited", undefined, "before"],
  ["removeUserFromGroup", "DELETE", "/api/groups/changed/users?email=ada@example.com", undefined, "before"],
  ["createUser", "POST", "/api/users", { name: "New", email: "new@example.com" }, "after"],
  ["createUser", "POST", "/api/users", { name: "Bot", is_machine_user: true, client_credentials: CLIENT }, "after"],
  ["updateUser", "PATCH", "/api/users?email=new@example.com", { name: "Newer", risk_score: 5 }, "both"],
  ["inviteUser", "POST", "/api/users/invite?email=new@example.com", undefined, "after"],
  ["endUserClient", "DELETE", "/api/users/clients?email=ada@example.com&id=grant", undefined, "before"],
  ["endUserSessions", "DELETE", "/api/users/sessions?email=ada@example.com", undefined, "before"],
  ["rotateUserSecret", "POST", `/api/users/rotate-secret?email=${BOT}`, { overlap_seconds: 60 }, "after"],
  ["revokeOldSecret", "POST", "/api/users/revoke-old-secret?email=bot@machine.example.com", undefined, "both"],
  ["setClientCredentials", "PUT", `/api/users/client-credentials?email=${BOT}`, OTHER_CLIENT, "both"],
  ["deleteUser", "DELETE", "/api/users?email=new@example.com", undefined, "before"],
  ["deleteUser", "DELETE", "/api/users?email=bot@machine.example.com", undefined, "before"],
  ["createApiToken", "POST", "/api/api-tokens", { name: "Audited", scopes: ["admin:read"] }, "after"],
  ["deleteApiToken", "DELETE", "/api/api-tokens?id=", undefined, "before"],
  ["createWebhook", "POST", "/api/webhooks", { ...WEBHOOK, name: "Audited" }, "after"],
  ["updateWebhook", "PATCH", "/api/webhooks?id={webhook}", { name: "Changed", secret: WEBHOOK_SECRET }, "both"],
  ["rotateWebhookSecret", "POST", "/api/webhooks/{webhook}/rotate-secret", { overlap_hours: 1 }, "after"],
  ["redeliverWebhookDelivery", "POST", "/api/webhooks/{webhook}/deliveries/whd_1/redeliver", undefined, "both"],
  ["deleteWebhook", "DELETE", "/api/webhooks?id={webhook}", undefined, "before"],
  ...DESTINATION_WRITES,
  ["detachFromScim", "POST", "/api/provisioning/detach", { all: true }, "both"],
  ["applyConfig", "POST", "/api/config/apply", { config: { settings: [{ name: "organization" }] } }, "after"],
  ["releaseFromFiles", "POST", "/api/config/release", { kind: "settings", key: "organization" }, "before"],
  ["updateSettings", "PATCH", "/api/settings", { call_log_retention_days: 30 }, "both"],
  ["deleteGroup", "DELETE", "/api/groups?name=changed", undefined, "before"],
  ["deleteMcpServer", "DELETE", "/api/mcp-servers?slug=audited", undefined, "before"],
];

/** Faults that are found before, during and at the end of a write. */
const FAULTS: readonly [method: string, path: string, body?: object][] = [
  ["POST", "/api/mcp-servers", { name: "x", status: "live" }],
  ["POST", "/api/mcp-servers", { name: "x", connector_id: "nowhere" }],
  ["PATCH", "/api/mcp-servers?slug=nowhere", { name: "x" }],
  ["PATCH", "/api/mcp-servers?slug=standing", { name: "x", slug: "X" }],
  ["DELETE", "/api/mcp-servers?slug=nowhere"],
  ["PATCH", "/api/mcp-servers/tools?slug=echo", { enable: ["echo", "nothing"] }],
  ["PATCH", "/api/mcp-servers/tools?slug=echo", { enable: ["echo", "headers"], disable: ["headers"] }],
  ["POST", "/api/mcp-servers/echo/tools/accept", { tools: [{ tool: "nothing", digest: "" }] }],
  ["POST", "/api/mcp-servers/echo/tools/reject", { tools: [{ tool: "nothing", digest: "" }] }],
  ["POST", "/api/mcp-servers/nowhere/oauth-change/approve", CHANGE_DIGEST],
  ["POST", "/api/mcp-servers/nowhere/oauth-change/keep", CHANGE_DIGEST],
  ["PATCH", "/api/mcp-servers?slug=standing", { tool_policy: "never" }],
  ["DELETE", "/api/user/connection?email=ada@example.com&mcp=echo"],
  ["DELETE", "/api/mcp-servers/standing/connections?email=ada@example.com"],
  ["POST", "/api/guards/approvals/nothing/decision", { decision: "deny" }],
  ["POST", "/api/access-requests/nothing/approve", { group: "standing" }],
  ["POST", "/api/access-requests/nothing/deny"],
  ["POST", "/api/groups", { name: "STANDING" }],
  ["PATCH", "/api/groups?name=other", { name: "standing", settings: { auto_assign_mcps: true } }],
  ["DELETE", "/api/groups?name=nowhere"],
  ["POST", "/api/groups/standing/integrations", { slugs: ["standing", "nowhere"] }],
  ["POST", "/api/groups/standing/users", { emails: ["ada@example.com", "nobody@example.com"] }],
  ["DELETE", "/api/groups/nowhere/integrations?slug=standing"],
  ["DELETE", "/api/groups/standing/integrations?slug=nowhere"],
  ["DELETE", "/api/groups/nowhere/users?email=ada@example.com"],
  ["DELETE", "/api/groups/standing/users?email=nobody@example.com"],
  ["POST", "/api/users", { name: "x", email: "ADA@EXAMPLE.COM" }],
  ["POST", "/api/users", { name: "x", is_machine_user: true, owner_ids: ["unknown"] }],
  ["POST", "/api/provisioning/detach", {}],
  ["POST", "/api/provisioning/detach", { emails: ["nobody@example.com"] }],
  ["PATCH", "/api/users?email=ada@example.com", { name: "x", owner_ids: [] }],
  ["PATCH", "/api/users?email=ada@example.com", { name: "x", risk_score: -1 }],
  ["PATCH", "/api/users?email=ada@example.com", { name: "x", role: "emperor" }],
  ["PATCH", "/api/users?email=ada@example.com", { name: "x", client_credentials: CLIENT }],
  ["PUT", "/api/users/client-credentials?email=ada@example.com", { client_credentials: null }],
  ["PUT", "/api/users/client-credentials?email=nobody@example.com", { client_credentials: null }],
  ["DELETE", "/api/users?email=nobody@example.com"],
  ["DELETE", "/api/users/clients?email=ada@example.com&id=nothing"],
  ["DELETE", "/api/users/sessions?email=ada@example.com&id=nothing"],
  ["POST", "/api/users/rotate-secret?email=ada@example.com"],
  ["POST", "/api/users/invite?email=nobody@example.com"],
  ["POST", "/api/users/rotate-secret?email=nobody@example.com", { overlap_seconds: 60 }],
  ["POST", "/api/api-tokens", { name: "x", scopes: ["all"], expires_at: "2020-01-01T00:00:00Z" }],
  ["DELETE", "/api/api-tokens?id=nothing"],
  ["POST", "/api/webhooks", { ...WEBHOOK, name: "STANDING" }],
  ["POST", "/api/webhooks", { ...WEBHOOK, name: "x", url: "http://10.0.0.1/" }],
  ["PATCH", "/api/webhooks?id=nothing", { enabled: false }],
  ["DELETE", "/api/webhooks?id=nothing"],
  ["POST", "/api/webhooks/nothing/rotate-secret"],
  ["POST", "/api/webhooks/nothing/deliveries/whd_1/redeliver"],
  ...REJECTED_DESTINATION_WRITES,
  ["POST", "/api/guards", { ...GUARD, scope: { groups: ["nowhere"] } }],
  ["PATCH", "/api/guards?slug=nowhere", { enabled: true }],
  ["PATCH", "/api/guards?slug=secrets", { name: "x" }],
  ["DELETE", "/api/guards?slug=secrets"],
  ["PATCH", "/api/settings", { audit_retention_days: 40, tool_sync_interval_minutes: 0 }],
];

/** API-1: adds every column name that the operation does not accept to each object of the body. */
function withForeignNames(operation: Operation | undefined, body: unknown, columns: readonly string[]): unknown {
  if (Array.isArray(body) || typeof body !== "object" || body === null) return body;
  // The members of a configuration are names of kinds, and unknown names are rejected.
  if (operation?.id === "applyConfig" && !("config" in body)) return body;
  const schema = operation?.bodyDocument ?? operation?.body;
  const asked = JSON.stringify(schema && z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const foreign = columns.filter((name) => !asked.includes(`"${name}"`)).map((name) => [name, FOREIGN]);
  // Unknown conditions of rules are rejected.
  const given = Object.entries(body).map(([name, value]) => [
    name,
    name === "match" ? value : withForeignNames(operation, value, columns),
  ]);
  return { ...Object.fromEntries(foreign), ...Object.fromEntries(given) };
}

function urlOf(path: string, tokenId: string, webhookId: string, destinationId: string): string {
  if (path.endsWith("?id=")) return path + tokenId;
  return path.replace("{webhook}", webhookId).replace("{destination}", destinationId);
}

/** The secret texts of a response that shows secrets once, without their names; of a link, the part after `#`. */
function secretsIn(shown: unknown): string[] {
  if (typeof shown === "string") return [shown.slice(shown.indexOf("#") + 1)];
  if (typeof shown !== "object" || shown === null) return [];
  return Object.entries(shown).flatMap(([name, value]) => (name === "client_id" ? [] : secretsIn(value)));
}

forEachApi(
  "the trail of a write",
  (api) => {
    let upstream: RawUpstream;
    const secrets = new Set([SECRET, FOREIGN]);
    after(() => upstream.close());
    before(async () => {
      upstream = await startRawUpstream();
      await createSyncedServer(api.service, "Echo", upstream.url);
      await createPerson(api.service, "Ada", "ada@example.com");
      await createServer(api.service, "Standing");
      const changed = api.db.updateTable("mcp_servers").set({ oauth_change: OAUTH_CHANGE });
      await changed.where("slug", "=", "standing").execute();
      // Causes log entries: the address is not allowed as an upstream.
      const unreachable = await createServer(api.service, "Unreachable", "http://10.0.0.1/mcp");
      await api.call("POST", `/api/mcp-servers/${unreachable}/sync`);
      for (const name of ["Standing", "Other"]) await createGroup(api.service, name);
      await createPerson(api.service, "Eve", "eve@example.com");
      const people = ["ada@example.com", "eve@example.com"];
      const keyed = { auth_settings: { authType: "proxy-api-key" } };
      await createServer(api.service, "Keyed", upstream.url, keyed);
      await createGroup(api.service, "Connected", { slugs: ["keyed"], emails: people });
      for (const email of people) {
        const answer = await api.call("PUT", `/api/user/api-key?email=${email}&mcp=keyed`, { key: SECRET });
        assert.equal(answer.status, 200, answer.text);
      }
      const ada = await findUser(api.db, "ada@example.com");
      await insertExchangeCredential(api.db, { id: "exc_1", user_id: ada?.id ?? "", sealed_token: null });
      await insertDiscoveryRows(api.db);
      const client = { client_id: "cli_1", client_name: "Client", redirect_uri: "https://client.example/" };
      const times = { created_at: 1, last_used_at: 1, expires_at: Date.UTC(2100, 0, 1) };
      const grant = { id: "grant", user_id: ada?.id ?? "", resource_path: null, ...client, ...times };
      await api.db.insertInto("oauth_grants").values(grant).execute();
      const named = api.db.selectFrom("mcp_servers").select("id").where("slug", "in", ["echo", "keyed"]);
      const servers = await named.execute();
      const undecided = { message: null, group_name: null, decided_by: null, decided_at: null, created_at: 1 };
      const asked = servers.map(({ id }, at) => ({
        ...{ id: `acr_${at + 1}`, user_id: ada?.id ?? "", server_id: id, tool_names: [], reason: "To test" },
        ...{ status: "pending" as const, ...undecided },
      }));
      await api.db.insertInto("access_requests").values(asked).execute();
      await insertPendingApprovals(api.db, "apr_1", "apr_2");
      await insertAgentRows(api.db, "ses_1", "ses_2");
    });

    it("leaves exactly one audit row per write, with the values before and after (OPS-4)", async () => {
      const writes = operations.filter(
        ({ kind, callers, unaudited }) => kind === "write" && callers === undefined && unaudited === undefined,
      );
      assert.deepEqual([...new Set(WRITES.map(([id]) => id))].sort(), writes.map(({ id }) => id).sort());
      const [actor] = await api.db.selectFrom("api_tokens").select(["id", "name"]).execute();
      const webhookId = await createWebhookWithDelivery(api, WEBHOOK, "whd_1");
      const destination = { ...DESTINATION, name: "Standing destination" };
      const destinationId = (await api.call("POST", "/api/log-destinations", destination)).body.data.id;
      const tables = await api.db.introspection.getTables();
      const columns = tables.flatMap((table) => table.columns.map((column) => column.name));
      let tokenId = "";
      for (const [at, [id, method, path, body, sides]] of WRITES.entries()) {
        let requestId: unknown;
        const rows = await api.auditOf(async () => {
          const once = method === "POST" ? { "idempotency-key": `write-${at}` } : {};
          const operation = operations.find((each) => each.id === id);
          const more = withForeignNames(operation, body, columns);
          const answer = await api.call(method, urlOf(path, tokenId, webhookId, destinationId), more, once);
          assert.ok(answer.status < 300, answer.text);
          requestId = answer.headers["x-request-id"];
          tokenId = answer.body.token === undefined ? tokenId : answer.body.data.id;
          for (const name of operation?.shownOnce ?? [])
            for (const secret of secretsIn(answer.body[name])) secrets.add(secret);
        });
        assert.equal(rows.length, 1, id);
        const [row] = rows;
        assert.equal(row?.operation, id);
        assert.deepEqual([row?.actor_kind, row?.actor_id, row?.actor_name], ["api-token", actor?.id, actor?.name]);
        assert.equal(row?.request_id, requestId);
        assert.ok(row?.target_id && row.target_kind && row.target_name, id);
        assert.deepEqual([row?.before !== null, row?.after !== null], [sides !== "after", sides !== "before"], id);
        if (sides === "both") assert.notDeepEqual(row?.before, row?.after, id);
      }
    });

    it("keeps secrets and unknown fields of all writes out of the audit, the stored responses, other tables and the log", async () => {
      assert.ok(secrets.size > 3, "there must be secrets to look for");
      const places = {
        audit: (await api.call("GET", "/api/audit?limit=200")).text,
        tables: JSON.stringify(await api.everything()),
        log: api.lines.join(""),
      };
      for (const [place, text] of Object.entries(places)) {
        assert.ok(text.length > 100, place);
        for (const secret of secrets) {
          for (const encoding of ["utf8", "base64", "base64url", "hex"] as const) {
            const spelled = Buffer.from(secret).toString(encoding).replace(/=+$/, "");
            assert.equal(text.includes(spelled), false, `${place} holds ${secret} as ${encoding}`);
          }
        }
      }
    });

    describe("a rejected call changes nothing (OPS-4)", () => {
      for (const [method, path, body] of FAULTS) {
        it(`${method} ${path} ${JSON.stringify(body) ?? ""}`, async () => {
          const before = await api.everything();
          const answer = await api.call(method, path, body, method === "POST" ? { "idempotency-key": "refused" } : {});
          assert.ok(answer.status === 400 || answer.status === 404, answer.text);
          assert.deepEqual(await api.everything(), before);
        });
      }
    });

    it("leaves no trail for reads", async () => {
      const before = await api.everything();
      for (const path of [
        "/api/mcp-servers",
        "/api/mcp-servers/standing",
        "/api/mcp-servers/echo/tools/changes",
        "/api/connectors?include_usage=true",
        "/api/connectors/categories",
        "/api/connectors/x/usage",
        "/api/groups",
        "/api/users",
        "/api/logs",
        "/api/logs/tail",
        "/api/logs/errors",
        "/api/audit",
        "/api/me",
        "/api/settings",
        "/api/access?email=ada@example.com",
        "/api/access/explain?email=ada@example.com&tool=echo__echo",
      ]) {
        assert.equal((await api.call("GET", path)).status, 200);
      }
      assert.deepEqual(await api.everything(), before);
    });
  },
  { log: "kept" },
);
