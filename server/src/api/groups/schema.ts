import { z } from "zod";
import { createdAt, isoTime, recordId, updatedAt } from "#api/kit/answers";
import { flag, requiredText } from "#api/kit/body-fields";
import { CallLimits, CallLimitsBody, presentCallLimits } from "#api/presenters/call-limits";
import type { GroupWithCounts } from "#records/groups";

const descriptions = {
  auto_assign_users: "Whether new people join this group automatically. Machine users do not",
  auto_assign_mcps: "Whether new MCP servers join this group automatically",
  show_draft_mcps: "Whether members can call the group's draft servers",
};

/** Spec 2.5, D14. */
export const Group = z
  .object({
    id: recordId("grp"),
    name: z.string().meta({ description: "Unique, case-insensitive", example: "Engineering" }),
    settings: z
      .object({
        auto_assign_users: z.boolean().describe(descriptions.auto_assign_users),
        auto_assign_mcps: z.boolean().describe(descriptions.auto_assign_mcps),
        show_draft_mcps: z.boolean().describe(descriptions.show_draft_mcps),
      })
      .describe("Settings of the group"),
    provisioned_by: z.enum(["scim"]).nullable().meta({
      description: "`scim`: the identity provider manages name, people, and deletion. Null: managed in Gatehouse",
      example: null,
    }),
    external_id: z
      .string()
      .nullable()
      .meta({ description: "ID of the group at the identity provider. Null: none", example: null }),
    limits: CallLimits.describe("Limits of each member's calls to the servers of the group"),
    users_count: z.int().meta({ description: "Number of people and machine users in the group", example: 12 }),
    integrations_count: z.int().meta({ description: "Number of MCP servers in the group", example: 3 }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "Group", description: "Users, and the MCP servers they have access to" });

const Settings = z
  .object(
    {
      auto_assign_users: flag().optional().describe(descriptions.auto_assign_users),
      auto_assign_mcps: flag().optional().describe(descriptions.auto_assign_mcps),
      show_draft_mcps: flag().optional().describe(descriptions.show_draft_mcps),
    },
    { error: "must be an object" },
  )
  .optional();
const nameDescription = "Unique, case-insensitive. Identifies the group in other operations";

const limitsDescription = "Limits of each member's calls to the servers of the group";

export const CreateGroupBody = z
  .object({
    name: requiredText("name").describe(nameDescription),
    settings: Settings.describe("Settings of the group. Omitted settings are false"),
    limits: CallLimitsBody.nullish().describe(`${limitsDescription}. Default: none`),
  })
  .meta({
    id: "CreateGroup",
    description: "A group to create",
    example: { name: "Engineering", settings: { auto_assign_users: true } },
  });

/** The name can be omitted but not `null` (D11). */
export const UpdateGroupBody = z
  .object({
    name: requiredText("name").optional().describe(nameDescription),
    settings: Settings.describe("Settings to change. Omitted settings keep their values"),
    limits: CallLimitsBody.nullish().describe(`${limitsDescription}, merged key by key; null removes one or both`),
  })
  .meta({
    id: "UpdateGroup",
    description: "Changes to a group. Omitted fields keep their values",
    example: { name: "Platform", settings: { show_draft_mcps: true } },
  });

export function presentGroup(group: GroupWithCounts): z.input<typeof Group> {
  return {
    id: group.id,
    name: group.name,
    settings: {
      auto_assign_users: group.auto_assign_users,
      auto_assign_mcps: group.auto_assign_mcps,
      show_draft_mcps: group.show_draft_mcps,
    },
    provisioned_by: group.provisioned_by ?? null,
    external_id: group.external_id ?? null,
    limits: presentCallLimits(group),
    users_count: group.users_count,
    integrations_count: group.integrations_count,
    created_at: isoTime(group.created_at),
    updated_at: isoTime(group.updated_at),
  };
}
