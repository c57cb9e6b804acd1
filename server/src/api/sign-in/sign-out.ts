import type { ApiContext } from "#api/kit/api-context";
import { clearCookie } from "#api/kit/cookies";
import { requireOwnPage, requireSignIn } from "#api/kit/web-session";
import { field } from "#api/pages/forms";
import { signOut } from "#identity/sign-out";
import { clientOf } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";

/** A form of the app, because the response removes the session cookie. */
export function signOutRoutes(context: ApiContext): PageRoutes {
  return {
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
