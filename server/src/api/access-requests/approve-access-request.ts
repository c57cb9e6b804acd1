import { z } from "zod";
import { flag, requiredText, text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { AccessRequestEntry, presentRequest } from "#api/presenters/access-request";
import { invalid, managedByScim, notFound } from "#lib/errors";
import { fold } from "#lib/fold";
import { selects, type ToolSelection } from "#lib/tool-selection";
import { findRequest, settleRequest } from "#records/access-requests";
import {
  findGrant,
  insertGroup,
  isGranted,
  lockGroup,
  selectionOf,
  selectTools,
  serverLinks,
  userLinks,
} from "#records/groups";
import type { MainTransaction } from "#storage/database";
import type { AccessRequestRow } from "#storage/request-tables";
import type { WriteTrail } from "#storage/transaction";
import { emailDecision } from "./email-decision.ts";
import { LONGEST_NOTE, lockUndecided } from "./undecided.ts";

export const ApproveAccessRequestBody = z
  .object({
    group: requiredText("group").describe("The group that gives access, by name, case-insensitive"),
    grant: flag()
      .default(false)
      .describe("Adds what was requested to the group if it does not grant it, for all its members"),
    create_group: flag().default(false).describe("Creates the group if it does not exist, with what was requested"),
    note: text(LONGEST_NOTE).nullable().default(null).describe("A note for the person"),
  })
  .meta({
    id: "ApproveAccessRequest",
    description: "How to grant a request",
    example: { group: "Engineering", note: null },
  });

/** F31. */
export const approveAccessRequest = write({
  id: "approveAccessRequest",
  route: "POST /api/access-requests/{id}/approve",
  tag: "Access",
  summary: "Approve an access request through a group",
  description:
    "Adds the user to the group. If the group does not grant everything that was requested, this is a 400 unless `grant` is true: then the group gets the server, with only the requested tools if tools were requested, or the requested tools in addition to those that it grants.",
  scope: "admin:write",
  path: { id: pathParameter("The request's ID") },
  body: ApproveAccessRequestBody,
  answers: { 200: z.object({ data: AccessRequestEntry }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to approve access request",
  async run({ tx, trail, path, body, actor, context }) {
    const request = await lockUndecided(tx, path.id);
    const now = context.clock.now();
    const group = await findOrCreateGroup(tx, trail, body, () => context.newId("grp"), now);
    await grantServer(tx, trail, group, request, { mayWiden: body.grant || group.isNew, now });
    await userLinks.add(tx, trail, [{ groupId: group.id, memberId: request.user_id }]);
    const decided = { decided_by: actor.name, decided_at: now, message: body.note, group_name: group.name };
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
    await emailDecision(tx, context, { userId: request.user_id, data });
    return { status: 200, body: { data } };
  },
});

async function findOrCreateGroup(
  tx: MainTransaction,
  trail: WriteTrail,
  { group: name, create_group: mayCreate }: z.output<typeof ApproveAccessRequestBody>,
  newId: () => string,
  now: number,
): Promise<GrantingGroup> {
  const known = await lockGroup(tx, name);
  if (known?.provisioned_by != null) throw managedByScim("group", "group");
  if (known) return { id: known.id, name: known.name, isNew: false };
  if (!mayCreate) throw notFound.group();
  const settings = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
  const group = { id: newId(), name, name_key: fold(name), ...settings, created_at: now, updated_at: now };
  await insertGroup(tx, trail, group);
  return { id: group.id, name, isNew: true };
}

interface GrantingGroup {
  readonly id: string;
  readonly name: string;
  readonly isNew: boolean;
}

/** The group grants at least what was requested afterwards (F51). */
async function grantServer(
  tx: MainTransaction,
  trail: WriteTrail,
  group: GrantingGroup,
  { server_id: serverId, tool_names: tools }: AccessRequestRow,
  { mayWiden, now }: { readonly mayWiden: boolean; readonly now: number },
): Promise<void> {
  const link = { groupId: group.id, memberId: serverId };
  const grant = await findGrant(tx, link);
  if (isGranted(grant, tools)) return;
  const selection = grant && selectionOf(grant);
  if (!mayWiden) {
    const missing = selection ? tools.filter((tool) => !selects(selection, tool)) : [];
    const lacking = grant && tools.length > 0 ? `these tools: ${missing.join(", ")}` : "all that was requested";
    throw invalid("group", `${group.name} does not grant ${lacking}. Choose another group, or set grant to true`);
  }
  if (!grant) await serverLinks.add(tx, trail, [link]);
  await selectTools(tx, trail, link, widened(selection, tools), now);
}

/** Undefined: all tools of the server. */
function widened(selection: ToolSelection | undefined, tools: readonly string[]): ToolSelection | undefined {
  if (tools.length === 0) return undefined;
  const names = new Set(selection?.names);
  if (selection?.rule === "except") {
    for (const tool of tools) names.delete(tool);
    return { rule: "except", names };
  }
  for (const tool of tools) names.add(tool);
  return { rule: "only", names };
}
