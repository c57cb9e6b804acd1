import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { operations } from "#api/operations";
import { Refusal } from "#lib/errors";
import { systemRandom } from "#lib/random";
import { newWebSessionToken } from "#lib/tokens";
import { forEachApi } from "#test/api";
import type { TestDatabase } from "#test/databases";
import { renderError } from "./render-error.ts";
import { routeOf } from "./router.ts";

/** Spec 7, and D33 for additional operations. An operation without a row here fails the test. */
const SENTENCES: Readonly<Record<string, string>> = {
  listMcpServers: "Failed to retrieve MCP servers",
  createMcpServer: "Failed to create MCP server",
  updateMcpServer: "Failed to update MCP server",
  deleteMcpServer: "Failed to delete MCP server",
  getMcpServer: "Failed to retrieve MCP server",
  updateMcpServerTools: "Failed to update tools of MCP server",
  listToolChanges: "Failed to retrieve tool changes",
  getToolDefinition: "Failed to retrieve tool definition",
  listMcpServerItems: "Failed to retrieve items of MCP server",
  acceptTools: "Failed to accept tools",
  rejectTools: "Failed to reject tools",
  syncMcpServer: "Failed to sync MCP server",
  testMcpServer: "Failed to test MCP server",
  listMcpServerConnections: "Failed to retrieve connections",
  deleteMcpServerConnection: "Failed to delete connection",
  listUserMcpServers: "Failed to retrieve MCP servers of user",
  getUserConnection: "Failed to check connection",
  setUserApiKey: "Failed to set API key",
  deleteUserConnection: "Failed to delete connection",
  discoverOAuth: "Failed to discover OAuth settings",
  approveOAuthChange: "Failed to approve OAuth settings",
  keepOAuthSettings: "Failed to keep OAuth settings",
  listConnectors: "Failed to list connectors",
  getConnector: "Failed to retrieve connector",
  listConnectorCategories: "Failed to list categories",
  getConnectorUsage: "Failed to check connector usage",
  listGroups: "Failed to retrieve groups",
  getGroup: "Failed to retrieve group",
  createGroup: "Failed to create group",
  updateGroup: "Failed to update group",
  deleteGroup: "Failed to delete group",
  addIntegrationsToGroup: "Failed to add integrations to group",
  updateGroupIntegration: "Failed to update integration of group",
  removeIntegrationFromGroup: "Failed to remove integration from group",
  addSkillsToGroup: "Failed to add skills to group",
  removeSkillFromGroup: "Failed to remove skill from group",
  listSkills: "Failed to retrieve skills",
  getSkill: "Failed to retrieve skill",
  getSkillFile: "Failed to retrieve file",
  createSkill: "Failed to create skill",
  updateSkill: "Failed to update skill",
  deleteSkill: "Failed to delete skill",
  importSkill: "Failed to import skill",
  validateSkill: "Failed to validate skill",
  listSkillVersions: "Failed to retrieve versions",
  rollbackSkill: "Failed to restore version",
  downloadSkill: "Failed to download skill",
  addCommandsToGroup: "Failed to add commands to group",
  removeCommandFromGroup: "Failed to remove command from group",
  listCommands: "Failed to retrieve commands",
  getCommand: "Failed to retrieve command",
  createCommand: "Failed to create command",
  updateCommand: "Failed to update command",
  deleteCommand: "Failed to delete command",
  importCommand: "Failed to import command",
  renderCommand: "Failed to render command",
  exportCommand: "Failed to export command",
  listMyCommands: "Failed to retrieve commands",
  listUserCommands: "Failed to retrieve commands",
  addPluginsToGroup: "Failed to add plugins to group",
  removePluginFromGroup: "Failed to remove plugin from group",
  listPlugins: "Failed to retrieve plugins",
  getPlugin: "Failed to retrieve plugin",
  createPlugin: "Failed to create plugin",
  updatePlugin: "Failed to update plugin",
  deletePlugin: "Failed to delete plugin",
  publishPlugin: "Failed to publish plugin",
  unpublishPlugin: "Failed to unpublish plugin",
  listPluginReleases: "Failed to retrieve releases",
  downloadPlugin: "Failed to download plugin",
  listMySkills: "Failed to retrieve skills",
  listUserSkills: "Failed to retrieve skills",
  addToolkitsToGroup: "Failed to add toolkits to group",
  removeToolkitFromGroup: "Failed to remove toolkit from group",
  listToolkits: "Failed to retrieve toolkits",
  getToolkit: "Failed to retrieve toolkit",
  createToolkit: "Failed to create toolkit",
  updateToolkit: "Failed to update toolkit",
  deleteToolkit: "Failed to delete toolkit",
  addToolkitTools: "Failed to add tools to toolkit",
  removeToolkitTool: "Failed to remove tool from toolkit",
  previewToolkit: "Failed to preview toolkit",
  previewUnsavedToolkit: "Failed to preview toolkit",
  listGuards: "Failed to retrieve guards",
  getGuard: "Failed to retrieve guard",
  createGuard: "Failed to create guard",
  updateGuard: "Failed to update guard",
  deleteGuard: "Failed to delete guard",
  listGuardCheckTypes: "Failed to retrieve types of checks",
  evaluateGuards: "Failed to evaluate guards",
  dryRunGuard: "Failed to try the guard",
  listApprovals: "Failed to retrieve approvals",
  getApproval: "Failed to retrieve approval",
  decideApproval: "Failed to decide about call",
  listMyApprovals: "Failed to retrieve approvals",
  listMyToolkits: "Failed to retrieve toolkits",
  getMyToolkit: "Failed to retrieve toolkit",
  createMyToolkit: "Failed to create toolkit",
  updateMyToolkit: "Failed to update toolkit",
  deleteMyToolkit: "Failed to delete toolkit",
  listUserToolkits: "Failed to retrieve toolkits",
  getUserToolkit: "Failed to retrieve toolkit",
  createUserToolkit: "Failed to create toolkit",
  updateUserToolkit: "Failed to update toolkit",
  deleteUserToolkit: "Failed to delete toolkit",
  addUsersToGroup: "Failed to add users to group",
  removeUserFromGroup: "Failed to remove user from group",
  listUsers: "Failed to retrieve users",
  getUser: "Failed to retrieve user",
  createUser: "Failed to create user",
  updateUser: "Failed to update user",
  deleteUser: "Failed to delete user",
  rotateUserSecret: "Failed to rotate secret",
  revealUserSecret: "Failed to reveal secret",
  listUserClients: "Failed to retrieve clients",
  endUserClient: "Failed to disconnect client",
  listUserSessions: "Failed to retrieve sessions",
  endUserSessions: "Failed to end sessions",
  revokeOldSecret: "Failed to revoke old secret",
  setClientCredentials: "Failed to set client credentials",
  inviteUser: "Failed to invite user",
  listAccess: "Failed to retrieve access",
  listCallers: "Failed to retrieve callers",
  listGroupIntegrations: "Failed to retrieve integrations of group",
  listGrants: "Failed to retrieve grants",
  explainAccess: "Failed to explain access",
  listAccessRequests: "Failed to retrieve access requests",
  approveAccessRequest: "Failed to approve access request",
  denyAccessRequest: "Failed to deny access request",
  getUserAuthUrl: "Failed to create connect link",
  listApiTokens: "Failed to retrieve API tokens",
  createApiToken: "Failed to create API token",
  deleteApiToken: "Failed to delete API token",
  listWebhooks: "Failed to retrieve webhooks",
  createWebhook: "Failed to create webhook",
  updateWebhook: "Failed to update webhook",
  deleteWebhook: "Failed to delete webhook",
  getWebhook: "Failed to retrieve webhook",
  rotateWebhookSecret: "Failed to rotate secret",
  testWebhook: "Failed to test webhook",
  listWebhookDeliveries: "Failed to retrieve deliveries",
  getWebhookDelivery: "Failed to retrieve delivery",
  redeliverWebhookDelivery: "Failed to redeliver event",
  listWebhookEvents: "Failed to retrieve events",
  getMe: "Failed to retrieve the caller",
  listMyMcpServers: "Failed to retrieve MCP servers",
  setMyApiKey: "Failed to set API key",
  testMyConnection: "Failed to test connection",
  deleteMyConnection: "Failed to delete connection",
  listMyClients: "Failed to retrieve clients",
  endMyClient: "Failed to disconnect client",
  listMySessions: "Failed to retrieve sessions",
  endMySessions: "Failed to end sessions",
  changeMyPassword: "Failed to change password",
  confirmMyPassword: "Failed to confirm password",
  createPlaygroundToken: "Failed to create playground token",
  listMyCatalog: "Failed to retrieve catalog",
  listMyCatalogTools: "Failed to retrieve tools",
  createMyRequest: "Failed to create access request",
  listMyRequests: "Failed to retrieve access requests",
  withdrawMyRequest: "Failed to withdraw access request",
  listMyLogs: "Failed to retrieve logs",
  search: "Failed to search",
  listLogs: "Failed to retrieve logs",
  exportLogs: "Failed to export logs",
  exportAudit: "Failed to export the audit log",
  tailLogs: "Failed to follow the logs",
  listLogErrors: "Failed to retrieve error groups",
  getLog: "Failed to retrieve the call",
  getLogStats: "Failed to retrieve call statistics",
  listAudit: "Failed to retrieve the audit log",
  getSettings: "Failed to retrieve settings",
  updateSettings: "Failed to update settings",
  getAbout: "Failed to retrieve information about this installation",
};
const QUERIES: Readonly<Record<string, string>> = {
  explainAccess: "&tool=x",
  getToolDefinition: "&tool=x",
  listCallers: "&server=x",
  getSkillFile: "&path=x",
  removeToolkitTool: "&server=x&tool=x",
  endUserClient: "&id=x",
  updateWebhook: "&id=x",
  deleteWebhook: "&id=x",
  search: "&q=x",
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
  addUsersToGroup: { emails: ["x"] },
  updateMcpServerTools: { enable: ["x"] },
  setUserApiKey: { key: "x" },
  approveOAuthChange: { digest: "x" },
  keepOAuthSettings: { digest: "x" },
  approveAccessRequest: { group: "x" },
  createWebhook: { name: "x", url: "https://hooks.example.com", events: ["guard.blocked"] },
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
    await sql`alter table guards rename to lost_guards`.execute(api.db);
    await sql`alter table approvals rename to lost_approvals`.execute(api.db);
    await sql`alter table access_requests rename to lost_requests`.execute(api.db);
    await sql`alter table webhooks rename to lost_webhooks`.execute(api.db);
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
    ]);
    for (const operation of operations) {
      const sentence = SENTENCES[operation.id];
      assert.equal(operation.onCrash, sentence, operation.id);
      if (unharmed.has(operation.id)) continue;
      const { method, url } = routeOf(operation);
      const path = `${url.replace(/\{\w+\}/g, IDS[operation.id] ?? "x")}?slug=x&name=x&email=x&mcp=x${QUERIES[operation.id] ?? ""}`;
      const body = method.startsWith("P") ? (BODIES[operation.id] ?? { name: "x", email: "x@example.com" }) : undefined;
      const answer = operation.callers === "people" ? await asPerson(method, path) : await api.call(method, path, body);
      assert.deepEqual([answer.status, answer.body], [500, { error: sentence }], operation.id);
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
