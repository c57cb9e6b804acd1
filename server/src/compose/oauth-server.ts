import type { FastifyInstance } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { errorPageOf, mountOAuth } from "#api/oauth/mount-oauth";
import { createEgress, parseAllowList } from "#egress/egress";
import { DocumentReachability } from "#identity/oauth-server/document-reachability";
import { OAuthServer } from "#identity/oauth-server/server";
import type { Databases } from "#storage/database";
import type { World } from "./app-shape.ts";

/**
 * Client ID metadata documents are fetched by a separate egress client without EGRESS_ALLOW: unauthenticated clients
 * choose their URLs (OA-6).
 */
export function createClientDocuments(
  { config, clock, logger }: Pick<World, "config" | "clock" | "logger">,
  databases: Pick<Databases, "main">,
  refused: () => void,
): { readonly documents: DocumentReachability; close(): void } {
  const egress = createEgress({ allow: parseAllowList(""), clock, refused });
  const registryUrl = config.registrySync === "on" ? config.registryUrl : undefined;
  const documents = new DocumentReachability({ db: databases.main, clock, logger, fetch: egress.fetch, registryUrl });
  return { documents, close: () => egress.close() };
}

export function mountOAuthServer(server: FastifyInstance, context: ApiContext): void {
  mountOAuth(server, { ...context, oauthServer: new OAuthServer(context, errorPageOf(context)) });
}
