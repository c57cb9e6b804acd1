import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { readCookie, setCookie } from "#api/kit/cookies";
import { csrfTokenOf, requireOwnPage, sessionTokenOf } from "#api/kit/web-session";
import { field } from "#api/pages/forms";
import type { Client } from "#identity/identity-context";
import { randomBase62 } from "#lib/random";

const FORM_COOKIE_LENGTH = 43;

/** WEB-6, before anybody is signed in: a form of ours carries what only the holder of this browser's cookie can know. */
export function formToken(context: ApiContext, request: FastifyRequest, reply: FastifyReply): string {
  const known = readCookie(context.baseUrl, request, "form");
  const secret = known ?? randomBase62(context.random, FORM_COOKIE_LENGTH);
  if (known === undefined) setCookie(context.baseUrl, reply, "form", secret);
  return csrfTokenOf(secret);
}

export function requireOwnForm(context: ApiContext, request: FastifyRequest): void {
  const secret = readCookie(context.baseUrl, request, "form");
  // Without the cookie nothing can be right: the token of a secret that was never given out.
  const wanted = csrfTokenOf(secret ?? randomBase62(context.random, FORM_COOKIE_LENGTH));
  requireOwnPage(request, wanted, field(request, "csrf_token"));
}

export function clientOf(context: ApiContext, request: FastifyRequest): Client {
  return {
    address: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    requestId: request.id,
    sessionToken: sessionTokenOf(context, request),
  };
}

/** What stands behind the `#`, or the whole link as it was pasted. */
export function codeOf(request: FastifyRequest): string {
  const code = field(request, "code").trim();
  return code.slice(code.indexOf("#") + 1);
}
