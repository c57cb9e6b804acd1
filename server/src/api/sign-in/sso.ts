import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { clearCookie, readCookie, setCookie } from "#api/kit/cookies";
import { knownDevice } from "#api/kit/known-device";
import { safeReturn } from "#api/kit/relative-path";
import { requireSignIn, visitorOf } from "#api/kit/web-session";
import { sendErrorPage, sendPage } from "#api/pages/page";
import { confirmBySso } from "#identity/confirm-by-sso";
import { previewSso } from "#identity/preview-sso";
import { signInBySso } from "#identity/sign-in-by-sso";
import { newSsoAttempt, type SsoAttempt, type SsoPerson } from "#identity/sso-client";
import { FailedAttempts } from "#lib/failed-attempts";
import { findIdentityProvider, type IdentityProviderRow, openProviderSecret } from "#records/identity-provider";
import { mayManage } from "#records/users";
import { clientOf } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";
import { enter, HOME, waitOf } from "./sign-in.ts";
import { ssoTestPage } from "./sso-test-view.ts";
import { confirmedPage } from "./views.ts";

/** Per IP address, which a whole office may share. */
const MAX_STARTED_PER_MINUTE = 100;
const REFUSED = "You cannot sign in";
const SENTENCES = {
  "no-verified-email": "Your identity provider did not send a verified email. Ask an admin for help.",
  "other-domain": "The domain of your email is not allowed. Ask an admin to allow it.",
  unknown: "You do not have an account yet. Ask an admin to invite you.",
  "different-account": "Your email belongs to a different account of the identity provider. Ask an admin for help.",
  disabled: "Your account is disabled. Ask an admin to enable it.",
} as const;

/** Sends people to the organization's identity provider and handles its callback. */
export function ssoRoutes(context: ApiContext): PageRoutes {
  const started = new FailedAttempts(context.clock, MAX_STARTED_PER_MINUTE);
  return {
    "GET /sso": async (request, reply) => {
      // Strangers must not lock out people who have signed in in this browser before, so it has a separate limit.
      const source = knownDevice(context, request)?.id ?? request.ip;
      const wait = started.retryAfter(source);
      if (wait !== undefined) {
        const sentence = `Too many sign-ins from your IP address. Try again in ${waitOf(wait)}.`;
        return sendErrorPage(context, reply.header("retry-after", wait), 429, "Too many attempts", sentence);
      }
      started.failed(source);
      const provider = await findIdentityProvider(context.databases.main);
      if (!provider) return sendErrorPage(context, reply, 404, "Not found", "Single sign-on is not set up.");
      const query = new URL(request.url, "http://any").searchParams;
      const purpose = await purposeOf(context, request, reply, query);
      if (!purpose) return reply;
      const attempt = newSsoAttempt(context.random, purpose.confirms !== undefined);
      try {
        const url = await context.sso.begin(withSecret(context, provider), attempt);
        const begun = { attempt, returnTo: query.get("return_to") ?? "", ...purpose };
        setCookie(context.baseUrl, reply, "oidc", sealCookie(context, begun));
        return await reply.redirect(url.href, 303);
      } catch (error) {
        return unreachable(context, request, reply, error);
      }
    },
    "GET /sso-callback": async (request, reply) => {
      const provider = await findIdentityProvider(context.databases.main);
      const begun = openCookie(context, readCookie(context.baseUrl, request, "oidc"));
      clearCookie(context.baseUrl, reply, "oidc");
      if (!provider || !begun) {
        const sentence = "It was started in a different browser, or took too long. Sign in again.";
        return sendErrorPage(context, reply, 400, "This sign-in has expired", sentence);
      }
      const person = await finished(context, provider, begun.attempt, request).catch((error: unknown) => {
        context.logger.warn({ err: error, requestId: request.id }, "sign-in with the identity provider failed");
        return undefined;
      });
      if (!person) {
        const sentence =
          "The identity provider rejected the sign-in, timed out, or sent an invalid response. Sign in again.";
        return sendErrorPage(context, reply, 400, "Sign-in failed", sentence);
      }
      if (begun.confirms) return confirm(context, request, reply, person, begun);
      if (begun.testedBy !== undefined) return showTest(context, request, reply, { provider, person, begun });
      const signIn = await signInBySso(context, provider, person, clientOf(context, request));
      if (signIn.outcome === "signed-in") return enter(context, reply, signIn.token, begun.returnTo);
      return sendErrorPage(context, reply, 403, REFUSED, SENTENCES[signIn.outcome]);
    },
  };
}

const UNCONFIRMED = "Identity not confirmed";

/** A signed-in person authenticated again. Only the authentication time of their web session changes. */
async function confirm(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  person: SsoPerson,
  { confirms, returnTo }: StartedSignIn,
): Promise<FastifyReply> {
  const visitor = await visitorOf(context, request);
  if (!visitor || visitor.session.id !== confirms?.sessionId) {
    const sentence = "Your session changed in the meantime. Go back and try again.";
    return sendErrorPage(context, reply, 400, UNCONFIRMED, sentence);
  }
  switch (await confirmBySso(context, visitor, person, clientOf(context, request))) {
    case "different-account": {
      const sentence = `You are signed in here as ${visitor.user.email}, but with a different account at the identity provider. Sign in there with the same account.`;
      return sendErrorPage(context, reply, 403, UNCONFIRMED, sentence);
    }
    case "no-authentication-time": {
      const sentence =
        "The identity provider does not report when you signed in. Ask an admin for an invitation link, then set a password and confirm with it.";
      return sendErrorPage(context, reply, 403, UNCONFIRMED, sentence);
    }
    case "confirmed":
      return confirms.isPopup
        ? sendPage(context, reply, 200, confirmedPage())
        : reply.redirect(safeReturn(returnTo, HOME), 303);
  }
}

/** What the sign-in is for. Undefined: the response has been sent. */
async function purposeOf(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  query: URLSearchParams,
): Promise<Pick<StartedSignIn, "confirms" | "testedBy"> | undefined> {
  const isConfirming = query.get("confirm") === "true";
  if (!isConfirming && query.get("test") !== "true") return {};
  const visitor = await requireSignIn(context, request, reply);
  if (!visitor) return undefined;
  const { id } = visitor.session;
  if (isConfirming) return { confirms: { sessionId: id, isPopup: query.get("view") === "popup" } };
  if (mayManage(visitor.user.role)) return { testedBy: id };
  sendNoAdmin(context, reply);
  return undefined;
}

function sendNoAdmin(context: ApiContext, reply: FastifyReply): FastifyReply {
  return sendErrorPage(context, reply, 403, "Not allowed", "Only owners and admins can test the sign-in.");
}

/** Shows the claims and what a sign-in would do. Neither signs in nor changes anything. */
async function showTest(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, person, begun }: { provider: IdentityProviderRow; person: SsoPerson; begun: StartedSignIn },
): Promise<FastifyReply> {
  const visitor = await visitorOf(context, request);
  if (!visitor || visitor.session.id !== begun.testedBy || !mayManage(visitor.user.role)) {
    return sendErrorPage(context, reply, 400, "Test not shown", "Your session changed in the meantime. Test again.");
  }
  const preview = await previewSso(context.databases.main, provider, person.claims);
  const reason = preview.refusal && SENTENCES[preview.refusal];
  return sendPage(context, reply, 200, ssoTestPage(preview, reason, person.claims));
}

function finished(context: ApiContext, provider: IdentityProviderRow, attempt: SsoAttempt, request: FastifyRequest) {
  const at = request.url.indexOf("?");
  return context.sso.finish(withSecret(context, provider), attempt, at === -1 ? "" : request.url.slice(at));
}

function withSecret(context: ApiContext, provider: IdentityProviderRow) {
  return { ...provider, secret: openProviderSecret(context.vault, provider) };
}

function unreachable(context: ApiContext, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  context.logger.warn({ err: error, requestId: request.id }, "identity provider unavailable");
  const sentence = "The identity provider is unavailable or not set up correctly. Try again, or ask an admin.";
  return sendErrorPage(context, reply, 502, "Sign-in failed", sentence);
}

const MAX_ATTEMPT_MS = 10 * 60 * 1000;
const MAX_RETURN_LENGTH = 1_000;

interface StartedSignIn {
  readonly attempt: SsoAttempt;
  readonly returnTo: string;
  /** The web session to confirm; undefined: a new sign-in. */
  readonly confirms?: { readonly sessionId: string; readonly isPopup: boolean };
  /** The web session of the admin who tests the settings; undefined: not a test. */
  readonly testedBy?: string;
}

const PLACE = { table: "", row: "", column: "oidc-cookie" };

/**
 * The pending sign-in is kept in a cookie, so a callback in a different browser is rejected (OA-1). It is sealed, so a
 * forged cookie cannot cause requests to the provider.
 */
function sealCookie({ vault, clock }: ApiContext, begun: StartedSignIn): string {
  const kept = { ...begun, returnTo: begun.returnTo.slice(0, MAX_RETURN_LENGTH), at: clock.now() };
  return vault.seal("mcp-session", PLACE, JSON.stringify(kept));
}

function openCookie({ vault, clock }: ApiContext, cookie: string | undefined): StartedSignIn | undefined {
  const text = cookie === undefined ? undefined : vault.openPresented("mcp-session", PLACE, cookie);
  if (text === undefined) return undefined;
  const begun: StartedSignIn & { readonly at: number } = JSON.parse(text); // only `sealCookie` seals for this place
  return clock.now() - begun.at < MAX_ATTEMPT_MS ? begun : undefined;
}
