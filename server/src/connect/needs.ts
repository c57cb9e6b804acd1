import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { Outside } from "./ask.ts";

/** Whether a server took what it was shown; `unknown`: it could not be asked. */
export interface Trial {
  readonly verdict: "accepted" | "refused" | "unknown";
  /** Why, unless it was accepted; continues the sentence `the server …`. */
  readonly words: string;
}

/** What this room needs of the others. */
export interface ConnectNeeds extends WriteContext {
  readonly egress: Outside;
  readonly vault: Vault;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Our public address. */
  readonly baseUrl: string;
  readonly orgName: string;
  /** Resolves once the gateway of this process obeys the revision. */
  waitUntilPublished(revision: number): Promise<void>;
  /** Somebody has just connected: the server's tools can be read as they see them. */
  connected(serverId: string, userId: string): void;
  /** Whether a server takes these headers: names and values in turn. */
  tryHeaders(server: McpServerRow, headers: readonly string[]): Promise<Trial>;
}

/** Spec 4.6: `{callback_url}`. */
export function callbackUrl({ baseUrl }: Pick<ConnectNeeds, "baseUrl">): string {
  return `${baseUrl}/oauth/callback`;
}

/** How authorization servers show us to people. */
export function clientName({ orgName }: Pick<ConnectNeeds, "orgName">): string {
  return orgName === "Gatehouse" ? "Gatehouse" : `Gatehouse (${orgName})`;
}
