/**
 * Ends what is open at upstreams under a user's connection when the user disconnects or connects again. Every process
 * receives every change of a connection, so this happens on every replica. A renewed token does not end the grant.
 */
import type { Logger } from "#lib/logger";
import type { UpstreamCredentials } from "../../ports.ts";
import { UpstreamFault } from "../failure.ts";
import type { GrantedListeners } from "../listen/granted-listeners.ts";
import type { SessionOpener } from "../sessions/session-opener.ts";
import type { UpstreamSessions } from "../sessions/upstream-sessions.ts";
import type { UpstreamCall } from "./call.ts";
import type { GrantEnd, OpenUnderGrant } from "./under-grant.ts";

export interface EndedGrantsDependencies {
  readonly credentials: Pick<UpstreamCredentials, "grantOf">;
  readonly logger: Logger;
  readonly calls: Iterable<Pick<UpstreamCall, "userId" | "serverId" | "credential" | "doneAt" | "stop">>;
  readonly listeners: Pick<GrantedListeners, "open">;
  readonly sessions: Pick<UpstreamSessions, "underGrants">;
  readonly opener: Pick<SessionOpener, "underGrants">;
}

export class EndedGrants {
  readonly #dependencies: EndedGrantsDependencies;
  readonly #checks = new Set<Promise<void>>();

  constructor(dependencies: EndedGrantsDependencies) {
    this.#dependencies = dependencies;
  }

  /** `keys` as in the change rows of connections; undefined if any connection may have changed. */
  changed(keys: Iterable<string> | undefined): void {
    const wanted = keys && new Set(keys);
    if (wanted?.size === 0) return;
    const affected = new Map<string, OpenUnderGrant>();
    for (const each of this.#open()) if (!wanted || wanted.has(keyOf(each))) affected.set(keyOf(each), each);
    const { logger } = this.#dependencies;
    for (const { userId, serverId } of affected.values()) {
      const check = this.#check(userId, serverId)
        // Without the database the grant is unknown; what is open ends by its idle timeout.
        .catch((error: unknown) => logger.warn({ err: error }, "a changed connection could not be read"))
        .finally(() => this.#checks.delete(check));
      this.#checks.add(check);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#checks);
  }

  /** Calls come first, so that none of them keeps its session open. */
  *#open(): Generator<OpenUnderGrant> {
    const { calls, listeners, sessions, opener } = this.#dependencies;
    for (const call of calls) {
      const { userId, serverId, credential } = call;
      if (!credential || call.doneAt !== undefined) continue;
      const end = (how: GrantEnd) => how === "gone" && call.stop(DISCONNECTED);
      yield { userId, serverId, grant: credential.grant, end };
    }
    yield* listeners.open;
    yield* sessions.underGrants();
    yield* opener.underGrants();
  }

  async #check(userId: string, serverId: string): Promise<void> {
    const grant = await this.#dependencies.credentials.grantOf(userId, serverId);
    // Read again, to include what was opened under the old grant meanwhile.
    for (const each of this.#open()) {
      if (each.userId !== userId || each.serverId !== serverId || each.grant === grant) continue;
      each.end(grant === undefined ? "gone" : "replaced");
    }
  }
}

const DISCONNECTED = new UpstreamFault("cancelled", "did not respond: you were disconnected from it");

function keyOf({ userId, serverId }: OpenUnderGrant): string {
  return `${userId} ${serverId}`;
}
