import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { requireOwnPage, requireSignIn, visitorOf } from "#api/kit/web-session";
import { sendErrorPage, sendPage } from "#api/pages/page";
import type { OAuthServer } from "#identity/oauth-server/server";
import { Refusal } from "#lib/errors";
import { consentPage } from "./views.ts";

export interface OAuthContext extends ApiContext {
  readonly oauthServer: OAuthServer;
}

/** Asks the person who is signed in, each time: nobody is connected by an earlier consent, or by somebody else's. */
export async function showConsent(context: OAuthContext, request: FastifyRequest, reply: FastifyReply) {
  const visitor = await requireSignIn(context, request, reply);
  if (!visitor) return reply;
  const asked = await context.oauthServer.asked({ request: request.raw, response: reply.raw });
  if (!asked) return sendOver(context, reply);
  const { csrfToken, user } = visitor;
  return sendPage(context, reply, 200, consentPage({ asked, csrfToken, email: user.email, orgName: context.orgName }));
}

export async function takeConsent(context: OAuthContext, request: FastifyRequest, reply: FastifyReply) {
  const visitor = await visitorOf(context, request);
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  if (!visitor) throw new Refusal("forbidden", "You are no longer signed in. Start again in your client.");
  requireOwnPage(request, visitor.csrfToken, form.get("csrf_token"));
  const exchange = { request: request.raw, response: reply.raw };
  const asked = await context.oauthServer.asked(exchange);
  if (!asked) return sendOver(context, reply);
  const goOn =
    form.get("decision") === "allow"
      ? await context.oauthServer.allow(exchange, asked, visitor.user, { requestId: request.id, address: request.ip })
      : await context.oauthServer.deny(exchange);
  return reply.redirect(goOn, 303);
}

function sendOver(context: ApiContext, reply: FastifyReply): FastifyReply {
  const sentence = "This request is over, or began in another browser. Start again in your client.";
  return sendErrorPage(context, reply, 400, "That did not work", sentence);
}
