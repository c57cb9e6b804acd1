import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { notFound, Refusal } from "#lib/errors";
import { lockServer, oauthChangeDigest } from "#records/mcp-servers";
import type { MainTransaction } from "#storage/database";
import type { DiscoveredOAuth, OAuthChange } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";

/** Where tokens come from, and what they are for. */
const authority = {
  issuer: z.string().meta({ description: "The authorization server", example: "https://auth.example.com" }),
  resource: z.string().meta({
    description: "Resource indicator of token requests (RFC 8707)",
    example: "https://mcp.example.com/mcp",
  }),
  authUrl: z.string().meta({ description: "Authorization endpoint", example: "https://auth.example.com/authorize" }),
  tokenUrl: z.string().meta({ description: "Token endpoint", example: "https://auth.example.com/token" }),
};

export const PinnedOAuth = z
  .object(authority)
  .meta({ id: "PinnedOAuth", description: "The OAuth settings that people connect with" });

export const OAuthChangeAnswer = z
  .object({
    ...authority,
    digest: z.string().describe("Digest of these settings, required to approve them or to keep the current ones"),
    found_at: timestamp("When the server named them first"),
    kept: z.boolean().describe("Whether an admin decided to keep the current settings"),
  })
  .meta({ id: "OAuthChange", description: "OAuth settings that the server names instead of the current ones" });

/** The body of both decisions: the digest ensures that only the reviewed settings are decided about. */
export function reviewedChangeBody(id: "ApproveOAuthChange" | "KeepOAuthSettings") {
  return z
    .object({ digest: z.string({ error: "must be a string" }).max(64).describe("Digest of the reviewed settings") })
    .meta({
      id,
      description: "The reviewed settings",
      example: { digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
    });
}

export function presentPinned(pinned: DiscoveredOAuth | null | undefined): z.input<typeof PinnedOAuth> | null {
  return pinned ? presentAuthority(pinned) : null;
}

export function presentChange(change: OAuthChange | null | undefined): z.input<typeof OAuthChangeAnswer> | null {
  if (!change) return null;
  return {
    ...presentAuthority(change.found),
    digest: oauthChangeDigest(change),
    found_at: isoTime(change.foundAt),
    kept: change.isKept ?? false,
  };
}

export function presentAuthority({ issuer, resource, authorizationEndpoint, tokenEndpoint }: DiscoveredOAuth) {
  return { issuer, resource, authUrl: authorizationEndpoint, tokenUrl: tokenEndpoint };
}

/** Throws unless this is the change that the admin reviewed. */
export async function lockReviewedChange(
  tx: MainTransaction,
  slug: string,
  digest: string,
): Promise<{ server: McpServerRow; change: OAuthChange }> {
  const server = await lockServer(tx, slug);
  if (!server) throw notFound.mcpServer();
  const { oauth_change: change } = server;
  if (!change) throw new Refusal("conflict", "oauth_change: the server names no other OAuth settings");
  if (oauthChangeDigest(change) !== digest) {
    throw new Refusal("conflict", "oauth_change: the server has changed its settings again. Review the new settings");
  }
  return { server, change };
}
