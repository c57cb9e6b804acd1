import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { operations } from "#api/operations";
import { Refusal } from "#lib/errors";
import { systemRandom } from "#lib/random";
import { newWebSessionToken } from "#lib/tokens";
import { forEachApi } from "#test/api";
import { CRASH_MESSAGES } from "#test/crash-messages";
import type { TestDatabase } from "#test/databases";
import { DISCOVERY_BODIES, DISCOVERY_QUERIES } from "#test/discovery-writes";
import { EXCHANGE_BODIES } from "#test/exchange-writes";
import { renderError } from "./render-error.ts";
import { routeOf } from "./router.ts";

const QUERIES: Readonly<Record<string, string>> = {
  explainAccess: "&tool=x",
  getToolDefinition: "&tool=x",
  listCallers: "&server=x",
  getSkillFile: "&path=x",
  removeToolkitTool: "&server=x&tool=x",
  endUserClient: "&id=x",
  endExchangeCredential: "&id=x",
  updateWebhook: "&id=x",
  deleteWebhook: "&id=x",
  search: "&q=x",
  ...DISCOVERY_QUERIES,
};
const IDS: Readonly<Record<string, string>> = { getLog: "1-1" };
const BODIES: Readonly<Record<string, object>> = {
  createApiToken: { name: "x", scopes: ["all"] },
  addIntegrationsToGroup: { slugs: ["x"] },
  addToolkitsToGroup: { slugs: ["x"] },
  addSkillsToGroup: { slugs: ["x"] },
  addCommandsToGroup: { slugs: ["x"] },
  createCommand: { name: "x", content: "x" },
  updateCommand: { status: "active" },
  importCommand: { markdown: "x" },
  createSkill: { name: "x", description: "x", content: "x" },
  updateSkill: { status: "active" },
  importSkill: { skill_md: "---\nname: x\ndescription: x\n---\nx\n" },
  rollbackSkill: { version: 1 },
  addPluginsToGroup: { slugs: ["x"] },
  createPlugin: { name: "x" },
  updatePlugin: { name: "y" },
  publishPlugin: {},
  createBackgroundAgent: { name: "x", instructions: "x", model: "x", provider: { type: "scripted" } },
  invokeBackgroundAgent: { input: "x" },
  sendAgentMessage: { input: "x" },
  rotateAgentSecret: { kind: "webhook" },
  syncBackgroundAgent: {},
  importBackgroundAgents: { platform: "anthropic", platform_config: { api_key: "x", base_url: "http://127.0.0.1:9" } },
  reportAgentSession: { status: "running" },
  createToolkit: { name: "x" },
  updateToolkit: { name: "x" },
  addToolkitTools: { tools: [{ server: "x", tool: "x" }] },
  previewUnsavedToolkit: { slug: "x", tools: [] },
  createGuard: {
    ...{ name: "x", type: "runtime", action: "block" },
    checks: [{ type: "keyword", name: "x", config: { words: ["x"] } }],
  },
  updateGuard: { name: "x" },
  evaluateGuards: { content: "x", guard_slug: "x" },
  dryRunGuard: { guard_slug: "x", from: "2027-01-01T00:00:00Z", to: "2027-01-02T00:00:00Z" },
  createUserToolkit: { name: "x" },
  updateUserToolkit: { name: "x" },
  sendTestEmail: { to: "x@example.com" },
  addUsersToGroup: { emails: ["x"] },
  detachFromScim: { all: true },
  previewSsoSignIn: { claims: { email: "x@example.com", email_verified: true } },
  updateMcpServerTools: { enable: ["x"] },
  setUserApiKey: { key: "x" },
  approveOAuthChange: { digest: "x" },
  keepOAuthSettings: { digest: "x" },
  approveAccessRequest: { group: "x" },
  createWebhook: { name: "x", url: "https://hooks.example.com", events: ["guard.blocked"] },
  ...EXCHANGE_BODIES,
  ...DISCOVERY_BODIES,
};

/** The service builds indexes of the call log after its start. On Postgres, renaming the table meanwhile is a deadlock. */
async function indexesAreBuilt({ databases: { dialect, calls } }: TestDatabase): Promise<void> {
  while (dialect === "postgres") {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_index
      where indisvalid and indexrelid in (to_regclass('calls_request'), to_regclass('calls_trace'))`.execute(calls);
    if (rows[0]?.n === 2) return;
    await sleep(20);
  }
}

forEachApi("500", (api) => {
  before(async () => {
    await indexesAreBuilt(api.database);
    await sql`alter table mcp_servers rename to lost_servers`.execute(api.db);
    await sql`alter table registry_entries rename to lost_entries`.execute(api.db);
    await sql`alter table toolkits rename to lost_toolkits`.execute(api.db);
    await sql`alter table commands rename to lost_commands`.execute(api.db);
    await sql`alter table skills rename to lost_skills`.execute(api.db);
    await sql`alter table plugins rename to lost_plugins`.execute(api.db);
    await sql`alter table agents rename to lost_agents`.execute(api.db);
    const discovery = ["discovery_devices", "discovery_items", "discovery_policy", "discovery_violations"];
    for (const table of ["discovery_policy_history", "discovery_rules", ...discovery]) {
      await sql.raw(`alter table ${table} rename to lost_${table}`).execute(api.db);
    }
    for (const table of ["exchange_providers", "exchange_credentials", "exchange_refresh_tokens"]) {
      await sql.raw(`alter table ${table} rename to lost_${table}`).execute(api.db);
    }
    await sql`alter table guards rename to lost_guards`.execute(api.db);
    await sql`alter table approvals rename to lost_approvals`.execute(api.db);
    await sql`alter table access_requests rename to lost_requests`.execute(api.db);
    await sql`alter table webhooks rename to lost_webhooks`.execute(api.db);
    await sql`alter table log_destinations rename to lost_destinations`.execute(api.db);
    await sql`alter table emails rename to lost_emails`.execute(api.db);
    await sql`alter table webhook_deliveries rename to lost_deliveries`.execute(api.db);
    await sql`alter table groups rename to lost_groups`.execute(api.db);
    await sql`alter table users rename to lost_users`.execute(api.db);
    await sql`alter table settings rename to lost_settings`.execute(api.db);
    await sql`alter table vault_keys rename to lost_keys`.execute(api.db);
    await sql`alter table calls rename to lost_calls`.execute(api.database.databases.calls);
    for (const table of ["call_minutes", "call_spans", "call_errors"]) {
      const lost = sql.raw(`alter table ${table} rename to lost_${table}`);
      await sql`${lost}`.execute(api.database.databases.calls);
    }
    // Authentication needs the token table, so only the other tables of these operations are removed.
    await sql`alter table audit rename to lost_audit`.execute(api.db);
  });

  /** A person's request whose session table is missing. */
  const asPerson = (method: string, path: string) => {
    const cookie = `gatehouse-8080=${newWebSessionToken(systemRandom)}`;
    return api.service.http(path, { method, headers: { cookie } });
  };

  it("responds with the message of each operation and nothing about the cause (API-9)", async () => {
    // These need only tokens and the built-in catalog, which is in memory.
    const unharmed = new Set([
      "listApiTokens",
      "deleteApiToken",
      "getMe",
      "listConnectorCategories",
      "listGuardCheckTypes",
      "listWebhookEvents",
      "validateSkill",
      "getPluginMarketplace",
    ]);
    for (const operation of operations) {
      const message = CRASH_MESSAGES[operation.id];
      assert.equal(operation.onCrash, message, operation.id);
      if (unharmed.has(operation.id)) continue;
      const { method, url } = routeOf(operation);
      const path = `${url.replace(/\{\w+\}/g, IDS[operation.id] ?? "x")}?slug=x&name=x&email=x&mcp=x${QUERIES[operation.id] ?? ""}`;
      const body = method.startsWith("P") ? (BODIES[operation.id] ?? { name: "x", email: "x@example.com" }) : undefined;
      const answer = operation.callers === "people" ? await asPerson(method, path) : await api.call(method, path, body);
      assert.deepEqual([answer.status, answer.body], [500, { error: message }], operation.id);
    }
  });
});

describe("error rendering", () => {
  it("sends Retry-After when the database is unavailable, and not for other crashes", () => {
    for (const code of ["ECONNREFUSED", "57P01", "08006"]) {
      const { status, body, headers, isCrash } = renderError(Object.assign(new Error("secret"), { code }), "Failed");
      assert.deepEqual([status, body, headers, isCrash], [500, { error: "Failed" }, { "retry-after": "5" }, true]);
    }
    const other = renderError(new TypeError("secret"), "Failed");
    assert.deepEqual([other.status, other.body, other.headers], [500, { error: "Failed" }, {}]);
  });

  it("reports a write that is stored but not yet in effect", () => {
    const refusal = new Refusal("unavailable", "not yet in effect", { retryAfterSeconds: 1 });
    const { status, body, headers, isCrash } = renderError(refusal, "Failed");
    assert.deepEqual(
      [status, body, headers, isCrash],
      [500, { error: "not yet in effect" }, { "retry-after": "1" }, false],
    );
  });
});
