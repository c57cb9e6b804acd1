import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { McpServerRow } from "#storage/server-tables";
import type { PublishContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { OAuthEgress } from "./oauth-request.ts";

/** Whether a server accepted a credential. */
export type Trial = AcceptedTrial | FailedTrial;

export interface AcceptedTrial {
  readonly verdict: "accepted";
  readonly toolsCount: number;
}

export interface FailedTrial {
  /** `unknown`: the server did not respond to the credential. */
  readonly verdict: "refused" | "unknown";
  readonly cause: "rejected" | "unreachable" | "timeout" | "not_allowed" | "invalid_response";
  /** The HTTP status, if the credential was rejected. */
  readonly status?: number | undefined;
  /** Continues a sentence that starts with the server, such as `The server …`. */
  readonly reason: string;
}

/** For whoever entered the key. */
export function rejectedKey(serverName: string, status: number | undefined): string {
  return `${serverName} rejected this API key (${status}). Check that the key is active, then save it again.`;
}

/** Dependencies of this folder. */
export interface ConnectNeeds extends PublishContext {
  readonly egress: OAuthEgress;
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

/** Spec 4.6: `{callback_url}` of clients that admins register manually. */
export function callbackUrl({ baseUrl }: Pick<ConnectNeeds, "baseUrl">): string {
  return `${baseUrl}/oauth/callback`;
}

/**
 * RFC 9700 4.4: each server has its own redirect URL, so that the client of one server cannot be used to get a code for
 * another.
 */
export function serverCallbackUrl(needs: Pick<ConnectNeeds, "baseUrl">, { id }: Pick<McpServerRow, "id">): string {
  return `${callbackUrl(needs)}/${id}`;
}

const MAX_SERVER_NAME_LENGTH = 80;

/** The client name that authorization servers show to people. It contains the server that gets the token. */
export function clientName(needs: Pick<ConnectNeeds, "orgName">, { name }: Pick<McpServerRow, "name">): string {
  return `${installationName(needs)}: ${name.slice(0, MAX_SERVER_NAME_LENGTH)}`;
}

export function installationName({ orgName }: Pick<ConnectNeeds, "orgName">): string {
  return orgName === "Gatehouse" ? "Gatehouse" : `Gatehouse (${orgName})`;
}
