import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { installCommands, type MarketplaceSettings } from "#plugins/marketplace/urls";
import { latestReleases, pluginsOfUser } from "#records/plugins";
import type { MainDb } from "#storage/database";
import { PLUGIN_TARGETS } from "#storage/plugin-tables";
import type { UserRow } from "#storage/user-tables";

export const PluginMarketplace = z
  .object({
    name: z.string().meta({ description: "The name of the marketplace in clients", example: "acme" }),
    marketplace_url: z.string().meta({
      description: "The plugins of the caller as JSON",
      example: "https://gateway.example.com/plugins/marketplace.json",
    }),
    git_url: z.string().meta({
      description: "The plugins of the caller as one git repository",
      example: "https://gateway.example.com/plugins/marketplace.git",
    }),
    sign_in_command: z.string().meta({
      description: "Asks for the access key and its secret, which the credential helper of git keeps",
      example: "git ls-remote https://gateway.example.com/plugins/marketplace.git",
    }),
    add_commands: z
      .object({
        claude: z.string().describe("Typed in Claude Code"),
        cursor: z.string().describe("Typed in Cursor"),
        codex: z.string().describe("Typed in a terminal"),
      })
      .describe("What adds the marketplace to each client"),
  })
  .meta({ id: "PluginMarketplace", description: "Where clients get plugins" });

export const UsablePlugin = z
  .object({
    slug: z.string().meta({ description: "The name in clients", example: "engineering" }),
    name: z.string().meta({ description: "Display name", example: "Engineering" }),
    description: z.string().describe("What the plugin is for"),
    version: z.string().meta({ description: "The version of the latest release", example: "1.4.0" }),
    targets: z.array(z.enum(PLUGIN_TARGETS)).describe("The clients that it is made for"),
    published_at: timestamp("When the latest release was published"),
    install_commands: z
      .object({
        claude: z.string().optional().describe("Typed in Claude Code"),
        codex: z.string().optional().describe("Typed in a terminal"),
      })
      .describe("What installs it after the marketplace was added"),
  })
  .meta({ id: "UsablePlugin", description: "An active plugin of a user's groups, with its latest release" });

export async function usablePlugins(
  db: MainDb,
  user: Pick<UserRow, "id">,
  { orgName }: MarketplaceSettings,
): Promise<z.input<typeof UsablePlugin>[]> {
  const rows = await pluginsOfUser(db, user.id);
  const latest = await latestReleases(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(({ id, slug }) => {
    const release = latest.get(id);
    if (!release) return [];
    const { name, description, targets } = release.manifest;
    return {
      ...{ slug, name, description, version: release.version, targets },
      published_at: isoTime(release.published_at),
      install_commands: installCommands(slug, targets, orgName),
    };
  });
}
