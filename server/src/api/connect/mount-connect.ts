import type { FastifyInstance } from "fastify";
import { sendFaultPage } from "#api/http/page";
import type { ApiWorld } from "#api/http/world";
import { clientDocument } from "#connect/connect";
import { showServer, startSignIn, takeKey } from "./connect-server.ts";
import { comeBack, openLink } from "./sign-in-elsewhere.ts";

const FORM_LIMIT_BYTES = 16 * 1024;
const ROUTES = {
  "GET /oauth/callback": comeBack,
  "GET /connect/link/:token": openLink,
  "GET /connect/:slug": showServer,
  "POST /connect/:slug": takeKey,
  "GET /connect/:slug/start": startSignIn,
} as const;

/** The pages by which users connect to servers, and the document by which authorization servers know us. */
export function mountConnect(server: FastifyInstance, world: ApiWorld): void {
  const document = JSON.stringify(clientDocument(world));
  server.get("/oauth/client-metadata.json", (_request, reply) =>
    reply.type("application/json").header("cache-control", "public, max-age=300").send(document),
  );
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendFaultPage(world, request, reply, error));
    pages.removeAllContentTypeParsers();
    const form = { parseAs: "string", bodyLimit: FORM_LIMIT_BYTES } as const;
    pages.addContentTypeParser("application/x-www-form-urlencoded", form, (_request, body, done) => {
      done(null, new URLSearchParams(String(body)));
    });
    for (const [route, handler] of Object.entries(ROUTES)) {
      const [method = "", url = ""] = route.split(" ");
      pages.route({ method, url, handler: (request, reply) => handler(world, request, reply) });
    }
  });
}
