/**
 * Opened credentials of users. The gateway looks one up with each call, usually from a bounded cache that follows the
 * changes of all processes. Used entries are kept for an hour, so that calls continue while the database is down.
 */
import type { Logger } from "#lib/logger";
import { Lru } from "#lib/lru";
import { findExchangedToken, openExchangedToken } from "#records/auth-exchange";
import { connectionKey, findConnection, noteNeededScopes, openConnection } from "#records/connections";
import { findServerById, isSendableKey, keyHeader } from "#records/mcp-servers";
import { findUserById } from "#records/users";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { ConnectionRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { neededScopes } from "./challenge.ts";
import { endConnection } from "./end-connection.ts";
import type { MachineGrant } from "./machine-grant.ts";

/** `grant` changes when the user reconnects. */
export interface ReadyCredential {
  readonly headers: readonly string[];
  readonly grant: string;
}

/** `exchange_needed`: the server receives exchanged tokens, and the user has no valid one. */
export type CredentialState = ReadyCredential | "not_connected" | "reconnect_needed" | "exchange_needed";

/** The server in the caller's snapshot. A different `upstream` object means that its settings may have changed. */
export interface CalledServer {
  readonly id: string;
  readonly upstream: Place | undefined;
}

interface Place {
  readonly url: string;
}

export interface UpstreamCredentialsNeeds extends WriteContext {
  readonly vault: Vault;
  readonly logger: Logger;
  /**
   * Renews and stores a credential, or marks that the user must reconnect; once for all concurrent callers. Rejects if the
   * outcome is unknown. Absent: nothing can be renewed.
   */
  renew?(connection: ConnectionRow, reason: "expiring" | "refused"): Promise<unknown>;
  /** Called for each cached credential that is returned, so it must be fast. */
  used?(serverId: string, userId: string): void;
  /** D24: connects a machine user with its client credentials. Absent: not available. */
  grant?(userId: string, serverId: string): Promise<MachineGrant>;
}

interface Loading {
  readonly upstream: Place | undefined;
  readonly state: Promise<CredentialState>;
  /** A change came after the read began. */
  isOld: boolean;
}

interface Held {
  readonly state: CredentialState;
  readonly upstream: Place | undefined;
  /** Wall-clock times: when to renew it, and when it expires. */
  readonly renewAt: number;
  readonly endsAt: number;
  /** By the monotonic clock. */
  usedAt: number;
}

const KEPT_UNUSED_MS = 60 * 60 * 1000;
/** Tokens are renewed this long before they expire, or in the last quarter of a short lifetime. */
const RENEW_EARLY_MS = 60_000;
const RENEW_EARLY_SHARE = 1 / 4;
/** Retry interval after a failed renewal while the credential is still valid. */
const RENEW_AGAIN_MS = 10_000;
/** Retry interval after client credentials or their token were rejected. */
const GRANT_AGAIN_MS = 60_000;
const BUDGET_BYTES = 32 * 1024 * 1024;
const BYTES_PER_ENTRY = 512;
const GATEWAY = { actor: { kind: "system", id: "gateway", name: "gateway" }, requestId: "gateway" } as const;

export class UpstreamCredentials {
  readonly #needs: UpstreamCredentialsNeeds;
  readonly #held = new Lru<Held>(BUDGET_BYTES);
  readonly #loading = new Map<string, Loading>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(needs: UpstreamCredentialsNeeds) {
    this.#needs = needs;
  }

  of(server: CalledServer, userId: string): CredentialState | Promise<CredentialState> {
    const { clock } = this.#needs;
    const key = connectionKey(userId, server.id);
    const held = this.#held.get(key);
    const at = clock.monotonic();
    if (held && held.upstream === server.upstream && at - held.usedAt < KEPT_UNUSED_MS && clock.now() < held.renewAt) {
      held.usedAt = at;
      if (typeof held.state === "object") this.#needs.used?.(server.id, userId);
      return held.state;
    }
    return this.#load(key, server, userId, held);
  }

  /** A rejected API key, or a token rejected again after its renewal, requires the user to reconnect. */
  async refused(
    server: CalledServer,
    userId: string,
    credential: ReadyCredential,
    again: boolean,
  ): Promise<CredentialState> {
    const key = connectionKey(userId, server.id);
    this.#drop(key);
    const { db } = this.#needs;
    const connection = await findConnection(db, userId, server.id);
    if (connection?.state !== "connected") {
      const other = await this.of(server, userId);
      const isSame = typeof other === "object" && sameHeaders(other.headers, credential.headers);
      return isSame ? "exchange_needed" : other;
    }
    const record = await this.#recordOf(server);
    if (!record) return "not_connected";
    const present = this.#ready(record, connection);
    // It was renewed, or the user reconnected, after this call read it.
    if (present && !sameHeaders(present.headers, credential.headers)) {
      // Another call may have started reading before that and would find the rejected credential.
      this.#drop(key);
      return this.of(server, userId);
    }
    if (!again && this.#canRenew(connection)) await this.#needs.renew?.(connection, "refused");
    else await this.#endConnection(connection, REFUSED);
    this.#drop(key);
    const now = await this.of(server, userId);
    return typeof now === "object" && sameHeaders(now.headers, credential.headers) ? "reconnect_needed" : now;
  }

  /** Never rejects: after a failure, the next call reports the scopes again. */
  async lacksScope(server: CalledServer, userId: string, challenge: string): Promise<void> {
    const scopes = neededScopes(challenge);
    if (scopes.length === 0) return;
    const noted = writeTransaction(this.#needs, GATEWAY, (tx) =>
      noteNeededScopes(tx, { user_id: userId, server_id: server.id }, scopes),
    )
      .catch((error: unknown) => this.#needs.logger.warn({ err: error }, "could not store the needed scopes"))
      .finally(() => this.#underWay.delete(noted));
    this.#underWay.add(noted);
    await noted;
  }

  async grantOf(userId: string, serverId: string): Promise<string | undefined> {
    const { db, clock } = this.#needs;
    const connection = await findConnection(db, userId, serverId);
    if (connection) return grantOf(connection);
    const server = await findServerById(db, serverId);
    const token = server && (await findExchangedToken(db, { userId, server, now: clock.now() }));
    return token && EXCHANGED_GRANT;
  }

  /** Undefined: any may have changed. */
  forget(keys: Iterable<string> | undefined): void {
    if (keys) {
      for (const key of keys) this.#drop(key);
    } else {
      for (const loading of this.#loading.values()) loading.isOld = true;
      this.#held.clear();
      this.#loading.clear();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#underWay, ...Iterator.from(this.#loading.values()).map(({ state }) => state)]);
    this.#held.clear();
  }

  #drop(key: string): void {
    this.#held.delete(key);
    const loading = this.#loading.get(key);
    // Current and later callers read it again.
    if (loading) loading.isOld = true;
    this.#loading.delete(key);
  }

  #load(key: string, server: CalledServer, userId: string, held: Held | undefined): Promise<CredentialState> {
    const running = this.#loading.get(key);
    if (running && running.upstream === server.upstream) return running.state;
    const isCurrent = () => this.#loading.get(key) === loading;
    const state = this.#read(server, userId)
      .then(
        (read) => {
          if (loading.isOld) return this.of(server, userId);
          if (isCurrent()) this.#held.set(key, read, weightOf(read));
          return read.state;
        },
        (error: unknown) => {
          if (!held || held.upstream !== server.upstream || this.#needs.clock.now() >= held.endsAt) throw error;
          return held.state;
        },
      )
      .finally(() => isCurrent() && this.#loading.delete(key));
    const loading: Loading = { upstream: server.upstream, state, isOld: false };
    this.#loading.set(key, loading);
    return state;
  }

  async #read(server: CalledServer, userId: string): Promise<Held> {
    const { db, clock } = this.#needs;
    const held = { upstream: server.upstream, usedAt: clock.monotonic(), renewAt: Infinity, endsAt: Infinity };
    const forwarded = await this.#readExchanged(server, userId);
    if (forwarded) return { ...held, ...forwarded };
    const first = await findConnection(db, userId, server.id);
    const { connection, tryAgainAt } = first ? await this.#fresh(first) : { connection: undefined };
    const record = await this.#recordOf(server);
    if (!record || connection?.state !== "connected" || kindFor(record) !== connection.kind) {
      const grant = await this.#grantTo(record, userId, connection);
      if (grant === "granted") return this.#read(server, userId);
      const state = connection && record && kindFor(record) === connection.kind ? "reconnect_needed" : "not_connected";
      const renewAt = grant === "impossible" ? Infinity : clock.now() + GRANT_AGAIN_MS;
      return { ...held, state, renewAt };
    }
    const state = this.#ready(record, connection) ?? "reconnect_needed";
    if (connection.expires_at === null) return { ...held, state };
    const { expires_at } = connection;
    const renewAt = tryAgainAt ?? expires_at - this.#renewEarlyMs(connection, expires_at);
    return { ...held, state, renewAt, endsAt: expires_at };
  }

  /** The token that the user exchanged last, for servers that receive it; undefined: this server does not. */
  async #readExchanged(
    server: CalledServer,
    userId: string,
  ): Promise<Pick<Held, "state" | "renewAt" | "endsAt"> | undefined> {
    const { db, vault, clock } = this.#needs;
    const record = await this.#recordOf(server);
    if (record?.auth_type !== "exchanged-token") return undefined;
    const row = await findExchangedToken(db, { userId, server: record, now: clock.now() });
    if (!row) return { state: "exchange_needed", renewAt: Infinity, endsAt: Infinity };
    const headers = keyHeader({}, openExchangedToken(vault, row));
    const endsAt = row.token_expires_at;
    return { state: { headers, grant: EXCHANGED_GRANT }, renewAt: endsAt, endsAt };
  }

  /**
   * Undefined: the server was deleted or has a different URL than this caller uses (AZ-8). Read after the connection, so
   * that a connection for another URL is not used.
   */
  async #recordOf({ id, upstream }: CalledServer): Promise<McpServerRow | undefined> {
    const record = await findServerById(this.#needs.db, id);
    return record?.upstream_url === upstream?.url ? record : undefined;
  }

  /** Waits after the last grant, because a server that rejects all tokens would otherwise cost one per call. */
  async #grantTo(
    server: McpServerRow | undefined,
    userId: string,
    ended: ConnectionRow | undefined,
  ): Promise<MachineGrant> {
    if (server?.auth_type !== "proxy-oauth" || !this.#needs.grant) return "impossible";
    if (ended && this.#needs.clock.now() < ended.updated_at + GRANT_AGAIN_MS) return "refused";
    return this.#needs.grant(userId, server.id);
  }

  /** Renews a credential that expires soon. If the renewal fails, the credential is used until it expires. */
  async #fresh(connection: ConnectionRow): Promise<{ connection: ConnectionRow | undefined; tryAgainAt?: number }> {
    const { db, clock } = this.#needs;
    const { expires_at, state, user_id, server_id } = connection;
    if (expires_at === null || state !== "connected") return { connection };
    if (clock.now() < expires_at - this.#renewEarlyMs(connection, expires_at)) return { connection };
    try {
      if (this.#canRenew(connection)) await this.#needs.renew?.(connection, "expiring");
      else await this.#endConnection(connection, ENDED);
    } catch (error) {
      if (clock.now() >= expires_at) throw error;
      return { connection, tryAgainAt: Math.min(clock.now() + RENEW_AGAIN_MS, expires_at) };
    }
    return { connection: await findConnection(db, user_id, server_id) };
  }

  /** Prevents that a token with a short lifetime is renewed with each call. */
  #renewEarlyMs(connection: ConnectionRow, endsAt: number): number {
    if (!this.#canRenew(connection)) return 0;
    // The row was last written when the token was issued or later, so the lifetime is at least this long.
    const livesMs = Math.max(0, endsAt - connection.updated_at);
    return Math.min(RENEW_EARLY_MS, livesMs * RENEW_EARLY_SHARE);
  }

  #canRenew(connection: ConnectionRow): boolean {
    const secret = openConnection(this.#needs.vault, connection);
    if (secret.kind !== "oauth" || !this.#needs.renew) return false;
    return secret.refreshToken !== undefined || secret.clientSource === "machine";
  }

  /** Undefined: the stored credential cannot be sent as a header, or belongs to another URL (AZ-8). */
  #ready(server: McpServerRow, connection: ConnectionRow): ReadyCredential | undefined {
    const secret = openConnection(this.#needs.vault, connection);
    if (secret.serverUrl !== undefined && secret.serverUrl !== server.upstream_url) return undefined;
    const value = secret.kind === "oauth" ? secret.accessToken : secret.key;
    if (!isSendableKey(value)) return undefined;
    const headers = keyHeader(secret.kind === "oauth" ? {} : server.auth_settings, value);
    return { headers, grant: grantOf(connection) };
  }

  async #endConnection(connection: ConnectionRow, error: string): Promise<void> {
    const { db } = this.#needs;
    const user = await findUserById(db, connection.user_id);
    const server = await findServerById(db, connection.server_id);
    if (!user || !server) return;
    await endConnection(this.#needs, GATEWAY, { ...connection, user, server }, error);
  }
}

/** The user stays the same with each exchanged token, so upstream sessions continue. */
const EXCHANGED_GRANT = "exchanged";
const REFUSED = "The server no longer accepts the credential";
const ENDED = "The credential expired and cannot be renewed";

function kindFor({ auth_type }: McpServerRow): ConnectionRow["kind"] | undefined {
  if (auth_type === "none" || auth_type === "exchanged-token") return undefined;
  return auth_type === "proxy-oauth" ? "oauth" : "api_key";
}

function grantOf({ id, connected_at }: ConnectionRow): string {
  return `${id} ${connected_at}`;
}

function sameHeaders(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

function weightOf({ state }: Held): number {
  const headers = typeof state === "object" ? state.headers : [];
  return headers.reduce((sum, text) => sum + text.length, BYTES_PER_ENTRY);
}
