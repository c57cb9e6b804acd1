/** Values in every sealed column, for tests of key rotation. */
import assert from "node:assert/strict";
import { sql } from "kysely";
import { systemRandom } from "#lib/random";
import { insertMachineKey, type MachineKey } from "#records/credentials";
import type { MainDb, MainTransaction } from "#storage/database";
import type { EmailRow } from "#storage/email-tables";
import type { FlowPlan } from "#storage/oauth-tables";
import { SEALED_COLUMNS, type SealedColumn } from "#storage/sealed-columns";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteContext, WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { newAgent, newSession } from "./agent-rows.ts";
import { approvalRow, insertApprovalRows } from "./approval-rows.ts";
import { insertExchangeCredential } from "./exchange-rows.ts";

/** Fills every sealed column like a running service. */
export async function fillSealedColumns(
  { db, clock, newId }: WriteContext,
  vault: Vault,
  count: number,
): Promise<MachineKey[]> {
  const keys: MachineKey[] = [];
  const now = clock.now();
  const at = { created_at: now, updated_at: now };
  await db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) {
      const [userId, serverId, connectionId] = [newId("usr"), newId("srv"), newId("con")];
      const clientCredentials = n % 2 === 0 ? seal(vault, "users", userId) : null;
      const user = { ...at, ...newUser(userId), sealed_client_credentials: clientCredentials };
      await tx.insertInto("users").values(user).execute();
      const server = {
        ...at,
        ...newServer(serverId),
        sealed_client_secret: seal(vault, "mcp_servers", serverId, "sealed_client_secret"),
        sealed_shared_headers: seal(vault, "mcp_servers", serverId, "sealed_shared_headers"),
      };
      await tx.insertInto("mcp_servers").values(server).execute();
      const link = { user_id: userId, server_id: serverId, kind: "api_key", state: "connected" } as const;
      const sealed_credential = seal(vault, "connections", connectionId);
      const connection = { ...at, ...link, id: connectionId, sealed_credential };
      await tx.insertInto("connections").values(connection).execute();
      await fillOAuth(tx, vault, { user_id: userId, server_id: serverId }, [newId("cli"), newId("flw")], now);
      const artifactId = newId("flw");
      const artifact = { id: artifactId, model: "Client", user_id: null, client_id: null, grant_id: null };
      const sealed_payload = seal(vault, "oauth_artifacts", artifactId);
      const artifactTimes = { consumed_at: null, expires_at: now, created_at: now };
      await tx
        .insertInto("oauth_artifacts")
        .values({ ...artifact, ...artifactTimes, sealed_payload })
        .execute();
      const sessionId = newId("ses");
      const session = { id: sessionId, key_hash: sessionId, mcp_session_id: "session", opened_at: now, used_at: now };
      const sealed_session = seal(vault, "upstream_sessions", sessionId);
      await tx
        .insertInto("upstream_sessions")
        .values({ ...session, user_id: userId, server_id: serverId, sealed_session })
        .execute();
      await fillWebhook(tx, vault, newId("whk"), now);
      await fillEmail(tx, vault, { id: newId("eml"), user_id: userId }, now);
      await fillGuard(tx, vault, newId("grd"), now);
      await fillLogDestination(tx, vault, newId("lgd"), now);
      await fillApproval(tx, vault, newId("apr"), now);
      await fillAgent(tx, vault, newId("agt"));
      await fillStoredResult(tx, vault, newId("srv"), now);
      const exchangeId = newId("exc");
      const sealed_token = seal(vault, "exchange_credentials", exchangeId);
      await insertExchangeCredential(tx, { id: exchangeId, user_id: userId, sealed_token });
      keys.push(
        await insertMachineKey(tx, new WriteTrail(), {
          id: newId("crd"),
          userId,
          now,
          random: systemRandom,
          vault,
          keepsCopy: true,
        }),
      );
    }
    const id = newId("usr"); // an organization has one provider; here each call creates one
    const sealed_provider_secret = seal(vault, "identity_providers", id);
    await tx
      .insertInto("identity_providers")
      .values({ ...PROVIDER, id, sealed_provider_secret, updated_at: now })
      .execute();
  });
  return keys;
}

async function fillWebhook(tx: MainTransaction, vault: Vault, id: string, now: number): Promise<void> {
  await tx
    .insertInto("webhooks")
    .values({
      ...{ id, name: id, name_key: id, url: "https://hooks.example.com/", events: [], format: "json", enabled: true },
      sealed_secret: seal(vault, "webhooks", id, "sealed_secret"),
      sealed_previous_secret: seal(vault, "webhooks", id, "sealed_previous_secret"),
      ...{ previous_secret_expires_at: now, failing_since: null, disabled_reason: null, disabled_at: null },
      agent_id: null,
      ...{ created_by: "ada@example.com", created_at: now, updated_at: now },
    })
    .execute();
}

async function fillEmail(
  tx: MainTransaction,
  vault: Vault,
  ids: Pick<EmailRow, "id" | "user_id">,
  now: number,
): Promise<void> {
  await tx
    .insertInto("emails")
    .values({
      ...{ ...ids, kind: "invitation", recipient: "ada@example.com", data: {}, events: 1, status: "pending" },
      sealed_token: seal(vault, "emails", ids.id),
      ...{ at: now, due_at: now, expires_at: now, claimed_by: null, attempts: 0 },
      ...{ last_attempt_at: null, last_error: null },
    })
    .execute();
}

async function fillLogDestination(tx: MainTransaction, vault: Vault, id: string, now: number): Promise<void> {
  await tx
    .insertInto("log_destinations")
    .values({
      ...{ id, name: id, name_key: id, kind: "otlp", sources: ["calls"], outcomes: null, enabled: false },
      config: { url: "https://logs.example.com/v1/logs" },
      sealed_secrets: seal(vault, "log_destinations", id),
      ...{ created_by: "ada@example.com", created_at: now, updated_at: now },
    })
    .execute();
}

async function fillGuard(tx: MainTransaction, vault: Vault, id: string, now: number): Promise<void> {
  const row = { id, builtin_key: null, slug: id, name: id, description: "", search_text: "", message: "" };
  const scope = { groups: [], servers: [], tools: [], users: [], exclude_servers: [] };
  const effect = { type: "runtime", enabled: false, action: "block", threshold: 7, direction: "both" } as const;
  const rest = { entity_types: [], scope, checks: [], priority: 100, on_error: null, created_at: now, updated_at: now };
  const sealed_headers = seal(vault, "guards", id);
  await tx
    .insertInto("guards")
    .values({ ...row, ...effect, ...rest, sealed_headers })
    .execute();
}

async function fillApproval(tx: MainTransaction, vault: Vault, id: string, now: number): Promise<void> {
  await insertApprovalRows(tx, [approvalRow(id, now, { sealed_arguments: seal(vault, "approvals", id) })]);
}

async function fillStoredResult(tx: MainTransaction, vault: Vault, id: string, now: number): Promise<void> {
  const row = { id, user_id: id, server_id: id, bytes: 1, sealed_text: seal(vault, "stored_results", id) };
  await tx
    .insertInto("stored_results")
    .values({ ...row, created_at: now })
    .execute();
}

/** A client registered at the server, and the user's pending sign-in there. */
async function fillOAuth(
  tx: MainTransaction,
  vault: Vault,
  ends: { readonly user_id: string; readonly server_id: string },
  [clientId, flowId]: readonly [string, string],
  now: number,
): Promise<void> {
  await tx
    .insertInto("oauth_clients")
    .values({
      ...{ id: clientId, server_id: ends.server_id, binding_key: "bound", client_id: "client" },
      auth_method: "client_secret_post",
      sealed_client_secret: seal(vault, "oauth_clients", clientId),
      secret_expires_at: null,
      created_at: now,
    })
    .execute();
  const flow = { ...ends, id: flowId, state_hash: flowId, browser_hash: "browser", plan: PLAN, expires_at: now };
  await tx
    .insertInto("oauth_flows")
    .values({ ...flow, sealed_verifier: seal(vault, "oauth_flows", flowId) })
    .execute();
}

const PLAN: FlowPlan = {
  upstreamUrl: "https://wiki.example.com/mcp",
  issuer: "https://wiki.example.com",
  namesIssuer: false,
  tokenEndpoint: "https://wiki.example.com/token",
  redirectUri: "https://gatehouse.example.com/oauth/callback",
  resource: "https://wiki.example.com/mcp",
  scopes: [],
  clientId: "client",
  clientSource: "document",
};

const PROVIDER = {
  issuer: "https://idp.example.com",
  client_id: "gatehouse",
  allowed_domains: ["example.com"],
  groups_claim: null,
  group_mapping: {},
  default_role: "member" as const,
  auto_create: true,
};

async function fillAgent(tx: MainTransaction, vault: Vault, id: string): Promise<void> {
  await tx
    .insertInto("agents")
    .values({
      ...newAgent(id, "paused"),
      sealed_provider: seal(vault, "agents", id, "sealed_provider"),
      sealed_hook: seal(vault, "agents", id, "sealed_hook"),
      sealed_platform: seal(vault, "agents", id, "sealed_platform"),
    })
    .execute();
  const session = newSession(id.replace("agt_", "ses_"), id.slice("agt_".length), "queued");
  const sealed_input = seal(vault, "agent_sessions", session.id);
  await tx
    .insertInto("agent_sessions")
    .values({ ...session, sealed_input })
    .execute();
}

/** Without `column`, the only sealed column of the table. */
function seal(vault: Vault, table: SealedColumn["table"], row: string, column?: string): string {
  const found = SEALED_COLUMNS.find((sealed) => sealed.table === table && (column ?? sealed.column) === sealed.column);
  assert.ok(found);
  return vault.seal(found.purpose, { table, row, column: found.column }, `of ${row}`);
}

export function newUser(id: string): Omit<UserRow, "sealed_client_credentials" | "created_at" | "updated_at"> {
  const names = { name: "bot", email: id, email_key: id, search_text: "", slug: id };
  const status = { disabled: false, suspended: false, disabled_by_admin: false };
  return { ...names, ...status, id, is_machine_user: true, role: "member", risk_score: null };
}

function newServer(
  id: string,
): Omit<McpServerRow, "sealed_client_secret" | "sealed_shared_headers" | "created_at" | "updated_at"> {
  const upstream = { connector_id: null, upstream_url: null, upstream_transport: null, is_local: false, eras: [] };
  const sync = { sync_tried_at: null, tools_synced_at: null, sync_error: null, tool_policy: "warn" } as const;
  const names = { slug: id, name: "server", description: "", search_text: "" };
  return { ...names, ...upstream, ...sync, id, status: "active", auth_type: "proxy-oauth", auth_settings: {} };
}

/** Checks that every value opens with this vault and every machine key is valid. Returns the versions in use. */
export async function checkSealedColumns(
  db: MainDb,
  vault: Vault,
  machineKeys: readonly MachineKey[],
): Promise<Set<number>> {
  const secrets = new Map(machineKeys.map(({ id, secret }) => [id, secret]));
  const versions = new Set<number>();
  for (const { table, column, purpose } of SEALED_COLUMNS) {
    const value = sql.ref<string | null>(column).as("sealed");
    const rows = await db.selectFrom(table).select(["id", value]).execute();
    assert.ok(
      rows.some(({ sealed }) => sealed !== null),
      `${table}.${column} has values to check`,
    );
    for (const { id, sealed } of rows) {
      if (sealed === null) continue;
      assert.equal(vault.open(purpose, { table, row: id, column }, sealed), secrets.get(id) ?? `of ${id}`);
      versions.add(Number.parseInt(sealed, 10));
    }
  }
  for (const { id, verifier, pepper_version } of await db.selectFrom("credentials").selectAll().execute()) {
    const proof = vault.verifier(secrets.get(id) ?? "", pepper_version) ?? [];
    assert.deepEqual(Buffer.from(proof), Buffer.from(verifier));
    versions.add(pepper_version);
  }
  return versions;
}
