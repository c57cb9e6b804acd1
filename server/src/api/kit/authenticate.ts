import type { FastifyRequest } from "fastify";
import { Refusal } from "#lib/errors";
import type { ApiContext } from "./api-context.ts";
import { authenticateToken } from "./bearer.ts";
import type { Caller } from "./caller.ts";
import type { FailedAttempts } from "./failed-attempts.ts";
import { ROLE_SCOPES } from "./scopes.ts";
import { CSRF_HEADER, requireOwnPage, visitorOf } from "./web-session.ts";

/**
 * Spec 5.1: an API token, or a person's web session. Ends in a caller or in a refusal, never in between (AUTH-2): what
 * is in the `Authorization` header counts alone, and a wrong one never falls back to a cookie.
 */
export async function authenticate(
  context: ApiContext,
  attempts: FailedAttempts,
  request: FastifyRequest,
): Promise<Caller> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authenticateToken(context, attempts, authorization, request.ip);
  const visitor = await visitorOf(context, request);
  if (!visitor) throw new Refusal("unauthenticated", "no credential");
  // Also of a write that is a GET by contract: a link on another site must not cause it (WEB-6).
  const isRead = request.method === "GET" && (request.routeOptions.config?.operation?.kind ?? "read") === "read";
  if (!isRead) requireOwnPage(request, visitor.csrfToken, request.headers[CSRF_HEADER]);
  const { id, email, role } = visitor.user;
  return { actor: { kind: "user", id, name: email }, scopes: ROLE_SCOPES[role] ?? [], visitor };
}
