import { z } from "zod";
import { isoTime } from "#api/http/answers";
import { flag, requiredText } from "#api/http/body-fields";
import type { GroupWithCounts } from "#records/groups";

/** Spec 2.5, D14. */
export const Group = z
  .object({
    id: z.string(),
    name: z.string(),
    settings: z.object({
      auto_assign_users: z.boolean(),
      auto_assign_mcps: z.boolean(),
      show_draft_mcps: z.boolean(),
    }),
    users_count: z.int(),
    integrations_count: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Group" });

const Settings = z
  .object(
    { auto_assign_users: flag().optional(), auto_assign_mcps: flag().optional(), show_draft_mcps: flag().optional() },
    { error: "must be an object" },
  )
  .optional();

export const CreateGroupBody = z.object({ name: requiredText("name"), settings: Settings }).meta({ id: "CreateGroup" });

/** A rename may be left out, but `null` is no name (D11). */
export const UpdateGroupBody = z
  .object({ name: requiredText("name").optional(), settings: Settings })
  .meta({ id: "UpdateGroup" });

export function presentGroup(group: GroupWithCounts): z.input<typeof Group> {
  return {
    id: group.id,
    name: group.name,
    settings: {
      auto_assign_users: group.auto_assign_users,
      auto_assign_mcps: group.auto_assign_mcps,
      show_draft_mcps: group.show_draft_mcps,
    },
    users_count: group.users_count,
    integrations_count: group.integrations_count,
    created_at: isoTime(group.created_at),
    updated_at: isoTime(group.updated_at),
  };
}
