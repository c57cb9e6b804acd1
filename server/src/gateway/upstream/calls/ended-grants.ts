/**
 * What is open at upstreams under a user's connection ends with that connection: when the user disconnects, or connects
 * anew. Every process hears of every change of a connection, so it is so on every replica. A renewal is no end: the
 * grant stays.
 */
import type { Logger } from "#lib/logger";
import type { UpstreamCredentials } from "../../ports.ts";
import { UpstreamFault } from "../failure.ts";
import type { GrantedListeners } from "../listen/granted-listeners.ts";
import type { UpstreamSessions } from "../sessions/upstream-sessions.ts";
import type { UpstreamCall } from "./call.ts";
import type { GrantEnd, OpenUnderGrant } from "./under-grant.ts";

export interface EndedGrantsNeeds {
  readonly credentials: Pick<UpstreamCredentials, "grantOf">;
  readonly logger: Logger;
  readonly calls: Iterable<Pick<UpstreamCall, "userId" | "serverId" | "credential" | "doneAt" | "stop">>;
  readonly listeners: Pick<GrantedListeners, "open">;
  readonly routes: Pick<UpstreamSessions, "underGrants">;
}

export class EndedGrants {
  readonly #needs: EndedGrantsNeeds;
  readonly #looking = new Set<Promise<void>>();

  constructor(needs: EndedGrantsNeeds) {
    this.#needs = needs;
  }

  /** Keys as changes name connections; undefined: any may have changed. */
  changed(keys: Iterable<string> | undefined): void {
    const wanted = keys && new Set(keys);
    if (wanted?.size === 0) return;
    const affected = new Map<string, OpenUnderGrant>();
    for (const each of this.#open()) if (!wanted || wanted.has(keyOf(each))) affected.set(keyOf(each), each);
    for (const { userId, serverId } of affected.values()) {
      const look = this.#look(userId, serverId)
        // Without the database nobody knows: what is open ends when it was unused for long enough.
        .catch((error: unknown) => this.#needs.logger.warn({ err: error }, "a changed connection could not be read"))
        .finally(() => this.#looking.delete(look));
      this.#looking.add(look);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#looking);
  }

  /** All there is now. Calls first, so that none of them holds its session. */
  *#open(): Generator<OpenUnderGrant> {
    const { calls, listeners, routes } = this.#needs;
    for (const call of calls) {
      const { userId, serverId, credential } = call;
      if (!credential || call.doneAt !== undefined) continue;
      const end = (how: GrantEnd) => how === "gone" && call.stop(DISCONNECTED);
      yield { userId, serverId, grant: credential.grant, end };
    }
    yield* listeners.open;
    yield* routes.underGrants();
  }

  async #look(userId: string, serverId: string): Promise<void> {
    const grant = await this.#needs.credentials.grantOf(userId, serverId);
    // Read once more: what was opened meanwhile under the old one ends too.
    for (const each of this.#open()) {
      if (each.userId !== userId || each.serverId !== serverId || each.grant === grant) continue;
      each.end(grant === undefined ? "gone" : "replaced");
    }
  }
}

const DISCONNECTED = new UpstreamFault("cancelled", "was not waited for: you were disconnected from it");

function keyOf({ userId, serverId }: OpenUnderGrant): string {
  return `${userId} ${serverId}`;
}
