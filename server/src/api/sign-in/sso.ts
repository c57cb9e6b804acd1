import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { clearCookie, readCookie, setCookie } from "#api/kit/cookies";
import { FailedAttempts } from "#api/kit/failed-attempts";
import { safeReturn } from "#api/kit/relative-path";
import { requireSignIn, visitorOf } from "#api/kit/web-session";
import { sendErrorPage, sendPage } from "#api/pages/page";
import { confirmBySso } from "#identity/confirm-by-sso";
import { signInBySso } from "#identity/sign-in-by-sso";
import { newSsoAttempt, type SsoAttempt, type SsoPerson } from "#identity/sso-client";
import { findIdentityProvider, type IdentityProviderRow, openProviderSecret } from "#records/identity-provider";
import { clientOf } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";
import { enter, HOME, waitOf } from "./sign-in.ts";
import { confirmedPage } from "./views.ts";

/** From one address, behind which a whole office may sit. */
const MOST_BEGUN_A_MINUTE = 100;
const REFUSED = "You may not sign in here";
const SENTENCES = {
  "no-verified-email": "The identity provider does not vouch for an e-mail address of yours.",
  "other-domain": "Your e-mail address is of a domain that is not allowed here.",
  unknown: "Nobody has made an account for you yet. Ask an admin to invite you.",
  "somebody-else": "Your e-mail address belongs to another account of the identity provider. Ask an admin.",
  "shut-out": "Your account is disabled.",
} as const;

/** The organization's own identity provider: to it, and back from it. */
export function ssoRoutes(context: ApiContext): PageRoutes {
  const begun = new FailedAttempts(context.clock, MOST_BEGUN_A_MINUTE);
  return {
    "GET /sso": async (request, reply) => {
      const wait = begun.retryAfter(request.ip);
      if (wait !== undefined) {
        const sentence = `Too many sign-ins were begun from your address. Try again in ${waitOf(wait)}.`;
        return sendErrorPage(context, reply.header("retry-after", wait), 429, "Too many attempts", sentence);
      }
      begun.failed(request.ip);
      const provider = await findIdentityProvider(context.databases.main);
      if (!provider) return sendErrorPage(context, reply, 404, "Not found", "There is no single sign-on here.");
      const query = new URL(request.url, "http://any").searchParams;
      const isConfirming = query.get("confirm") === "true";
      const visitor = isConfirming ? await requireSignIn(context, request, reply) : undefined;
      if (isConfirming && !visitor) return reply;
      const attempt = newSsoAttempt(context.random, isConfirming);
      try {
        const url = await context.sso.begin(withSecret(context, provider), attempt);
        const confirms = visitor && { sessionId: visitor.session.id, isPopup: query.get("view") === "popup" };
        const begun = { attempt, returnTo: query.get("return_to") ?? "", ...(confirms && { confirms }) };
        setCookie(context.baseUrl, reply, "oidc", written(context, begun));
        return await reply.redirect(url.href, 303);
      } catch (error) {
        return unreachable(context, request, reply, error);
      }
    },
    "GET /sso-callback": async (request, reply) => {
      const provider = await findIdentityProvider(context.databases.main);
      const begun = read(context, readCookie(context.baseUrl, request, "oidc"));
      clearCookie(context.baseUrl, reply, "oidc");
      if (!provider || !begun) {
        const sentence = "It was not begun in this browser, or took too long. Sign in again.";
        return sendErrorPage(context, reply, 400, "This sign-in is over", sentence);
      }
      const person = await finished(context, provider, begun.attempt, request).catch((error: unknown) => {
        context.logger.warn({ err: error, requestId: request.id }, "A sign-in with the identity provider failed");
        return undefined;
      });
      if (!person) {
        const sentence = "The identity provider refused, did not answer in time, or not as it must. Sign in again.";
        return sendErrorPage(context, reply, 400, "Signing in did not work", sentence);
      }
      if (begun.confirms) return confirm(context, request, reply, person, begun);
      const signIn = await signInBySso(context, provider, person, clientOf(context, request));
      if (signIn.outcome === "signed-in") return enter(context, reply, signIn.token, begun.returnTo);
      return sendErrorPage(context, reply, 403, REFUSED, SENTENCES[signIn.outcome]);
    },
  };
}

const UNCONFIRMED = "It was not confirmed that it is you";

/** Somebody who is signed in has proved once more who they are: their web session says so, and nothing else changes. */
async function confirm(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: SsoPerson,
  { confirms, returnTo }: Begun,
): Promise<FastifyReply> {
  const visitor = await visitorOf(context, request);
  if (!visitor || visitor.session.id !== confirms?.sessionId) {
    const sentence = "You were signed out meanwhile, or signed in anew. Go back to what you did and try it again.";
    return sendErrorPage(context, reply, 400, UNCONFIRMED, sentence);
  }
  switch (await confirmBySso(context, visitor, person, clientOf(context, request))) {
    case "somebody-else": {
      const sentence = `You are signed in here as ${visitor.user.email}, and at the identity provider as somebody else. Sign in there with your own account.`;
      return sendErrorPage(context, reply, 403, UNCONFIRMED, sentence);
    }
    case "not-told-when": {
      const sentence =
        "The identity provider does not tell when you signed in there. Ask an admin for an invitation link: with a password you can confirm it as well.";
      return sendErrorPage(context, reply, 403, UNCONFIRMED, sentence);
    }
    case "confirmed":
      return confirms.isPopup
        ? sendPage(context, reply, 200, confirmedPage())
        : reply.redirect(safeReturn(returnTo, HOME), 303);
  }
}

function finished(context: ApiContext, provider: IdentityProviderRow, attempt: SsoAttempt, request: FastifyRequest) {
  const at = request.url.indexOf("?");
  return context.sso.finish(withSecret(context, provider), attempt, at === -1 ? "" : request.url.slice(at));
}

function withSecret(context: ApiContext, provider: IdentityProviderRow) {
  return { ...provider, secret: openProviderSecret(context.vault, provider) };
}

function unreachable(context: ApiContext, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  context.logger.warn({ err: error, requestId: request.id }, "The identity provider could not be asked");
  const sentence =
    "The identity provider cannot be reached, or is not set up as it must be. Try again, or ask an admin.";
  return sendErrorPage(context, reply, 502, "Signing in did not work", sentence);
}

const LONGEST_ATTEMPT_MS = 10 * 60 * 1000;
const LONGEST_RETURN = 1_000;

interface Begun {
  readonly attempt: SsoAttempt;
  readonly returnTo: string;
  /** The web session whose person is to prove who they are; undefined: somebody wants to come in. */
  readonly confirms?: { readonly sessionId: string; readonly isPopup: boolean };
}

const PLACE = { table: "", row: "", column: "oidc-cookie" };

/**
 * In the browser's own cookie: a state that came without it, or with another's, fits nothing (OA-1). Sealed, so that
 * nobody makes us ask the provider about a sign-in that was never begun here.
 */
function written({ vault, clock }: ApiContext, begun: Begun): string {
  const kept = { ...begun, returnTo: begun.returnTo.slice(0, LONGEST_RETURN), at: clock.now() };
  return vault.seal("mcp-session", PLACE, JSON.stringify(kept));
}

function read({ vault, clock }: ApiContext, cookie: string | undefined): Begun | undefined {
  const text = cookie === undefined ? undefined : vault.openPresented("mcp-session", PLACE, cookie);
  if (text === undefined) return undefined;
  const begun: Begun & { readonly at: number } = JSON.parse(text); // we alone can have sealed it
  return clock.now() - begun.at < LONGEST_ATTEMPT_MS ? begun : undefined;
}
