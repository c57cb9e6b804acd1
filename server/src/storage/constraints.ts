import { externalIdTaken, invalid, type Refusal } from "#lib/errors";
import { SqliteError, SqliteThreadGone } from "./sqlite-thread.ts";

/** Maps a violated constraint to the API's error (D14, D17). */
const REFUSALS: Record<string, () => Refusal> = {
  groups_name_key: () => invalid("name", "group with this name already exists"),
  users_external_id_key: externalIdTaken,
  users_email_key: () => invalid("email", "user with this email already exists"),
  commands_slug_key: () => invalid("slug", "command with this slug already exists"),
  skills_slug_key: () => invalid("name", "skill with this name already exists"),
  log_destinations_name_key: () => invalid("name", "log destination with this name already exists"),
  webhooks_name_key: () => invalid("name", "webhook with this name already exists"),
};

/**
 * Unique indexes on values that a write picks because they are free. A violation means that a concurrent write picked the
 * same value (D5), so the write can run again and finds it taken.
 */
const PICKED_VALUES: ReadonlySet<string> = new Set([
  "mcp_servers_slug_key",
  "toolkits_slug_key",
  "guards_slug_key",
  "plugins_slug_key",
  "agents_slug_key",
  "exchange_providers_slug_key",
]);

export function isPickedValueTaken(error: unknown): boolean {
  const name = constraintName(error);
  return name !== undefined && PICKED_VALUES.has(name);
}

/** SQLite reports the columns of a violated unique index, not its name. */
export const SQLITE_INDEXES: Record<string, string> = {
  "access_requests.user_id, access_requests.server_id": "access_requests_pending",
  "approvals.digest": "approvals_pending",
  "api_tokens.token_hash": "api_tokens_hash_key",
  "agent_sessions.agent_id, agent_sessions.platform_session_id": "agent_sessions_platform_key",
  "agents.slug": "agents_slug_key",
  "audit.seq": "audit_seq_key",
  "commands.slug": "commands_slug_key",
  "connections.user_id, connections.server_id": "connections_user_server_key",
  "credentials.access_key": "credentials_access_key",
  "discovery_violations.instance_id": "discovery_violations_open",
  "exchange_providers.slug": "exchange_providers_slug_key",
  "groups.external_id": "groups_external_id_key",
  "groups.name_key": "groups_name_key",
  "guards.builtin_key": "guards_builtin_key",
  "guards.slug": "guards_slug_key",
  "invitations.token_hash": "invitations_token_hash_key",
  "log_destinations.name_key": "log_destinations_name_key",
  "log_names.value": "log_names_value_key",
  "mcp_servers.slug": "mcp_servers_slug_key",
  "oauth_clients.server_id, oauth_clients.binding_key": "oauth_clients_binding_key",
  "oauth_flows.state_hash": "oauth_flows_state_key",
  "plugin_releases.plugin_id, plugin_releases.version": "plugin_releases_version_key",
  "plugins.slug": "plugins_slug_key",
  "server_tools.server_id, server_tools.slug": "server_tools_slug_key",
  "skills.slug": "skills_slug_key",
  "toolkits.slug": "toolkits_slug_key",
  "upstream_sessions.key_hash": "upstream_sessions_key",
  "users.email_key": "users_email_key",
  "users.is_machine_user, users.external_id": "users_external_id_key",
  "users.slug": "users_slug_key",
  "users.user_name_key": "users_user_name_key",
  "web_sessions.token_hash": "web_sessions_token_hash_key",
  "webhooks.agent_id": "webhooks_agent_id_key",
  "webhooks.name_key": "webhooks_name_key",
};

const SQLITE_PRIMARY_KEY = 1555;
const SQLITE_UNIQUE = 2067;
const SQLITE_MESSAGE = "UNIQUE constraint failed: ";
const POSTGRES_UNIQUE = "23505";

/** The unique index, or `<table>_pkey`, that a statement violates. */
export function constraintName(error: unknown): string | undefined {
  if (error instanceof SqliteError) return sqliteConstraint(error);
  return fieldOf(error, "code") === POSTGRES_UNIQUE ? fieldOf(error, "constraint") : undefined;
}

function sqliteConstraint({ errcode, message }: SqliteError): string | undefined {
  const columns = message.slice(SQLITE_MESSAGE.length);
  if (errcode === SQLITE_PRIMARY_KEY) return `${columns.slice(0, columns.indexOf("."))}_pkey`;
  return errcode === SQLITE_UNIQUE ? SQLITE_INDEXES[columns] : undefined;
}

export function refusalFor(error: unknown): Refusal | undefined {
  const name = constraintName(error);
  return name === undefined ? undefined : REFUSALS[name]?.();
}

/**
 * Class 08: connection; 57P01–05: shutdown, crash, starting up, dropped; 53300: too many connections; 57014: a
 * statement took too long, such as one that waits for a lock; 25P03: a transaction was idle for too long; 25006: Postgres
 * is a standby, or read-only.
 */
const POSTGRES_AWAY = /^(?:08...|57P0.|53300|57014|25P03|25006)$/;
const NETWORK_AWAY = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** While a Postgres is stopped, its Unix socket does not exist. */
const isMissingSocket = (error: Error) =>
  fieldOf(error, "code") === "ENOENT" && fieldOf(error, "syscall") === "connect";
/** Errors of pg and its pool that have only a message. */
const MESSAGE_AWAY =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;
/** Result codes of SQLite: busy, I/O error, disk full, cannot open. */
const SQLITE_AWAY = new Set([5, 10, 13, 14]);

/** Whether the database is unreachable or another process blocks it, so that a retry makes sense (D33). */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof SqliteThreadGone) return true;
  if (error instanceof SqliteError) return SQLITE_AWAY.has((error.errcode ?? 0) & 0xff);
  if (!(error instanceof Error)) return false;
  const code = fieldOf(error, "code") ?? "";
  if (isMissingSocket(error)) return true;
  return NETWORK_AWAY.test(code) || POSTGRES_AWAY.test(code) || MESSAGE_AWAY.test(error.message);
}

const SQLITE_IO_ERROR = 10;
const SQLITE_DISK_FULL = 13;
/** Result codes of SQLite. */
const SQLITE_FULL = new Set([SQLITE_IO_ERROR, SQLITE_DISK_FULL]);
const POSTGRES_DISK_FULL = "53100";
const POSTGRES_IO_ERROR = "58030";

/** For a command: what to do if the disk of the database rejected a write. The service repeats such a write instead. */
export function describeDiskFailure(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const sqlite = Number(Reflect.get(cause, "errcode") ?? 0) & 0xff;
    const code = fieldOf(cause, "code");
    if (sqlite === SQLITE_DISK_FULL || code === POSTGRES_DISK_FULL) {
      return "The disk of the database is full. Free some space, then try again.";
    }
    if (sqlite === SQLITE_IO_ERROR || code === POSTGRES_IO_ERROR) {
      return `The disk of the database failed: ${cause.message}. Check the disk and its free space, then try again.`;
    }
  }
  return undefined;
}

/** For a write that a read can do without, such as a time of last use: a full disk does not fail the read. */
export async function unlessDiskFull(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof SqliteError && SQLITE_FULL.has((error.errcode ?? 0) & 0xff))) throw error;
  }
}

function fieldOf(error: unknown, name: string): string | undefined {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
