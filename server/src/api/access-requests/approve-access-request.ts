import { z } from "zod";
import { flag, requiredText, text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { AccessRequestEntry, presentRequest } from "#api/presenters/access-request";
import { notFound } from "#lib/errors";
import { fold } from "#lib/fold";
import { findRequest, lockPendingRequest, settleRequest } from "#records/access-requests";
import { findGrant, insertGroup, lockGroup, selectionOf, selectTools, serverLinks, userLinks } from "#records/groups";
import type { MainTransaction } from "#storage/database";
import type { AccessRequestRow } from "#storage/request-tables";
import type { WriteTrail } from "#storage/transaction";

export const LONGEST_MESSAGE = 1_000;

export const ApproveAccessRequestBody = z
  .object({
    group: requiredText("group").describe("The group that gives access, by name, case-insensitive"),
    create_group: flag().default(false).describe("Creates the group if it does not exist"),
    message: text(LONGEST_MESSAGE).nullable().default(null).describe("A message for the person"),
  })
  .meta({
    id: "ApproveAccessRequest",
    description: "How to grant a request",
    example: { group: "Engineering", message: null },
  });

/** F31. */
export const approveAccessRequest = write({
  id: "approveAccessRequest",
  route: "POST /api/access-requests/{id}/approve",
  tag: "Access",
  summary: "Approve an access request through a group",
  description:
    "Adds the server to the group and the user to its members, as far as needed. If the server is new to the group and tools were requested, the group grants only these. If the group grants only some tools, the requested ones are added for all members.",
  scope: "admin:write",
  path: { id: pathParameter("The request's ID") },
  body: ApproveAccessRequestBody,
  answers: { 200: z.object({ data: AccessRequestEntry }) },
  refusals: [400, 404],
  onCrash: "Failed to approve access request",
  async run({ tx, trail, path, body, actor, context }) {
    const request = await lockPendingRequest(tx, path.id);
    if (!request) throw notFound.accessRequest();
    const now = context.clock.now();
    const group = await findOrCreateGroup(tx, trail, body, () => context.newId("grp"), now);
    await grantServer(tx, trail, group.id, request, now);
    await userLinks.add(tx, trail, [{ groupId: group.id, memberId: request.user_id }]);
    const decided = { decided_by: actor.name, decided_at: now, message: body.message, group_name: group.name };
    await settleRequest(tx, request.id, { status: "approved", ...decided });
    const approved = await findRequest(tx, request.id);
    if (!approved) throw notFound.accessRequest();
    const data = presentRequest(approved);
    trail.audit({
      operation: "approveAccessRequest",
      target: { kind: "access-request", id: request.id, name: `${data.email} ${data.server}` },
      before: { status: "pending" },
      after: { status: "approved", group: group.name, email: data.email, server: data.server, tools: data.tools },
    });
    return { status: 200, body: { data } };
  },
});

async function findOrCreateGroup(
  tx: MainTransaction,
  trail: WriteTrail,
  { group: name, create_group: mayCreate }: z.output<typeof ApproveAccessRequestBody>,
  newId: () => string,
  now: number,
): Promise<{ readonly id: string; readonly name: string }> {
  const known = await lockGroup(tx, name);
  if (known) return known;
  if (!mayCreate) throw notFound.group();
  const settings = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
  const group = { id: newId(), name, name_key: fold(name), ...settings, created_at: now, updated_at: now };
  await insertGroup(tx, trail, group);
  return group;
}

/** The group grants at least the requested tools afterwards. */
async function grantServer(
  tx: MainTransaction,
  trail: WriteTrail,
  groupId: string,
  { server_id: serverId, tool_names: tools }: AccessRequestRow,
  now: number,
): Promise<void> {
  const link = { groupId, memberId: serverId };
  const grant = await findGrant(tx, link);
  if (!grant) {
    await serverLinks.add(tx, trail, [link]);
    if (tools.length > 0) await selectTools(tx, trail, link, { rule: "only", names: new Set(tools) }, now);
    return;
  }
  const selection = selectionOf(grant);
  if (!selection) return;
  if (tools.length === 0) return selectTools(tx, trail, link, undefined, now);
  const names = new Set(selection.names);
  for (const tool of tools) {
    if (selection.rule === "only") names.add(tool);
    else names.delete(tool);
  }
  await selectTools(tx, trail, link, { rule: selection.rule, names }, now);
}
