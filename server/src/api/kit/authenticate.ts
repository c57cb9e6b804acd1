import type { FastifyRequest } from "fastify";
import { Refusal } from "#lib/errors";
import type { FailedAttempts } from "#lib/failed-attempts";
import type { ApiContext } from "./api-context.ts";
import { authenticateToken, lookUpCaller } from "./bearer.ts";
import type { Caller } from "./caller.ts";
import { recentCaller } from "./recent-caller.ts";
import { ROLE_SCOPES } from "./scopes.ts";
import { CSRF_HEADER, requireOwnPage, visitorOf } from "./web-session.ts";

/**
 * Spec 5.1: accepts an API token or a person's web session. If there is an `Authorization` header, only the header
 * counts: an invalid token never falls back to a cookie (AUTH-2).
 */
export async function authenticate(
  context: ApiContext,
  attempts: FailedAttempts,
  request: FastifyRequest,
): Promise<Caller> {
  const { authorization } = request.headers;
  const operation = request.routeOptions.config?.operation;
  if (authorization !== undefined) {
    const find = operation?.checksTokenAgain ? recentCaller : lookUpCaller;
    return authenticateToken(context, attempts, authorization, request.ip, find);
  }
  const visitor = await visitorOf(context, request);
  if (!visitor) throw new Refusal("unauthenticated", "no credential");
  // Includes writes that the contract defines as GET: a link on another site must not trigger them (WEB-6).
  const isRead = request.method === "GET" && (operation?.kind ?? "read") === "read";
  if (!isRead) requireOwnPage(request, visitor.csrfToken, request.headers[CSRF_HEADER]);
  const { id, email, role } = visitor.user;
  return { actor: { kind: "user", id, name: email }, scopes: ROLE_SCOPES[role] ?? [], visitor };
}
