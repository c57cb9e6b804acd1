import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { clearCookie } from "#api/kit/cookies";
import { requireOwnPage, requireSignIn, type Visitor } from "#api/kit/web-session";
import { field } from "#api/pages/forms";
import { sendPage } from "#api/pages/page";
import { changePassword, type PasswordChange } from "#identity/change-password";
import { passwordFault } from "#identity/password-rule";
import { signOut } from "#identity/sign-out";
import { findPasswordHash } from "#records/passwords";
import { clientOf } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";
import { waitOf } from "./sign-in.ts";
import { accountPage } from "./views.ts";

/** The account page, the password change, and sign-out. */
export function accountRoutes(context: ApiContext): PageRoutes {
  const show = async (
    reply: FastifyReply,
    status: number,
    visitor: Visitor,
    notice: { fault?: string; done?: string },
  ) => {
    const hasPassword = (await findPasswordHash(context.databases.main, visitor.user.id)) !== undefined;
    const { csrfToken, user } = visitor;
    return sendPage(context, reply, status, accountPage({ csrfToken, ...user, hasPassword, ...notice }));
  };
  return {
    "GET /account": async (request, reply) => {
      const visitor = await requireSignIn(context, request, reply);
      return visitor ? show(reply, 200, visitor, {}) : reply;
    },
    "POST /account": async (request, reply) => {
      const visitor = await requireSignIn(context, request, reply);
      if (!visitor) return reply;
      requireOwnPage(request, visitor.csrfToken, field(request, "csrf_token"));
      const fault = await applyNewPassword(context, visitor, request);
      return fault === undefined
        ? show(reply, 200, visitor, {
            done: "Password changed. You are signed out on all other devices, and your MCP clients must connect again.",
          })
        : show(reply, 400, visitor, { fault });
    },
    "POST /sign-out": async (request, reply) => {
      const visitor = await requireSignIn(context, request, reply);
      if (!visitor) return reply;
      requireOwnPage(request, visitor.csrfToken, field(request, "csrf_token"));
      await signOut(context, visitor, field(request, "everywhere") === "true", clientOf(context, request));
      clearCookie(context.baseUrl, reply, "session");
      return reply.redirect("./sign-in", 303);
    },
  };
}

/** Returns an error message, or undefined if the password was changed. */
async function applyNewPassword(
  context: ApiContext,
  visitor: Visitor,
  request: FastifyRequest,
): Promise<string | undefined> {
  const next = field(request, "new_password");
  const fault = passwordFault(next, [visitor.user.name, visitor.user.email, context.orgName]);
  if (fault !== undefined) return `The new password ${fault}.`;
  const given = { current: field(request, "current_password"), next };
  return messageOf(await changePassword(context, visitor, given, clientOf(context, request)));
}

function messageOf(change: PasswordChange): string | undefined {
  switch (change.outcome) {
    case "changed":
      return undefined;
    case "wrong":
      return "The current password is wrong.";
    case "no-password":
      return "Your account has no password.";
    case "wait":
      return `Too many attempts. Try again in ${waitOf(change.seconds)}.`;
  }
}
