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

const MAX_RECORDED_PER_MINUTE = 100;
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
  const recorded = new FailedAttempts(context.clock, MAX_RECORDED_PER_MINUTE);
  /** Limits the log and audit entries that failed sign-ins from many accounts and addresses can create. */
  const recordFailure = async (user: UserRow | undefined, client: Client): Promise<void> => {
    if (recorded.retryAfter("anybody") !== undefined) return;
    recorded.failed("anybody");
    const { address, requestId } = client;
    context.logger.warn({ address, requestId, userId: user?.id }, "password sign-in failed");
    await recordFailedSignIn(context, user, client);
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
      const signIn = await signInWithPassword(context, given, clientOf(context, request));
      switch (signIn.outcome) {
        case "signed-in":
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
