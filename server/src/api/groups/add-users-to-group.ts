import { z } from "zod";
import { Success } from "#api/kit/answers";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { managedByScim, notFound, unknownReferences } from "#lib/errors";
import { fold } from "#lib/fold";
import { lockGroup, userLinks } from "#records/groups";
import { findUsersByEmail } from "#records/users";

const MOST_EMAILS = 1_000;

export const AddUsersBody = z
  .object({
    emails: z
      .array(text(), {
        error: (issue) => (issue.input === undefined ? "emails array cannot be empty" : "must be an array"),
      })
      .min(1, { error: "emails array cannot be empty" })
      .max(MOST_EMAILS, { error: `must contain at most ${MOST_EMAILS} emails` })
      .describe("Emails of the people and machine users to add. Existing members are skipped"),
  })
  .meta({
    id: "AddUsers",
    description: "Users to add",
    example: { emails: ["ada@example.com", "build-bot@machine.example.com"] },
  });

/** D20: adds all people and machine users or none, and skips those that are already members. */
export const addUsersToGroup = write({
  id: "addUsersToGroup",
  route: "POST /api/groups/{name}/users",
  tag: "Groups",
  summary: "Add users to a group",
  description:
    "Adds all users, or none if one is unknown. Existing members are skipped. A group that the identity provider manages through SCIM accepts only machine users.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  body: AddUsersBody,
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to add users to group",
  async run({ tx, trail, path, body }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const users = await findUsersByEmail(tx, [...new Set(body.emails)]);
    const known = new Set(users.map((user) => user.email_key));
    const unknown = [...new Set(body.emails)].filter((email) => !known.has(fold(email)));
    if (unknown.length > 0) throw unknownReferences("Users", unknown);
    if (group.provisioned_by != null && users.some((user) => !user.is_machine_user)) {
      throw managedByScim("emails", "group");
    }
    const links = users.map((user) => ({ groupId: group.id, memberId: user.id }));
    await userLinks.add(tx, trail, links);
    trail.audit({
      operation: "addUsersToGroup",
      target: { kind: "group", id: group.id, name: group.name },
      after: { emails: users.map((user) => user.email) },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
