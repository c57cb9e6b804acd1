import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { field } from "#api/pages/forms";
import { sendErrorPage, sendPage } from "#api/pages/page";
import { passwordFault } from "#identity/password-rule";
import { isSetupOpen, type NewOwner, setUpOwner } from "#identity/set-up";
import { isEmail } from "#lib/email";
import { clientOf, codeOf, formToken, requireOwnForm } from "./form.ts";
import type { PageRoutes } from "./page-routes.ts";
import { enter } from "./sign-in.ts";
import { setupPage } from "./views.ts";

const LONGEST_NAME = 200;

/** AUTH-11. */
export function setupRoutes(context: ApiContext): PageRoutes {
  const show = (request: FastifyRequest, reply: FastifyReply, status: number, fault?: string) => {
    const shown = { name: field(request, "name"), email: field(request, "email"), code: codeOf(request) };
    return sendPage(
      context,
      reply,
      status,
      setupPage({ csrfToken: formToken(context, request, reply), fault, ...shown }),
    );
  };
  const gone = (reply: FastifyReply) => {
    const sentence =
      "The link was already used, or is older than an hour. To get a new one, run `gatehouse owner-link`. Until there is an owner, Gatehouse also prints one at each start.";
    return sendErrorPage(context, reply, 410, "This link has expired", sentence);
  };
  return {
    "GET /setup-link": async (request, reply) => show(request, reply, 200),
    "POST /setup-link": async (request, reply) => {
      requireOwnForm(context, request);
      const owner = {
        name: field(request, "name").trim(),
        email: field(request, "email").trim(),
        password: field(request, "password"),
      };
      const code = codeOf(request);
      if (!(await isSetupOpen(context, code))) return gone(reply);
      const fault = faultOf(context, owner);
      if (fault !== undefined) return show(request, reply, 400, fault);
      const token = await setUpOwner(context, code, owner, clientOf(context, request));
      return token === undefined ? gone(reply) : enter(context, reply, token);
    },
  };
}

function faultOf({ orgName }: ApiContext, { name, email, password }: NewOwner): string | undefined {
  if (name === "" || name.length > LONGEST_NAME) return "Enter your name.";
  if (!isEmail(email)) return "Enter a valid email.";
  const fault = passwordFault(password, [name, email, orgName]);
  return fault === undefined ? undefined : `The password ${fault}.`;
}
