import type { FastifyInstance, FastifyReply } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { readForms } from "#api/pages/forms";
import { sendFaultPage } from "#api/pages/page";
import { clientDocument, sharedClientDocument } from "#connect/connect";
import { findServerById } from "#records/mcp-servers";
import { showServer, startSignIn, takeForm } from "./connect-server.ts";
import { comeBack, openLink } from "./upstream-sign-in.ts";

const ROUTES = {
  "GET /oauth/callback": comeBack,
  "GET /oauth/callback/:server": comeBack,
  "GET /connect/link/:token": openLink,
  "GET /connect/:slug": showServer,
  "POST /connect/:slug": takeForm,
  "GET /connect/:slug/start": startSignIn,
} as const;

/** The pages where users connect to servers, and the client metadata documents for authorization servers. */
export function mountConnect(server: FastifyInstance, context: ApiContext): void {
  server.get("/oauth/client-metadata.json", (_request, reply) => sendDocument(reply, sharedClientDocument(context)));
  server.get<{ Params: { name: string } }>("/oauth/clients/:name", async (request, reply) => {
    const [, id = ""] = /^(srv_\w{1,64})\.json$/.exec(request.params.name) ?? [];
    const row = id === "" ? undefined : await findServerById(context.databases.main, id);
    if (row?.auth_type !== "proxy-oauth") return reply.callNotFound();
    return sendDocument(reply, clientDocument(context, row));
  });
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendFaultPage(context, request, reply, error));
    readForms(pages);
    for (const [route, handler] of Object.entries(ROUTES)) {
      const [method = "", url = ""] = route.split(" ");
      pages.route({ method, url, handler: (request, reply) => handler(context, request, reply) });
    }
  });
}

function sendDocument(reply: FastifyReply, document: object): FastifyReply {
  return reply.type("application/json").header("cache-control", "public, max-age=300").send(JSON.stringify(document));
}
