import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "#lib/errors";
import { hasValidChecksum, WEB_SESSION_PREFIX } from "#lib/tokens";
import { findWebSession, type SignedIn, touchWebSession } from "#records/web-sessions";
import type { ApiContext } from "./api-context.ts";
import { isHttps, readCookie } from "./cookies.ts";
import { upTo } from "./relative-path.ts";

export const CSRF_HEADER = "x-csrf-token";

/** Who is signed in, and what their pages send along with whatever changes something. */
export interface Visitor extends SignedIn {
  readonly csrfToken: string;
}

/** The person whose browser this is; undefined: nobody, or no longer. */
export async function visitorOf(context: ApiContext, request: FastifyRequest): Promise<Visitor | undefined> {
  const token = sessionTokenOf(context, request);
  if (token === undefined) return undefined;
  const now = context.clock.now();
  const signedIn = await findWebSession(context.databases.main, token, now);
  if (!signedIn) return undefined;
  await touchWebSession(context.databases.main, signedIn, now);
  return { ...signedIn, csrfToken: csrfTokenOf(token) };
}

/** As the browser brought it, whether or not it counts. */
export function sessionTokenOf({ baseUrl }: ApiContext, request: FastifyRequest): string | undefined {
  const token = readCookie(baseUrl, request, "session");
  return token?.startsWith(WEB_SESSION_PREFIX) && hasValidChecksum(token) ? token : undefined;
}

/**
 * The seam for pages: answers who is signed in, or sends the browser to sign in, from where it comes back to this very
 * address. Undefined: the reply is sent.
 */
export async function requireSignIn(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor | undefined> {
  const visitor = await visitorOf(context, request);
  if (visitor) return visitor;
  const back = request.method === "GET" ? `?return_to=${encodeURIComponent(request.url)}` : "";
  reply.redirect(`${upTo(request.url)}sign-in${back}`, 303);
  return undefined;
}

/** Of an operation for people only, which nobody else reaches. */
export function personOf(visitor: Visitor | undefined): Visitor {
  if (!visitor) throw new Error("an operation for people was reached by somebody else");
  return visitor;
}

const FRESH_MS = 5 * 60 * 1000;

/** For what an open browser alone must not be enough: the person proved within five minutes who they are. */
export function requireFreshSignIn({ clock }: Pick<ApiContext, "clock">, { session }: Visitor): void {
  // OPS-6: a clock that was set back must not make a proof good for longer.
  if (Math.abs(clock.now() - session.authenticated_at) <= FRESH_MS) return;
  throw new Refusal("forbidden", "Fresh authentication required: confirm your password or sign in again");
}

/** Made from the session's token and useless as one (AUTH-3). The form cookie's stands for who is not signed in yet. */
export function csrfTokenOf(secret: string): string {
  return createHmac("sha256", secret).update("csrf").digest("base64url");
}

/** WEB-6: what changes something comes from a page of ours, which knows the token. */
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

/** Cookies and passwords travel over https, or not beyond this machine. */
export function needsHttps({ baseUrl }: Pick<ApiContext, "baseUrl">, request: FastifyRequest): boolean {
  return !isHttps(baseUrl) && !(isLoopbackUrl(baseUrl) && isLoopbackUrl(`http://${request.headers.host}`));
}

function isLoopbackUrl(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127\./.test(host);
}
