import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { invalid, notFound } from "#lib/errors";
import { makeInvitation } from "#records/invitations";
import { lockUser, mayManage } from "#records/users";
import { Invitation } from "./schema.ts";

/** D20: the link is in this answer and nowhere else; whoever has it may become this person, once. */
export const inviteUser = write({
  id: "inviteUser",
  route: "POST /api/users/invite",
  tag: "Users",
  summary: "Invite a person to sign in",
  description: "The link is in this answer and nowhere else. Whoever has it may become this person, once.",
  scope: "admin:write",
  query: { email: targetParameter("The person's e-mail, in any case", "ada@example.com") },
  answers: {
    201: z.object({
      data: Invitation,
      invite_url: z
        .string()
        .optional()
        .meta({ description: "The single-use link to hand to the person; shown this once", format: "uri" }),
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
    // Whoever holds their link can become them (decision 0009).
    if (mayManage(row.role)) requireScope("all");
    const making = { userId: row.id, createdBy: actor.id, now: context.clock.now(), random: context.random };
    const { invitation, token } = await makeInvitation(tx, making);
    const data = {
      user_id: row.id,
      email: row.email,
      created_at: isoTime(invitation.createdAt),
      expires_at: isoTime(invitation.expiresAt),
    };
    trail.audit({ operation: "inviteUser", target: { kind: "user", id: row.id, name: row.email }, after: data });
    // Behind the #, which browsers send to nobody: the token reaches no access log and no Referer.
    return { status: 201, body: { data, invite_url: `${context.baseUrl}/invite#${token}` } };
  },
});
