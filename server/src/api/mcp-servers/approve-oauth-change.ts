import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { deleteConnectionsOfServer } from "#records/connections";
import { saveDiscoveredOAuth } from "#records/mcp-servers";
import { lockReviewedChange, PinnedOAuth, presentAuthority, reviewedChangeBody } from "./oauth-settings.ts";

/** OA-4, AZ-8: people's tokens come from the old authorization server, so they connect again. */
export const approveOAuthChange = write({
  id: "approveOAuthChange",
  route: "POST /api/mcp-servers/{slug}/oauth-change/approve",
  tag: "MCP Servers",
  summary: "Approve changed OAuth settings of an MCP server",
  description:
    "People connect with the settings in `oauth_change` from now on. Connections of users to the server are deleted.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  body: reviewedChangeBody("ApproveOAuthChange"),
  answers: { 200: z.object({ data: PinnedOAuth }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to approve OAuth settings",
  async run({ tx, trail, path: { slug }, body }) {
    const { server, change } = await lockReviewedChange(tx, slug, body.digest);
    await saveDiscoveredOAuth(tx, server.id, change.found);
    const voided = await deleteConnectionsOfServer(tx, trail, server.id);
    trail.audit({
      operation: "approveOAuthChange",
      target: { kind: "mcp-server", id: server.id, name: server.slug },
      ...(server.discovered_oauth ? { before: server.discovered_oauth } : {}),
      after: { ...change.found, ...(voided > 0 ? { connections_voided: voided } : {}) },
    });
    return { status: 200, body: { data: presentAuthority(change.found) } };
  },
});
