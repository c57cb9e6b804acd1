import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "#api/kit/cookies";
import { csrfTokenOf, requireOwnPage, sessionTokenOf } from "#api/kit/web-session";
import type { ApiWorld } from "#api/kit/world";
import { field } from "#api/pages/forms";
import type { Client } from "#identity/world";
import { randomBase62 } from "#lib/random";

const FORM_COOKIE_LENGTH = 43;

/** WEB-6, before anybody is signed in: a form of ours carries what only the holder of this browser's cookie can know. */
export function formToken(world: ApiWorld, request: FastifyRequest, reply: FastifyReply): string {
  const known = readCookie(world.baseUrl, request, "form");
  const secret = known ?? randomBase62(world.random, FORM_COOKIE_LENGTH);
  if (known === undefined) setCookie(world.baseUrl, reply, "form", secret);
  return csrfTokenOf(secret);
}

export function requireOwnForm(world: ApiWorld, request: FastifyRequest): void {
  const secret = readCookie(world.baseUrl, request, "form");
  // Without the cookie nothing can be right: the token of a secret that was never given out.
  const wanted = csrfTokenOf(secret ?? randomBase62(world.random, FORM_COOKIE_LENGTH));
  requireOwnPage(request, wanted, field(request, "csrf_token"));
}

export function clientOf(world: ApiWorld, request: FastifyRequest): Client {
  return {
    address: request.ip,
    userAgent: request.headers["user-agent"] ?? "",
    requestId: request.id,
    sessionToken: sessionTokenOf(world, request),
  };
}

/** What stands behind the `#`, or the whole link as it was pasted. */
export function codeOf(request: FastifyRequest): string {
  const code = field(request, "code").trim();
  return code.slice(code.indexOf("#") + 1);
}
