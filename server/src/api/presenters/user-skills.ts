import { z } from "zod";
import { skillsOfUser } from "#records/skills";
import type { MainDb } from "#storage/database";
import type { UserRow } from "#storage/user-tables";

export const UsableSkill = z
  .object({
    slug: z.string().meta({ description: "The name of the skill", example: "release-notes" }),
    name: z.string().meta({ description: "The name of the skill", example: "release-notes" }),
    description: z.string().describe("What it does and when to use it"),
    version: z.int().meta({ description: "The current version", example: 1 }),
    uri: z.string().meta({ description: "Its URI at the gateway", example: "skill://release-notes/SKILL.md" }),
    download_url: z.string().meta({
      description: "A ZIP file, for clients without MCP. Requires a credential of the gateway",
      example: "https://gatehouse.example.com/skills/release-notes.zip",
    }),
  })
  .meta({ id: "UsableSkill", description: "An active skill of a user's groups" });

export async function usableSkills(
  db: MainDb,
  { gatewayUrl }: { readonly gatewayUrl: string },
  user: Pick<UserRow, "id">,
): Promise<z.input<typeof UsableSkill>[]> {
  return (await skillsOfUser(db, user.id)).map(({ slug, description, version }) => ({
    ...{ slug, name: slug, description, version, uri: `skill://${slug}/SKILL.md` },
    download_url: `${gatewayUrl}/skills/${slug}.zip`,
  }));
}
