import type { FastifyInstance } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { errorPageOf, mountOAuth } from "#api/oauth/mount-oauth";
import { createEgress, parseAllowList } from "#egress/egress";
import { OAuthServer } from "#identity/oauth-server/server";

/**
 * The OAuth server has a separate egress client without EGRESS_ALLOW: unauthenticated clients choose the URLs of the
 * documents that it reads (OA-6).
 */
export function mountOAuthServer(server: FastifyInstance, context: ApiContext, refused: () => void): void {
  const egress = createEgress({ allow: parseAllowList(""), clock: context.clock, refused });
  server.addHook("onClose", async () => egress.close());
  const oauthServer = new OAuthServer({ ...context, fetch: egress.fetch }, errorPageOf(context));
  mountOAuth(server, { ...context, oauthServer });
}
