import { z } from "zod";
import { flag, text } from "#api/kit/body-fields";
import { type WriteInput, write } from "#api/kit/operation";
import { invalid, notFound } from "#lib/errors";
import { detachGroups, lockGroup } from "#records/groups";
import { detachPeople, lockUser } from "#records/users";

const MOST_NAMES = 1_000;
/** In the audit entry. */
const MOST_NAMED = 100;
const names = (what: string) =>
  z
    .array(text(), { error: "must be an array" })
    .max(MOST_NAMES, { error: `must contain at most ${MOST_NAMES} ${what}` })
    .default([]);

const DetachBody = z
  .object({
    emails: names("emails").describe("Emails of people to detach"),
    groups: names("groups").describe("Names of groups to detach"),
    all: flag().default(false).describe("Detaches all people and groups"),
  })
  .meta({
    id: "DetachFromScim",
    description: "What the identity provider no longer manages",
    example: { emails: ["ada@example.com"], groups: [], all: false },
  });

type DetachInput = WriteInput<object, object, object, typeof DetachBody>;

/** Decision 0117. */
export const detachFromScim = write({
  id: "detachFromScim",
  route: "POST /api/provisioning/detach",
  tag: "Provisioning",
  summary: "Detach people and groups from SCIM",
  description:
    "For when the identity provider is gone. People, groups and memberships stay, and can be changed here again. People that the provider deactivated stay disabled until you enable them. If the provider still sends requests, its next change manages them again, so stop it first.",
  scope: "admin:write",
  body: DetachBody,
  answers: {
    200: z.object({
      data: z
        .object({
          users_count: z.int().describe("Number of detached people"),
          groups_count: z.int().describe("Number of detached groups"),
        })
        .describe("What was detached"),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to detach from SCIM",
  async run(input) {
    const { tx, trail, body, context } = input;
    if (!body.all && body.emails.length + body.groups.length === 0) {
      throw invalid("emails", "name people or groups, or set all");
    }
    const now = context.clock.now();
    const people = await detachPeople(tx, body.all ? "all" : await idsOfPeople(input), now);
    const groups = await detachGroups(tx, body.all ? "all" : await idsOfGroups(input), now);
    const data = { users_count: people.length, groups_count: groups.length };
    trail.audit({
      operation: "detachFromScim",
      target: { kind: "settings", id: "scim", name: "SCIM" },
      before: {
        emails: people.slice(0, MOST_NAMED).map(({ email }) => email),
        groups: groups.slice(0, MOST_NAMED).map(({ name }) => name),
      },
      after: data,
    });
    return { status: 200, body: { data } };
  },
});

async function idsOfPeople({ tx, body }: DetachInput): Promise<string[]> {
  const ids: string[] = [];
  for (const email of body.emails) {
    const user = await lockUser(tx, email);
    if (!user) throw notFound.user(email);
    ids.push(user.id);
  }
  return ids;
}

async function idsOfGroups({ tx, body }: DetachInput): Promise<string[]> {
  const ids: string[] = [];
  for (const name of body.groups) {
    const group = await lockGroup(tx, name);
    if (!group) throw notFound.group();
    ids.push(group.id);
  }
  return ids;
}
