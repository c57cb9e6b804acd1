import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { needsHttps } from "#api/kit/web-session";
import { readForms } from "#api/pages/forms";
import { mountPageFiles, sendFaultPage, sendNeedsHttps } from "#api/pages/page";
import { accountRoutes } from "./account.ts";
import { invitationRoutes } from "./invitation.ts";
import type { PageHandler } from "./page-routes.ts";
import { setupRoutes } from "./setup.ts";
import { signInRoutes } from "./sign-in.ts";
import { ssoRoutes } from "./sso.ts";

const WORDS = {
  titles: { 403: "Please try again", 413: "Something went wrong", 415: "Something went wrong" },
  sentences: {
    403: "This form is no longer good. Open the page again and repeat what you did.",
    413: "That was too much for this form.",
    415: "Only forms are read here.",
  },
};

/** The pages by which people come in; open to all, like every page that leads to signing in. */
export function mountSignIn(server: FastifyInstance, context: ApiContext): void {
  mountPageFiles(server);
  server.register(async (pages) => {
    readForms(pages);
    pages.setErrorHandler((error, request, reply) => sendFaultPage(context, request, reply, error, WORDS));
    const routes = [signInRoutes, ssoRoutes, setupRoutes, invitationRoutes, accountRoutes].map((make) => make(context));
    for (const [route, handler] of routes.flatMap((each) => Object.entries(each))) {
      const [method = "", url = ""] = route.split(" ");
      pages.route({ method, url, handler: (request, reply) => overHttps(context, handler, request, reply) });
    }
  });
}

/** Design of the run contract: a password never crosses a network in the clear. */
function overHttps(context: ApiContext, handler: PageHandler, request: FastifyRequest, reply: FastifyReply) {
  return needsHttps(context, request) ? sendNeedsHttps(context, reply) : handler(request, reply);
}
