import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { flagParameter, targetParameter } from "#api/kit/parameters";
import { hasSignedIn } from "#identity/has-signed-in";
import { invalid, notFound } from "#lib/errors";
import { queueEmails, sealEmailToken } from "#records/emails";
import { makeInvitation } from "#records/invitations";
import { lockIssuer } from "#records/issuers";
import { lockUser, mayManage } from "#records/users";
import { Invitation } from "./schema.ts";

/** D20: only this response contains the link. Anyone who has it can sign in as this person, once. */
export const inviteUser = write({
  id: "inviteUser",
  route: "POST /api/users/invite",
  tag: "Users",
  summary: "Invite a person to sign in",
  description:
    "Returns a single-use link with which the person sets a password. Anyone who opens the link first can sign in as this person, so send it through a private channel. If the installation has a mail server, the person also gets the link by email.\n\nIf the person has signed in before, accepting the link resets the account: it deletes the person's connections, web sessions, MCP clients, and API tokens, and the person is notified. Creating such a link requires the scope `all`, as does inviting an owner or admin.",
  scope: "admin:write",
  query: {
    email: targetParameter("The person's email, case-insensitive", "ada@example.com"),
    skip_email: flagParameter("Whether the link is not sent by email"),
  },
  answers: {
    201: z.object({
      data: Invitation,
      invite_url: z
        .string()
        .optional()
        .meta({ description: "The invitation link. Omitted when an idempotent request is repeated", format: "uri" }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to invite user",
  shownOnce: ["invite_url"],
  async run({ tx, trail, query, actor, context, requireScope }) {
    const row = await lockUser(tx, query.email);
    if (!row) throw notFound.user(query.email);
    if (row.is_machine_user) throw invalid("email", `not a person: ${query.email}`);
    if (row.disabled) throw invalid("email", `user is disabled: ${query.email}`);
    const resetsAccount = await hasSignedIn(tx, row.id);
    // The link gives admin access (decision 0009), or an account that is in use (decision 0056).
    const requiredAll = mayManage(row.role) || resetsAccount;
    if (requiredAll) requireScope("all");
    const { invitation, token } = await makeInvitation(tx, {
      userId: row.id,
      creator: actor,
      responsibleId: await lockIssuer(tx, actor, requiredAll ? "all" : "admin:write"),
      resetsAccount,
      requiredAll,
      now: context.clock.now(),
      random: context.random,
    });
    const queued = query.skip_email
      ? 0
      : await queueEmails(tx, context.newId, {
          ...{ kind: "invitation", recipients: [row], now: invitation.createdAt, expiresAt: invitation.expiresAt },
          // The person does not know the names of API tokens.
          data: {
            ...{ name: row.name, resets_account: resetsAccount ? "yes" : "no" },
            invited_by: actor.kind === "user" ? actor.name : "An administrator",
          },
          sealToken: (id) => sealEmailToken(context.vault, id, token),
        });
    const data = {
      user_id: row.id,
      email: row.email,
      created_by: actor.name,
      resets_account: resetsAccount,
      emailed_to: queued > 0 ? row.email : null,
      created_at: isoTime(invitation.createdAt),
      expires_at: isoTime(invitation.expiresAt),
    };
    trail.audit({ operation: "inviteUser", target: { kind: "user", id: row.id, name: row.email }, after: data });
    // Browsers do not send the fragment, so the token appears in no access log and no Referer.
    return { status: 201, body: { data, invite_url: `${context.baseUrl}/invite#${token}` } };
  },
});
