import { z } from "zod";
import { isoTime, timestamp } from "#api/http/answers";
import { requiredText } from "#api/http/body-fields";
import { targetParameter } from "#api/http/parameters";
import { connectsByItself } from "#connect/connect";
import { isSendableKey } from "#records/mcp-servers";
import type { ConnectionRow, McpServerRow, UserRow } from "#storage/tables";
import type { Vault } from "#storage/vault";

export const ENDS = {
  email: targetParameter("The user's e-mail, in any case; also a machine user's", "ada@example.com"),
  mcp: targetParameter("The server's slug", "github"),
};

const status = z
  .enum(["connected", "not_connected", "reconnect_needed", "not_required"])
  .describe("How the user stands with the server; `not_required`: it asks for nothing");

export const Connected = z
  .object({
    connected: z.boolean().describe("Whether the user can call the server's tools as things are"),
    status,
  })
  .meta({ id: "Connected", description: "Whether a user is connected to a server" });

export const UserMcpServer = z
  .object({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    name: z.string().meta({ description: "What people call it", example: "GitHub" }),
    description: z.string().meta({ description: "What it is for; may be empty", example: "Issues and pull requests" }),
    logo_url: z.string().meta({
      description: "A logo, served by us",
      format: "uri",
      example: "https://gatehouse.example.com/logos/letters/g.svg",
    }),
    auth_type: z
      .enum(["none", "proxy-oauth", "proxy-api-key"])
      .describe("What the server asks of each user: nothing, an OAuth sign-in, or a key of their own"),
    tools_count: z.int().meta({ description: "How many of its tools are enabled", example: 24 }),
    connection: z
      .object({
        status,
        connected_at: timestamp(
          "When the user connected; null: not connected, or by client credentials that are still unused",
        ).nullable(),
        expires_at: timestamp("When the credential ends unless it is renewed; null: not known").nullable(),
      })
      .describe("How the user stands with the server"),
  })
  .meta({ id: "UserMcpServer", description: "A server that a user reaches, and how they stand with it" });

export const SetUserApiKeyBody = z
  .object({
    key: requiredText("key", 8192)
      .refine(isSendableKey, { error: "must be visible ASCII characters, without a space at either end" })
      .meta({ description: "The user's own key for the server; it is sealed and never shown again", writeOnly: true }),
  })
  .meta({ id: "SetUserApiKey", description: "A user's key for a server", example: { key: "sk-5f1d7c02" } });

type Standing = Pick<ConnectionRow, "state" | "connected_at" | "expires_at">;

/** The two ends as the records have them, and what stands between them. */
export interface Between {
  readonly user: UserRow;
  readonly server: McpServerRow;
  readonly connection: Standing | undefined;
}

/** D24: a machine user whose own credentials are for the server is connected by its first call, and so from the start. */
function statusOf({ user, server, connection }: Between, vault: Vault): z.input<typeof status> {
  if (server.auth_type === "none") return "not_required";
  return connection?.state ?? (connectsByItself(vault, user, server) ? "connected" : "not_connected");
}

export function presentConnected(between: Between, vault: Vault): z.input<typeof Connected> {
  const standing = statusOf(between, vault);
  return { connected: standing === "connected" || standing === "not_required", status: standing };
}

export function presentConnection(between: Between, vault: Vault) {
  const { connected_at, expires_at = null } = between.connection ?? {};
  return {
    status: statusOf(between, vault),
    connected_at: connected_at === undefined ? null : isoTime(connected_at),
    expires_at: expires_at === null ? null : isoTime(expires_at),
  };
}
