import { z } from "zod";
import { write } from "#api/kit/operation";
import { returnParameter } from "#api/kit/parameters";
import { mergeCallLimits, NO_CALL_LIMITS } from "#api/presenters/call-limits";
import { fold } from "#lib/fold";
import { groupWithCounts, insertGroup } from "#records/groups";
import { CreateGroupBody, Group, presentGroup } from "./schema.ts";

/** Spec 4.3, D14. The response has the whole group with or without `return=full`. A taken name violates the constraint on the folded name. */
export const createGroup = write({
  id: "createGroup",
  route: "POST /api/groups",
  tag: "Groups",
  summary: "Create a group",
  description: "Creates an empty group. Add users and servers with the operations below.",
  scope: "admin:write",
  query: { return: returnParameter },
  body: CreateGroupBody,
  answers: { 201: z.object({ data: Group }) },
  refusals: [400],
  onCrash: "Failed to create group",
  async run({ tx, trail, body, context }) {
    const now = context.clock.now();
    const id = context.newId("grp");
    await insertGroup(tx, trail, {
      id,
      name: body.name,
      name_key: fold(body.name),
      auto_assign_users: body.settings?.auto_assign_users ?? false,
      auto_assign_mcps: body.settings?.auto_assign_mcps ?? false,
      show_draft_mcps: body.settings?.show_draft_mcps ?? false,
      ...mergeCallLimits(NO_CALL_LIMITS, body.limits),
      created_at: now,
      updated_at: now,
    });
    const group = presentGroup(await groupWithCounts(tx, id));
    trail.audit({ operation: "createGroup", target: { kind: "group", id, name: group.name }, after: group });
    return { status: 201, body: { data: group } };
  },
});
