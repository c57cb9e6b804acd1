import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { needsHttps } from "#api/kit/web-session";
import { readForms } from "#api/pages/forms";
import { mountPageFiles, sendFaultPage, sendNeedsHttps } from "#api/pages/page";
import { invitationRoutes } from "./invitation.ts";
import type { PageHandler } from "./page-routes.ts";
import { setupRoutes } from "./setup.ts";
import { signInRoutes } from "./sign-in.ts";
import { signOutRoutes } from "./sign-out.ts";
import { ssoRoutes } from "./sso.ts";

const ERROR_TEXTS = {
  titles: { 403: "Try again", 413: "Something went wrong", 415: "Something went wrong" },
  sentences: {
    403: "This form has expired. Reload the page and submit the form again.",
    413: "The form data is too large.",
    415: "This page accepts only form submissions.",
  },
};

/** Serves the sign-in pages, which require no authentication. */
export function mountSignIn(server: FastifyInstance, context: ApiContext): void {
  mountPageFiles(server);
  server.register(async (pages) => {
    readForms(pages);
    pages.setErrorHandler((error, request, reply) => sendFaultPage(context, request, reply, error, ERROR_TEXTS));
    const routes = [signInRoutes, ssoRoutes, setupRoutes, invitationRoutes, signOutRoutes].map((make) => make(context));
    for (const [route, handler] of routes.flatMap((each) => Object.entries(each))) {
      const [method = "", url = ""] = route.split(" ");
      pages.route({ method, url, handler: (request, reply) => overHttps(context, handler, request, reply) });
    }
  });
}

/** Passwords must not cross a network unencrypted. */
function overHttps(context: ApiContext, handler: PageHandler, request: FastifyRequest, reply: FastifyReply) {
  return needsHttps(context, request) ? sendNeedsHttps(context, reply) : handler(request, reply);
}
