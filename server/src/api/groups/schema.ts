import { z } from "zod";
import { createdAt, isoTime, recordId, updatedAt } from "#api/kit/answers";
import { flag, requiredText } from "#api/kit/body-fields";
import type { GroupWithCounts } from "#records/groups";

const words = {
  auto_assign_users: "Whether every person who is created from now on joins this group; machine users do not",
  auto_assign_mcps: "Whether every MCP server that is created from now on joins this group",
  show_draft_mcps: "Whether members list and call the group's draft servers too",
};

/** Spec 2.5, D14. */
export const Group = z
  .object({
    id: recordId("grp"),
    name: z.string().meta({ description: "Unique without regard to case", example: "Engineering" }),
    settings: z
      .object({
        auto_assign_users: z.boolean().describe(words.auto_assign_users),
        auto_assign_mcps: z.boolean().describe(words.auto_assign_mcps),
        show_draft_mcps: z.boolean().describe(words.show_draft_mcps),
      })
      .describe("How the group behaves"),
    users_count: z.int().meta({ description: "How many people and machine users are in it", example: 12 }),
    integrations_count: z.int().meta({ description: "How many MCP servers are in it", example: 3 }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "Group", description: "Users, and the MCP servers that they can use" });

const Settings = z
  .object(
    {
      auto_assign_users: flag().optional().describe(words.auto_assign_users),
      auto_assign_mcps: flag().optional().describe(words.auto_assign_mcps),
      show_draft_mcps: flag().optional().describe(words.show_draft_mcps),
    },
    { error: "must be an object" },
  )
  .optional();
const nameWords = "Unique without regard to case; every other operation finds the group by it";

export const CreateGroupBody = z
  .object({
    name: requiredText("name").describe(nameWords),
    settings: Settings.describe("How the group shall behave; what is left out is false"),
  })
  .meta({
    id: "CreateGroup",
    description: "A group to be made",
    example: { name: "Engineering", settings: { auto_assign_users: true } },
  });

/** A rename may be left out, but `null` is no name (D11). */
export const UpdateGroupBody = z
  .object({
    name: requiredText("name").optional().describe(nameWords),
    settings: Settings.describe("How the group shall behave; what is left out stays"),
  })
  .meta({
    id: "UpdateGroup",
    description: "What to change; what is left out stays",
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
    users_count: group.users_count,
    integrations_count: group.integrations_count,
    created_at: isoTime(group.created_at),
    updated_at: isoTime(group.updated_at),
  };
}
