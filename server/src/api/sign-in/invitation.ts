import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiWorld } from "#api/kit/world";
import { field } from "#api/pages/forms";
import { sendErrorPage, sendPage } from "#api/pages/page";
import { acceptInvitation, invitedBy } from "#identity/accept-invitation";
import { passwordFault } from "#identity/password-rule";
import { readSettings } from "#records/settings";
import { clientOf, codeOf, formToken, requireOwnForm } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";
import { enter } from "./sign-in.ts";
import { invitationPage } from "./views.ts";

/** Decision 0021: only the post accepts, so a mail program that opens links ahead of the reader uses nothing up. */
export function invitationRoutes(world: ApiWorld): PageRoutes {
  const show = (request: FastifyRequest, reply: FastifyReply, status: number, fault?: string) => {
    const csrfToken = formToken(world, request, reply);
    return sendPage(world, reply, status, invitationPage({ csrfToken, fault, code: codeOf(request) }));
  };
  const gone = (reply: FastifyReply) => {
    const sentence = "It was used, replaced by a newer one, or is older than a week. Ask for another invitation.";
    return sendErrorPage(world, reply, 410, "This link is no longer good", sentence);
  };
  const isOff = async () => !(await readSettings(world.databases.main)).local_sign_in;
  const off = (reply: FastifyReply) => {
    const sentence = "You need no invitation: open the sign-in page and use single sign-on.";
    return sendErrorPage(world, reply, 403, "Passwords are off here", sentence);
  };
  return {
    "GET /invite": async (request, reply) => ((await isOff()) ? off(reply) : show(request, reply, 200)),
    "POST /invite": async (request, reply) => {
      requireOwnForm(world, request);
      if (await isOff()) return off(reply);
      const code = codeOf(request);
      const invited = await invitedBy(world, code);
      if (!invited) return gone(reply);
      const password = field(request, "password");
      const fault = passwordFault(password, [invited.name, invited.email, world.orgName]);
      if (fault !== undefined) return show(request, reply, 400, `The password ${fault}.`);
      const token = await acceptInvitation(world, code, password, clientOf(world, request));
      return token === undefined ? gone(reply) : enter(world, reply, token);
    },
  };
}
