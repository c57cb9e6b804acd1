import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { requireOwnPage, requireSignIn, visitorOf } from "#api/kit/web-session";
import { sendErrorPage, sendPage } from "#api/pages/page";
import type { OAuthServer } from "#identity/oauth-server/server";
import { Refusal } from "#lib/errors";
import { FailedAttempts } from "#lib/failed-attempts";
import { consentPage } from "./views.ts";

export interface OAuthContext extends ApiContext {
  readonly oauthServer: OAuthServer;
}

const HOUR_MS = 60 * 60 * 1000;
const MAX_PER_HOUR = 60;

/** Each consent adds a grant and an entry of the audit log. */
export function createConsentLimit({ clock }: Pick<ApiContext, "clock">): FailedAttempts {
  return new FailedAttempts(clock, MAX_PER_HOUR, undefined, HOUR_MS);
}

/** Asks the signed-in person each time. An earlier consent does not count, because a different client may use the same name. */
export async function showConsent(context: OAuthContext, request: FastifyRequest, reply: FastifyReply) {
  const visitor = await requireSignIn(context, request, reply);
  if (!visitor) return reply;
  const consent = await context.oauthServer.requestedConsent({ request: request.raw, response: reply.raw });
  if (!consent) return sendExpired(context, reply);
  const { csrfToken, user } = visitor;
  return sendPage(
    context,
    reply,
    200,
    consentPage({ consent, csrfToken, email: user.email, orgName: context.orgName }),
  );
}

export async function submitConsent(
  context: OAuthContext,
  consents: FailedAttempts,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const visitor = await visitorOf(context, request);
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
  if (!visitor) throw new Refusal("forbidden", "You are no longer signed in. Start again in your MCP client.");
  requireOwnPage(request, visitor.csrfToken, form.get("csrf_token"));
  const retryAfterSeconds = consents.retryAfter(visitor.user.id);
  if (retryAfterSeconds !== undefined) {
    throw new Refusal("too-many", "You connected too many MCP clients. Try again later.", { retryAfterSeconds });
  }
  consents.failed(visitor.user.id);
  const exchange = { request: request.raw, response: reply.raw };
  const consent = await context.oauthServer.requestedConsent(exchange);
  if (!consent) return sendExpired(context, reply);
  const nextUrl =
    form.get("decision") === "allow"
      ? await context.oauthServer.allow(exchange, consent, visitor.user, { requestId: request.id, address: request.ip })
      : await context.oauthServer.deny(exchange);
  return reply.redirect(nextUrl, 303);
}

function sendExpired(context: ApiContext, reply: FastifyReply): FastifyReply {
  const sentence = "This request has expired or was started in a different browser. Start again in your MCP client.";
  return sendErrorPage(context, reply, 400, "Request expired", sentence);
}
