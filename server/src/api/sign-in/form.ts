import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { readCookie, setCookie } from "#api/kit/cookies";
import { knownDevice } from "#api/kit/known-device";
import { csrfTokenOf, requireOwnPage, sessionTokenOf } from "#api/kit/web-session";
import { field } from "#api/pages/forms";
import type { Client } from "#identity/identity-context";
import { randomBase62 } from "#lib/random";

const FORM_COOKIE_LENGTH = 43;

/** WEB-6, before sign-in: the token in our forms is derived from a cookie of this browser. */
export function formToken(context: ApiContext, request: FastifyRequest, reply: FastifyReply): string {
  const known = readCookie(context.baseUrl, request, "form");
  const secret = known ?? randomBase62(context.random, FORM_COOKIE_LENGTH);
  if (known === undefined) setCookie(context.baseUrl, reply, "form", secret);
  return csrfTokenOf(secret);
}

export function requireOwnForm(context: ApiContext, request: FastifyRequest): void {
  const secret = readCookie(context.baseUrl, request, "form");
  // Without the cookie no token is valid, so it is compared with the token of a fresh secret.
  const wanted = csrfTokenOf(secret ?? randomBase62(context.random, FORM_COOKIE_LENGTH));
  requireOwnPage(request, wanted, field(request, "csrf_token"));
}

export function clientOf(context: ApiContext, request: FastifyRequest): Client {
  const device = knownDevice(context, request);
  return {
    deviceOf: (userId) => (device?.userId === userId ? device.id : undefined),
    address: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    requestId: request.id,
    sessionToken: sessionTokenOf(context, request),
  };
}

/** The code after the `#`. People without scripts paste the whole link. */
export function codeOf(request: FastifyRequest): string {
  const code = field(request, "code").trim();
  return code.slice(code.indexOf("#") + 1);
}
