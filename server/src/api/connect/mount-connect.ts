import type { FastifyInstance } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { readForms } from "#api/pages/forms";
import { sendFaultPage } from "#api/pages/page";
import { clientDocument } from "#connect/connect";
import { showServer, startSignIn, takeForm } from "./connect-server.ts";
import { comeBack, openLink } from "./upstream-sign-in.ts";

const ROUTES = {
  "GET /oauth/callback": comeBack,
  "GET /connect/link/:token": openLink,
  "GET /connect/:slug": showServer,
  "POST /connect/:slug": takeForm,
  "GET /connect/:slug/start": startSignIn,
} as const;

/** The pages where users connect to servers, and the client metadata document for authorization servers. */
export function mountConnect(server: FastifyInstance, context: ApiContext): void {
  const document = JSON.stringify(clientDocument(context));
  server.get("/oauth/client-metadata.json", (_request, reply) =>
    reply.type("application/json").header("cache-control", "public, max-age=300").send(document),
  );
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendFaultPage(context, request, reply, error));
    readForms(pages);
    for (const [route, handler] of Object.entries(ROUTES)) {
      const [method = "", url = ""] = route.split(" ");
      pages.route({ method, url, handler: (request, reply) => handler(context, request, reply) });
    }
  });
}
