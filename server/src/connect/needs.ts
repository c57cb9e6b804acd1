import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { McpServerRow } from "#storage/server-tables";
import type { PublishContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { Outside } from "./ask.ts";

/** Whether a server accepted a credential. `unknown`: the server could not be reached. */
export interface Trial {
  readonly verdict: "accepted" | "refused" | "unknown";
  /** The reason, unless accepted. Continues the sentence `the server …`. */
  readonly words: string;
}

/** Dependencies of this folder. */
export interface ConnectNeeds extends PublishContext {
  readonly egress: Outside;
  readonly vault: Vault;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** The public URL of this installation. */
  readonly baseUrl: string;
  readonly orgName: string;
  /** Called after a user connects, so that the server's tools can be synced with their credential. */
  connected(serverId: string, userId: string): void;
  /** Whether a server accepts these headers, given as alternating names and values. */
  tryHeaders(server: McpServerRow, headers: readonly string[]): Promise<Trial>;
}

/** Spec 4.6: `{callback_url}`. */
export function callbackUrl({ baseUrl }: Pick<ConnectNeeds, "baseUrl">): string {
  return `${baseUrl}/oauth/callback`;
}

/** The client name that authorization servers show to people. */
export function clientName({ orgName }: Pick<ConnectNeeds, "orgName">): string {
  return orgName === "Gatehouse" ? "Gatehouse" : `Gatehouse (${orgName})`;
}
