import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "#lib/errors";
import { isLoopbackName } from "#lib/loopback-name";
import { hasValidChecksum, WEB_SESSION_PREFIX } from "#lib/tokens";
import { findWebSession, type SignedIn, touchWebSession } from "#records/web-sessions";
import type { ApiContext } from "./api-context.ts";
import { isHttps, readCookie } from "./cookies.ts";
import { upTo } from "./relative-path.ts";

export const CSRF_HEADER = "x-csrf-token";

/** A signed-in person, and the CSRF token that their pages send with every change. */
export interface Visitor extends SignedIn {
  readonly csrfToken: string;
}

/** The person who is signed in to this browser; undefined if no one is. */
export async function visitorOf(context: ApiContext, request: FastifyRequest): Promise<Visitor | undefined> {
  const token = sessionTokenOf(context, request);
  if (token === undefined) return undefined;
  const now = context.clock.now();
  const signedIn = await findWebSession(context.databases.main, token, now);
  if (!signedIn) return undefined;
  await touchWebSession(context.databases.main, signedIn, now);
  return { ...signedIn, csrfToken: csrfTokenOf(token) };
}

/** The session token as the browser sent it, whether or not it is valid. */
export function sessionTokenOf({ baseUrl }: ApiContext, request: FastifyRequest): string | undefined {
  const token = readCookie(baseUrl, request, "session");
  return token?.startsWith(WEB_SESSION_PREFIX) && hasValidChecksum(token) ? token : undefined;
}

/**
 * For pages: returns the signed-in person, or redirects to sign-in and from there back to this URL. Undefined if the
 * reply has been sent.
 */
export async function requireSignIn(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor | undefined> {
  const visitor = await visitorOf(context, request);
  if (visitor) return visitor;
  // A form whose session has ended returns to its page.
  const isPage = request.server.hasRoute({ method: "GET", url: request.routeOptions.url ?? "" });
  const back = isPage ? `?return_to=${encodeURIComponent(request.url)}` : "";
  reply.redirect(`${upTo(request.url)}sign-in${back}`, 303);
  return undefined;
}

/** For operations that only people can call. */
export function personOf(visitor: Visitor | undefined): Visitor {
  if (!visitor) throw new Error("an operation for people was called without a person");
  return visitor;
}

const FRESH_MS = 5 * 60 * 1000;

/**
 * Requires that the person authenticated within the last five minutes, because an unattended browser must not be
 * enough.
 */
export function requireFreshSignIn({ clock }: Pick<ApiContext, "clock">, { session }: Visitor): void {
  // OPS-6: setting the clock back must not extend the time.
  if (Math.abs(clock.now() - session.authenticated_at) <= FRESH_MS) return;
  throw new Refusal("forbidden", "Fresh authentication required: confirm your password or sign in again");
}

/** Derived from the session token and useless as one (AUTH-3). Before sign-in, the form cookie takes its place. */
export function csrfTokenOf(secret: string): string {
  return createHmac("sha256", secret).update("csrf").digest("base64url");
}

/** WEB-6: requests that change something must come from one of our pages, which know the token. */
export function requireOwnPage(request: FastifyRequest, wanted: string, given: unknown): void {
  const site = request.headers["sec-fetch-site"];
  const isOwn = site === undefined || site === "same-origin";
  if (isOwn && typeof given === "string" && isSame(given, wanted)) return;
  throw new Refusal("forbidden", "CSRF token missing or wrong");
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Cookies and passwords are sent over https, or only within this machine. */
export function needsHttps({ baseUrl }: Pick<ApiContext, "baseUrl">, request: FastifyRequest): boolean {
  return !isHttps(baseUrl) && !(isLoopbackUrl(baseUrl) && isLoopbackUrl(`http://${request.headers.host}`));
}

function isLoopbackUrl(address: string): boolean {
  return isLoopbackName(URL.parse(address)?.hostname ?? "");
}
