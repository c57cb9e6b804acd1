import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { mountPageFiles, sendErrorPage } from "#api/http/page";
import { renderError } from "#api/http/render-error";
import { needsHttps } from "#api/http/web-session";
import type { ApiWorld } from "#api/http/world";
import { accountRoutes } from "./account.ts";
import { invitationRoutes } from "./invitation.ts";
import type { PageHandler } from "./page-routes.ts";
import { setupRoutes } from "./setup.ts";
import { signInRoutes } from "./sign-in.ts";
import { ssoRoutes } from "./sso.ts";

const FORM_LIMIT_BYTES = 16 * 1024;
const TITLES: Readonly<Record<number, string>> = { 400: "That did not work", 403: "Please try again" };
/** Where the API's own words would mean nothing to the reader of a page. */
const SENTENCES: Readonly<Record<number, string>> = {
  403: "This form is no longer good. Open the page again and repeat what you did.",
  413: "That was too much for this form.",
  415: "Only forms are read here.",
};

/** The pages by which people come in; open to all, like every page that leads to signing in. */
export function mountSignIn(server: FastifyInstance, world: ApiWorld): void {
  mountPageFiles(server);
  // A scope of its own: forms are read here and nowhere else.
  server.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    const form = { parseAs: "string", bodyLimit: FORM_LIMIT_BYTES } as const;
    pages.addContentTypeParser("application/x-www-form-urlencoded", form, (_request, body, done) => {
      done(null, new URLSearchParams(String(body)));
    });
    pages.setErrorHandler((error, request, reply) => sendFault(world, error, request, reply));
    const routes = [signInRoutes, ssoRoutes, setupRoutes, invitationRoutes, accountRoutes].map((make) => make(world));
    for (const [route, handler] of routes.flatMap((each) => Object.entries(each))) {
      const [method = "", url = ""] = route.split(" ");
      pages.route({ method, url, handler: (request, reply) => overHttps(world, handler, request, reply) });
    }
  });
}

/** Design of the run contract: a password never crosses a network in the clear. */
function overHttps(world: ApiWorld, handler: PageHandler, request: FastifyRequest, reply: FastifyReply) {
  if (!needsHttps(world, request)) return handler(request, reply);
  const sentence =
    "Signing in needs https: passwords and sessions would cross the network in the clear. Put a proxy with a certificate in front of Gatehouse and set BASE_URL to its https address, or open it on the machine itself.";
  return sendErrorPage(world, reply, 400, "https is needed", sentence);
}

function sendFault(world: ApiWorld, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, headers, isCrash } = renderError(error, "Something went wrong here. Please try again.");
  if (isCrash) world.logger.error({ err: error, requestId: request.id }, "A page could not be made");
  const message = "message" in body ? body.message : body.error;
  const sentence = SENTENCES[status] ?? message;
  return sendErrorPage(world, reply.headers(headers), status, TITLES[status] ?? "Something went wrong", sentence);
}
