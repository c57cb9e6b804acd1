import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { setCookie } from "#api/kit/cookies";
import { rememberDevice } from "#api/kit/known-device";
import { safeReturn } from "#api/kit/relative-path";
import { field } from "#api/pages/forms";
import { sendPage } from "#api/pages/page";
import type { Client } from "#identity/identity-context";
import { readSetupState } from "#identity/set-up";
import { recordFailedSignIn, signInWithPassword } from "#identity/sign-in";
import { FailedAttempts } from "#lib/failed-attempts";
import { findIdentityProvider } from "#records/identity-provider";
import { readSettings } from "#records/settings";
import { findWebSession } from "#records/web-sessions";
import type { UserRow } from "#storage/user-tables";
import { clientOf, formToken, requireOwnForm } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";
import { setupNeededPage, signInPage } from "./views.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Strangers cause failures, and each entry of the audit log is kept for months. */
const MAX_RECORDED_PER_HOUR = 100;
/** Of one account. Each adds entries to the audit log. */
const MAX_SIGN_INS_PER_HOUR = 60;
/** The admin app, which redirects members to their connections. */
export const HOME = "./";

export function signInRoutes(context: ApiContext): PageRoutes {
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    returnTo: string,
    fault?: string,
  ): Promise<FastifyReply> => {
    const db = context.databases.main;
    const { local_sign_in: local } = await readSettings(db);
    const sso = (await findIdentityProvider(db)) !== undefined;
    const setup = await readSetupState(db);
    if (setup === "empty") return sendPage(context, reply, status, setupNeededPage());
    const csrfToken = formToken(context, request, reply);
    const page = signInPage({
      csrfToken,
      fault,
      returnTo,
      email: field(request, "email"),
      local,
      sso,
      hasOwner: setup === "complete",
    });
    return sendPage(context, reply, status, page);
  };
  const recorded = new FailedAttempts(context.clock, MAX_RECORDED_PER_HOUR, undefined, HOUR_MS);
  const signIns = new FailedAttempts(context.clock, MAX_SIGN_INS_PER_HOUR, undefined, HOUR_MS);
  let notRecorded = 0;
  /** Limits the log and audit entries that failed sign-ins from many accounts and addresses can create. */
  const recordFailure = async (user: UserRow | undefined, client: Client): Promise<void> => {
    if (recorded.retryAfter("anybody") !== undefined) {
      notRecorded++;
      return;
    }
    recorded.failed("anybody");
    const { address, requestId } = client;
    context.logger.warn({ address, requestId, userId: user?.id }, "password sign-in failed");
    const earlier = notRecorded;
    notRecorded = 0;
    await recordFailedSignIn(context, user, client, earlier);
  };
  return {
    "GET /sign-in": async (request, reply) => {
      const query = new URL(request.url, "http://any").searchParams;
      return show(request, reply, 200, query.get("return_to") ?? "");
    },
    "POST /sign-in": async (request, reply) => {
      requireOwnForm(context, request);
      const returnTo = field(request, "return_to");
      const given = { email: field(request, "email").trim(), password: field(request, "password") };
      const limited = signIns.retryAfter(given.email.toLowerCase());
      const signIn =
        limited === undefined
          ? await signInWithPassword(context, given, clientOf(context, request))
          : ({ outcome: "wait", seconds: limited } as const);
      switch (signIn.outcome) {
        case "signed-in":
          signIns.failed(given.email.toLowerCase());
          return enter(context, reply, signIn.token, returnTo);
        case "wait":
          reply.header("retry-after", signIn.seconds);
          return show(request, reply, 429, returnTo, `Too many attempts. Try again in ${waitOf(signIn.seconds)}.`);
        case "off":
          return show(request, reply, 403, returnTo, "Password sign-in is turned off.");
        case "wrong":
          await recordFailure(signIn.user, clientOf(context, request));
          return show(request, reply, 401, returnTo, "Wrong email or password.");
      }
    },
  };
}

/** Sets the session cookie, remembers the browser, and redirects to the requested page. */
export async function enter(
  context: ApiContext,
  reply: FastifyReply,
  token: string,
  returnTo = "",
): Promise<FastifyReply> {
  setCookie(context.baseUrl, reply, "session", token);
  const signedIn = await findWebSession(context.databases.main, token, context.clock.now());
  if (signedIn) rememberDevice(context, reply, signedIn.user.id);
  return reply.redirect(safeReturn(returnTo, HOME), 303);
}

export function waitOf(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "a second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
