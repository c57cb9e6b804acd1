/** A user's connection to a server, as returned to users and to applications that embed Gatehouse. */
import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { requiredText } from "#api/kit/body-fields";
import { connectsAutomatically, type Connected as Ends } from "#connect/connect";
import { invalid, notFound } from "#lib/errors";
import { isSendableKey } from "#records/mcp-servers";
import type { WriteAuthor } from "#storage/transaction";
import type { ConnectionRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";

const status = z
  .enum(["connected", "not_connected", "reconnect_needed", "not_required"])
  .describe("Status of the connection; `not_required` if the user has nothing to connect");

export const Connected = z
  .object({
    connected: z.boolean().describe("Whether the user can call the server's tools now"),
    status,
  })
  .meta({ id: "Connected", description: "Whether a user is connected to a server" });

/** Returned after checking with the server whether it accepts the user's credential. */
export const TriedConnection = Connected.extend({
  verified: z.boolean().describe("Whether the server accepted the user's credential"),
  message: z.string().optional().describe("Why the credential was rejected or could not be verified"),
}).meta({ id: "TriedConnection", description: "A user's connection to a server, verified just now" });

export const UserConnection = z
  .object({
    status,
    connected_at: timestamp(
      "When the user connected; null if not connected, or if client credentials have not been used yet",
    ).nullable(),
    expires_at: timestamp("When the credential expires unless it is renewed; null if unknown").nullable(),
    last_error: z.string().nullable().describe("Why the user must reconnect, if known"),
  })
  .describe("Status of the connection");

export const ApiKeyBody = z
  .object({
    key: requiredText("key", 8192)
      .refine(isSendableKey, { error: "must be visible ASCII characters, without leading or trailing spaces" })
      .meta({
        description: "The user's API key for the server; it is stored encrypted and never shown again",
        writeOnly: true,
      }),
  })
  .meta({ id: "SetUserApiKey", description: "A user's API key for a server", example: { key: "sk-5f1d7c02" } });

/** The user and the server from the records, and the connection between them. */
interface Between extends Ends {
  readonly connection: Pick<ConnectionRow, "state" | "connected_at" | "expires_at" | "last_error"> | undefined;
}

/**
 * D24: a machine user with client credentials for the server is connected by its first call, so it counts as connected.
 */
function statusOf({ user, server, connection }: Between, vault: Vault): z.input<typeof status> {
  // Exchanged tokens arrive without an action of the user at Gatehouse.
  if (server.auth_type === "none" || server.auth_type === "exchanged-token") return "not_required";
  return connection?.state ?? (connectsAutomatically(vault, user, server) ? "connected" : "not_connected");
}

export function presentConnected(between: Between, vault: Vault): z.input<typeof Connected> {
  const connectionStatus = statusOf(between, vault);
  return {
    connected: connectionStatus === "connected" || connectionStatus === "not_required",
    status: connectionStatus,
  };
}

export function presentConnection(between: Between, vault: Vault): z.input<typeof UserConnection> {
  const { connected_at, expires_at = null, last_error = null } = between.connection ?? {};
  return {
    status: statusOf(between, vault),
    connected_at: connected_at === undefined ? null : isoTime(connected_at),
    expires_at: expires_at === null ? null : isoTime(expires_at),
    last_error,
  };
}

/** D23: verifies and stores a user's API key. */
export async function saveApiKey(
  { connect }: Pick<ApiContext, "connect">,
  given: Ends & { readonly key: string; readonly operation: string },
  author: WriteAuthor,
): Promise<z.input<typeof TriedConnection>> {
  if (given.server.auth_type !== "proxy-api-key") throw invalid("mcp", "the server does not use API keys");
  const kept = await connect.keepKey(given, author);
  switch (kept.outcome) {
    case "kept": {
      const why = kept.verified
        ? {}
        : { message: `The key was saved but could not be verified: the server ${kept.reason}` };
      return { connected: true, status: "connected", verified: kept.verified, ...why };
    }
    case "refused":
      throw invalid("key", kept.message);
    case "unsendable":
      throw invalid("key", "must be visible ASCII characters, without leading or trailing spaces");
    case "server-changed":
      throw notFound.mcpServer();
  }
}
