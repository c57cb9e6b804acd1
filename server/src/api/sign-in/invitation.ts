import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { field } from "#api/pages/forms";
import { sendErrorPage, sendPage } from "#api/pages/page";
import { acceptInvitation, findInvited } from "#identity/accept-invitation";
import { passwordFault } from "#identity/password-rule";
import { readSettings } from "#records/settings";
import { clientOf, codeOf, formToken, requireOwnForm } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";
import { enter } from "./sign-in.ts";
import { invitationPage } from "./views.ts";

/** Decision 0021: only POST accepts, so email scanners that open links do not use up the invitation. */
export function invitationRoutes(context: ApiContext): PageRoutes {
  const show = (request: FastifyRequest, reply: FastifyReply, status: number, fault?: string) => {
    const csrfToken = formToken(context, request, reply);
    return sendPage(context, reply, status, invitationPage({ csrfToken, fault, code: codeOf(request) }));
  };
  const gone = (reply: FastifyReply) => {
    const sentence =
      "The link was already used, was replaced by a newer one, or is older than a week. Ask an admin for a new invitation.";
    return sendErrorPage(context, reply, 410, "This link has expired", sentence);
  };
  const isOff = async () => !(await readSettings(context.databases.main)).local_sign_in;
  const off = (reply: FastifyReply) => {
    const sentence = "You do not need an invitation. Open the sign-in page and use single sign-on.";
    return sendErrorPage(context, reply, 403, "Password sign-in is turned off", sentence);
  };
  return {
    "GET /invite": async (request, reply) => ((await isOff()) ? off(reply) : show(request, reply, 200)),
    "POST /invite": async (request, reply) => {
      requireOwnForm(context, request);
      if (await isOff()) return off(reply);
      const code = codeOf(request);
      const invited = await findInvited(context, code);
      if (!invited) return gone(reply);
      const password = field(request, "password");
      const fault = passwordFault(password, [invited.name, invited.email, context.orgName]);
      if (fault !== undefined) return show(request, reply, 400, `The password ${fault}.`);
      const token = await acceptInvitation(context, code, password, clientOf(context, request));
      return token === undefined ? gone(reply) : enter(context, reply, token);
    },
  };
}
