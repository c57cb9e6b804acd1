import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { saveOAuthChange } from "#records/mcp-servers";
import {
  lockReviewedChange,
  PinnedOAuth,
  presentAuthority,
  presentPinned,
  reviewedChangeBody,
} from "./oauth-settings.ts";

/** OA-4. */
export const keepOAuthSettings = write({
  id: "keepOAuthSettings",
  route: "POST /api/mcp-servers/{slug}/oauth-change/keep",
  tag: "MCP Servers",
  summary: "Keep the current OAuth settings of an MCP server",
  description:
    "People continue to connect with the current settings. The server is flagged again if it names different ones than those in `oauth_change`.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  body: reviewedChangeBody("KeepOAuthSettings"),
  answers: {
    200: z.object({ data: PinnedOAuth.nullable().describe("The current settings; null if there are none yet") }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to keep OAuth settings",
  async run({ tx, trail, path: { slug }, body }) {
    const { server, change } = await lockReviewedChange(tx, slug, body.digest);
    await saveOAuthChange(tx, server.id, { ...change, isKept: true });
    trail.audit({
      operation: "keepOAuthSettings",
      target: { kind: "mcp-server", id: server.id, name: server.slug },
      after: { kept: presentPinned(server.discovered_oauth), declined: presentAuthority(change.found) },
    });
    return { status: 200, body: { data: presentPinned(server.discovered_oauth) } };
  },
});
