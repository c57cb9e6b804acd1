import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import type { Config } from "#config/config";
import { createLogger } from "#lib/logger";
import type { MainDb } from "#storage/database";
import type { AuditRow, MainTables } from "#storage/tables";
import { clockWithoutLongTimers, type TestClock, testClock } from "./clock.ts";
import { openTestPostgres, openTestSqlite, type TestDatabase } from "./databases.ts";
import { type HttpAnswer, type Service, startService } from "./start-service.ts";

const TABLES = [
  "agent_hook_requests",
  "agent_sessions",
  "agent_steps",
  "agents",
  "account_resets",
  "api_tokens",
  "approvals",
  "stored_results",
  "audit",
  "audit_chain",
  "audit_checkpoints",
  "audit_shipping",
  "audit_verification",
  "caller_streams",
  "change_counter",
  "access_requests",
  "changes",
  "commands",
  "connect_links",
  "connections",
  "credentials",
  "discovery_devices",
  "discovery_instances",
  "discovery_item_counts",
  "discovery_item_users",
  "discovery_items",
  "discovery_policy",
  "discovery_policy_history",
  "discovery_refused_texts",
  "discovery_rules",
  "discovery_skill_texts",
  "discovery_violations",
  "email_opt_outs",
  "email_state",
  "emails",
  "exchange_audiences",
  "exchange_credentials",
  "exchange_providers",
  "exchange_refresh_tokens",
  "exchange_replays",
  "file_blobs",
  "group_commands",
  "group_plugins",
  "group_servers",
  "group_skills",
  "group_toolkits",
  "group_users",
  "groups",
  "guards",
  "idempotency",
  "identity_providers",
  "invitations",
  "linked_resources",
  "mcp_servers",
  "mcp_sessions",
  "mcp_subscriptions",
  "passed_messages",
  "passwords",
  "oauth_artifacts",
  "oauth_clients",
  "oauth_flows",
  "oauth_grants",
  "log_cursors",
  "log_destinations",
  "managed_objects",
  "marketplace_files",
  "marketplace_commits",
  "plugin_files",
  "plugin_releases",
  "plugins",
  "registry_entries",
  "registry_state",
  "reported_health",
  "scim_state",
  "server_items",
  "server_tools",
  "settings",
  "setup_links",
  "sign_in_attempts",
  "skill_files",
  "skill_versions",
  "skills",
  "upstream_sessions",
  "tool_limits",
  "toolkit_servers",
  "toolkits",
  "user_identities",
  "user_owners",
  "users",
  "vault_keys",
  "web_sessions",
  "webhook_attempts",
  "webhook_deliveries",
  "webhooks",
] as const satisfies readonly (keyof MainTables)[];

/** A service shared by the tests of one operation, with direct access to its database. */
export interface ApiUnderTest {
  readonly service: Service;
  readonly database: TestDatabase;
  readonly db: MainDb;
  /** Advances only when the test advances it; the service uses it if the suite requested that. */
  readonly clock: TestClock;
  /** The service's log lines, if the suite requested them. */
  readonly lines: readonly string[];
  /** Uses the unrestricted token; `body` is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Calls and expects exactly this status and body. */
  expect(status: number, answer: unknown, method: string, path: string, body?: unknown): Promise<HttpAnswer>;
  /** Calls and expects the validation error of Spec 7 with this message. */
  invalid(message: string, method: string, path: string, body?: unknown): Promise<void>;
  /** Creates a token with these scopes through the API. */
  tokenWith(...scopes: string[]): Promise<{ id: string; token: string }>;
  /** The audit rows that the work writes. */
  auditOf(work: () => Promise<unknown>): Promise<AuditRow[]>;
  /** Every row of every table, except when a token or a web session was last used. */
  everything(): Promise<Record<string, string[]>>;
}

export interface ApiSuiteOptions {
  readonly clock?: "by-hand";
  readonly log?: "kept";
  readonly connectorsFolder?: URL;
  readonly config?: Partial<Config>;
}

type ApiSuite = (api: ApiUnderTest, dialect: TestDatabase["dialect"]) => void;

/** One service per database, shared by the whole suite. */
export function forEachApi(name: string, suite: ApiSuite, options: ApiSuiteOptions = {}): void {
  describeApi("sqlite", name, suite, options);
  describeApi("postgres", name, suite, options);
}

/** One service over SQLite, for behavior that does not depend on the SQL dialect. */
export function onSqliteApi(name: string, suite: ApiSuite, options: ApiSuiteOptions = {}): void {
  describeApi("sqlite", name, suite, options);
}

function describeApi(dialect: TestDatabase["dialect"], name: string, suite: ApiSuite, options: ApiSuiteOptions): void {
  describe(`${name} (${dialect})`, () => {
    const parts: { service?: Service; database?: TestDatabase } = {};
    const clock = testClock();
    const lines: string[] = [];
    before(async () => {
      parts.database = await (dialect === "sqlite" ? openTestSqlite() : openTestPostgres());
      parts.service = await startService(parts.database, {
        clock: options.clock === undefined ? clockWithoutLongTimers : clock,
        ...(options.log && { logger: createLogger("trace", { write: (line) => void lines.push(line) }) }),
        ...(options.connectorsFolder && { connectorsFolder: options.connectorsFolder }),
        ...(options.config && { config: options.config }),
      });
    });
    suite(underTest(parts, clock, lines), dialect);
    // The service closes first, because its files must exist until then.
    after(async () => {
      await parts.service?.close();
      await parts.database?.close();
    });
  });
}

function underTest(
  parts: { service?: Service; database?: TestDatabase },
  clock: TestClock,
  lines: readonly string[],
): ApiUnderTest {
  const api: ApiUnderTest = {
    get service() {
      return started(parts.service);
    },
    get database() {
      return started(parts.database);
    },
    get db() {
      return started(parts.database).databases.main;
    },
    clock,
    lines,
    call: (method, path, body, headers) => api.service.api(method, path, body, headers),
    async expect(status, wanted, method, path, body) {
      const answer = await api.call(method, path, body);
      assert.deepEqual([answer.status, answer.body], [status, wanted], `${method} ${path} ${JSON.stringify(body)}`);
      return answer;
    },
    async invalid(message, method, path, body) {
      await api.expect(400, { code: "INVALID_FORMAT", message }, method, path, body);
    },
    async tokenWith(...scopes) {
      const answer = await api.call("POST", "/api/api-tokens", { name: scopes.join(" "), scopes });
      assert.equal(answer.status, 201, answer.text);
      return { id: answer.body.data.id, token: answer.body.token };
    },
    async auditOf(work) {
      const known = new Set((await api.db.selectFrom("audit").select("id").execute()).map((row) => row.id));
      await work();
      const rows = await api.db.selectFrom("audit").selectAll().orderBy("at").orderBy("id").execute();
      return rows.filter((row) => !known.has(row.id));
    },
    async everything() {
      const content: Record<string, string[]> = {};
      for (const table of TABLES) {
        const rows = await api.db.selectFrom(table).selectAll().execute();
        content[table] = rows
          .map((row) => JSON.stringify({ ...row, last_used_at: undefined, last_seen_at: undefined }))
          .sort();
      }
      return content;
    },
  };
  return api;
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("the service has not started yet");
  return part;
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
