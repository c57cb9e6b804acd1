import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { mergeCallLimits } from "#api/presenters/call-limits";
import { managedByScim, notFound } from "#lib/errors";
import { fold } from "#lib/fold";
import { groupWithCounts, lockGroup, updateGroup as updateRow } from "#records/groups";
import { Group, presentGroup, UpdateGroupBody } from "./schema.ts";

/** Spec 4.3: a rename keeps all links, because they reference the ID. */
export const updateGroup = write({
  id: "updateGroup",
  route: "PATCH /api/groups",
  tag: "Groups",
  summary: "Rename a group or change its settings and limits",
  description:
    "Omitted fields keep their values. Turning on `auto_assign_users` or `auto_assign_mcps` does not affect existing users or servers. `limits` apply to each member: a call is accepted if at least one of the groups that grant it has no limits or has not reached them.",
  scope: "admin:write",
  query: { name: targetParameter("The group's current name, case-insensitive", "Engineering") },
  body: UpdateGroupBody,
  answers: { 200: z.object({ data: Group }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update group",
  async run({ tx, trail, query, body, context }) {
    const row = await lockGroup(tx, query.name);
    if (!row) throw notFound.group();
    if (row.provisioned_by != null) {
      if (body.name !== undefined && body.name !== row.name) throw managedByScim("name", "group");
      if (body.settings?.auto_assign_users) throw managedByScim("settings.auto_assign_users", "group");
    }
    const before = presentGroup(await groupWithCounts(tx, row.id));
    await updateRow(tx, trail, row.id, {
      name: body.name ?? row.name,
      name_key: fold(body.name ?? row.name),
      auto_assign_users: body.settings?.auto_assign_users ?? row.auto_assign_users,
      auto_assign_mcps: body.settings?.auto_assign_mcps ?? row.auto_assign_mcps,
      show_draft_mcps: body.settings?.show_draft_mcps ?? row.show_draft_mcps,
      ...mergeCallLimits(row, body.limits),
      updated_at: context.clock.now(),
    });
    const after = presentGroup(await groupWithCounts(tx, row.id));
    trail.audit({ operation: "updateGroup", target: { kind: "group", id: row.id, name: after.name }, before, after });
    return { status: 200, body: { data: after } };
  },
});
