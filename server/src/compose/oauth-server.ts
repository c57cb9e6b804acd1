import type { FastifyInstance } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { errorPageOf, mountOAuth } from "#api/oauth/mount-oauth";
import { createEgress, parseAllowList } from "#egress/egress";
import { OAuthServer } from "#identity/oauth-server/server";

/**
 * The OAuth server with an egress client of its own: strangers name the documents that it reads, and where the operator
 * lets MCP servers be reached (EGRESS_ALLOW) is nothing to them (OA-6).
 */
export function mountOAuthServer(server: FastifyInstance, world: ApiContext, refused: () => void): void {
  const egress = createEgress({ allow: parseAllowList(""), clock: world.clock, refused });
  server.addHook("onClose", async () => egress.close());
  const oauthServer = new OAuthServer({ ...world, fetch: egress.fetch }, errorPageOf(world));
  mountOAuth(server, { ...world, oauthServer });
}
