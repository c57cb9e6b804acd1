import type { FastifyReply, FastifyRequest } from "fastify";
import { requireOwnPage, requireSignIn, visitorOf } from "#api/kit/web-session";
import type { ApiWorld } from "#api/kit/world";
import { sendErrorPage, sendPage } from "#api/pages/page";
import type { OAuthServer } from "#identity/oauth-server/server";
import { Refusal } from "#lib/errors";
import { consentPage } from "./views.ts";

export interface OAuthWorld extends ApiWorld {
  readonly oauthServer: OAuthServer;
}

/** Asks the person who is signed in, each time: nobody is connected by an earlier consent, or by somebody else's. */
export async function showConsent(world: OAuthWorld, request: FastifyRequest, reply: FastifyReply) {
  const visitor = await requireSignIn(world, request, reply);
  if (!visitor) return reply;
  const asked = await world.oauthServer.asked({ request: request.raw, response: reply.raw });
  if (!asked) return sendOver(world, reply);
  const { csrfToken, user } = visitor;
  return sendPage(world, reply, 200, consentPage({ asked, csrfToken, email: user.email, orgName: world.orgName }));
}

export async function takeConsent(world: OAuthWorld, request: FastifyRequest, reply: FastifyReply) {
  const visitor = await visitorOf(world, request);
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  if (!visitor) throw new Refusal("forbidden", "You are no longer signed in. Start again in your client.");
  requireOwnPage(request, visitor.csrfToken, form.get("csrf_token"));
  const exchange = { request: request.raw, response: reply.raw };
  const asked = await world.oauthServer.asked(exchange);
  if (!asked) return sendOver(world, reply);
  const goOn =
    form.get("decision") === "allow"
      ? await world.oauthServer.allow(exchange, asked, visitor.user, { requestId: request.id, address: request.ip })
      : await world.oauthServer.deny(exchange);
  return reply.redirect(goOn, 303);
}

function sendOver(world: ApiWorld, reply: FastifyReply): FastifyReply {
  const sentence = "This request is over, or began in another browser. Start again in your client.";
  return sendErrorPage(world, reply, 400, "That did not work", sentence);
}
