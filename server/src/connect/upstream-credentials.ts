/**
 * Users' own credentials, opened and ready to be sent: the gateway asks for one with each call and gets it from memory
 * where it was asked for before. Memory is bounded, follows the changes of all processes, and keeps what is used for an
 * hour, so that calls go on while the database is away.
 */
import type { Logger } from "#lib/logger";
import { Lru } from "#lib/lru";
import {
  connectionKey,
  findConnection,
  markReconnectNeeded,
  noteNeededScopes,
  openConnection,
} from "#records/connections";
import { findServerById, isSendableKey, keyHeader } from "#records/mcp-servers";
import { findUserById } from "#records/users";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { ConnectionRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { neededScopes } from "./challenge.ts";
import type { MachineGrant } from "./machine-grant.ts";

/** `grant` stays as long as the user has not connected anew. */
export interface ReadyCredential {
  readonly headers: readonly string[];
  readonly grant: string;
}

export type CredentialState = ReadyCredential | "not_connected" | "reconnect_needed";

/** The server as the caller of this sees it: another `upstream` object means that its settings may have changed. */
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
   * Gives a connection a fresh credential and stores it, or marks that only the user can help; once for all who ask at
   * the same time. Rejects when it could not find out. Absent: nothing can be renewed.
   */
  renew?(connection: ConnectionRow, reason: "expiring" | "refused"): Promise<unknown>;
  /** Told with each credential that is handed out from memory, so it must be quick. */
  used?(serverId: string, userId: string): void;
  /** D24: connects a machine user by its own client credentials. Absent: nobody connects by itself. */
  grant?(userId: string, serverId: string): Promise<MachineGrant>;
}

interface Loading {
  readonly upstream: Place | undefined;
  readonly state: Promise<CredentialState>;
  /** What it reads may be from before a change. */
  isOld: boolean;
}

interface Held {
  readonly state: CredentialState;
  readonly upstream: Place | undefined;
  /** By the wall clock: from when on it should be renewed, and from when on it cannot be used. */
  readonly renewAt: number;
  readonly endsAt: number;
  /** By the monotonic clock. */
  usedAt: number;
}

const KEPT_UNUSED_MS = 60 * 60 * 1000;
/** So long before its end, or for the last quarter of a short life. */
const RENEW_EARLY_MS = 60_000;
const RENEW_EARLY_SHARE = 1 / 4;
/** After a renewal that failed for reasons that may pass, while the credential is still good. */
const RENEW_AGAIN_MS = 10_000;
/** A machine user's own credentials that gave nothing, or a token that was not accepted, are tried again so much later. */
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

  /** A renewal that was refused again, and a key, can only be mended by the user. */
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
    if (connection?.state !== "connected") return this.of(server, userId);
    const record = await this.#recordOf(server);
    if (!record) return "not_connected";
    const present = this.#ready(record, connection);
    // Somebody has renewed it, or connected anew, since this call took it.
    if (present && !sameHeaders(present.headers, credential.headers)) {
      // Another call may have begun to read before that: what it finds is what was refused here.
      this.#drop(key);
      return this.of(server, userId);
    }
    if (!again && this.#canRenew(connection)) await this.#needs.renew?.(connection, "refused");
    else await this.#endConnection(connection, REFUSED);
    this.#drop(key);
    const now = await this.of(server, userId);
    return typeof now === "object" && sameHeaders(now.headers, credential.headers) ? "reconnect_needed" : now;
  }

  /** Never rejects: what could not be noted is asked for again by the next call. */
  async lacksScope(server: CalledServer, userId: string, challenge: string): Promise<void> {
    const scopes = neededScopes(challenge);
    if (scopes.length === 0) return;
    const noted = writeTransaction(this.#needs, GATEWAY, (tx) =>
      noteNeededScopes(tx, { user_id: userId, server_id: server.id }, scopes),
    )
      .catch((error: unknown) => this.#needs.logger.warn({ err: error }, "needed scopes could not be noted"))
      .finally(() => this.#underWay.delete(noted));
    this.#underWay.add(noted);
    await noted;
  }

  async grantOf(userId: string, serverId: string): Promise<string | undefined> {
    const connection = await findConnection(this.#needs.db, userId, serverId);
    return connection && grantOf(connection);
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
    // Whoever waits for it reads anew, and so does whoever asks from now on.
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

  /**
   * Undefined: the server is gone, or has moved away from where this caller is about to send (AZ-8). Read after the
   * connection, so that none of another place can come between.
   */
  async #recordOf({ id, upstream }: CalledServer): Promise<McpServerRow | undefined> {
    const record = await findServerById(this.#needs.db, id);
    return record?.upstream_url === upstream?.url ? record : undefined;
  }

  /** What was given last is not given anew at once: a server that accepts none of it would cost a token with each call. */
  async #grantTo(
    server: McpServerRow | undefined,
    userId: string,
    ended: ConnectionRow | undefined,
  ): Promise<MachineGrant> {
    if (server?.auth_type !== "proxy-oauth" || !this.#needs.grant) return "impossible";
    if (ended && this.#needs.clock.now() < ended.updated_at + GRANT_AGAIN_MS) return "refused";
    return this.#needs.grant(userId, server.id);
  }

  /** Renews what is about to end. What only may have failed to be renewed is used for as long as it lasts. */
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

  /** A token that lives about as long as this is early would otherwise be renewed with each call. */
  #renewEarlyMs(connection: ConnectionRow, endsAt: number): number {
    if (!this.#canRenew(connection)) return 0;
    // The row was last written when the token came, or later: the token lives at least this long.
    const livesMs = Math.max(0, endsAt - connection.updated_at);
    return Math.min(RENEW_EARLY_MS, livesMs * RENEW_EARLY_SHARE);
  }

  #canRenew(connection: ConnectionRow): boolean {
    const secret = openConnection(this.#needs.vault, connection);
    if (secret.kind !== "oauth" || !this.#needs.renew) return false;
    return secret.refreshToken !== undefined || secret.clientSource === "machine";
  }

  /** Undefined: what is stored cannot be sent. */
  #ready(server: McpServerRow, connection: ConnectionRow): ReadyCredential | undefined {
    const secret = openConnection(this.#needs.vault, connection);
    const value = secret.kind === "oauth" ? secret.accessToken : secret.key;
    if (!isSendableKey(value)) return undefined;
    const headers = keyHeader(secret.kind === "oauth" ? {} : server.auth_settings, value);
    return { headers, grant: grantOf(connection) };
  }

  async #endConnection(connection: ConnectionRow, error: string): Promise<void> {
    const { db, clock } = this.#needs;
    const user = await findUserById(db, connection.user_id);
    const server = await findServerById(db, connection.server_id);
    if (!user || !server) return;
    await writeTransaction(this.#needs, GATEWAY, (tx, trail) =>
      markReconnectNeeded(tx, trail, { ...connection, user, server }, { error, now: clock.now() }),
    );
  }
}

const REFUSED = "The server did not accept the credential any more";
const ENDED = "The credential has ended, and there is none to renew it with";

function kindFor({ auth_type }: McpServerRow): ConnectionRow["kind"] | undefined {
  if (auth_type === "none") return undefined;
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
