/** The marketplace of one user, as Claude Code, Cursor and Codex read it. */
import type { PluginManifest, PluginTarget } from "#storage/plugin-tables";
import { jsonText } from "../release/content.ts";
import { marketplaceName } from "./name.ts";

export interface MarketplaceEntry {
  readonly slug: string;
  readonly version: string;
  readonly manifest: PluginManifest;
}

/** Where the files of a plugin are in the repository of a marketplace. */
export function folderOf(slug: string): string {
  return `plugins/${slug}`;
}

/** `sourceOf` says where Claude Code gets the plugin. */
export function claudeMarketplace<Entry extends MarketplaceEntry>(
  orgName: string,
  entries: readonly Entry[],
  sourceOf: (entry: Entry) => unknown,
): string {
  return jsonText({
    ...{ name: marketplaceName(orgName), owner: { name: orgName } },
    metadata: { description: `Plugins of ${orgName}` },
    forceRemoveDeletedPlugins: true,
    plugins: entriesFor("claude", entries).map((entry) => ({
      ...{ name: entry.slug, source: sourceOf(entry) },
      ...describedBy(entry),
    })),
  });
}

/** Paths and texts of the files of a marketplace's repository that are not part of a plugin. */
export function marketplaceFiles(orgName: string, entries: readonly MarketplaceEntry[]): [string, string][] {
  const name = marketplaceName(orgName);
  const owner = { name: orgName };
  return [
    [".claude-plugin/marketplace.json", claudeMarketplace(orgName, entries, ({ slug }) => `./${folderOf(slug)}`)],
    [
      ".cursor-plugin/marketplace.json",
      jsonText({
        ...{ name, owner, metadata: { description: `Plugins of ${orgName}`, pluginRoot: "plugins" } },
        plugins: entriesFor("cursor", entries).map(({ slug, manifest: { description } }) => {
          return { name: slug, source: slug, ...(description !== "" && { description }) };
        }),
      }),
    ],
    [
      ".agents/plugins/marketplace.json",
      jsonText({
        ...{ name, interface: { displayName: orgName } },
        plugins: entriesFor("codex", entries).map(({ slug, manifest: { category } }) => ({
          ...{ name: slug, source: { source: "local", path: `./${folderOf(slug)}` } },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: category ?? "Productivity",
        })),
      }),
    ],
    ["README.md", readme(orgName, entries)],
  ];
}

function entriesFor<Entry extends MarketplaceEntry>(target: PluginTarget, entries: readonly Entry[]): Entry[] {
  return entries.filter(({ manifest }) => manifest.targets.includes(target));
}

function describedBy({ version, manifest }: MarketplaceEntry) {
  const { description, author, category, keywords, homepage, license } = manifest;
  return {
    version,
    ...(description !== "" && { description }),
    author,
    ...(homepage !== null && { homepage }),
    ...(license !== null && { license }),
    ...(keywords.length > 0 && { keywords }),
    ...(category !== null && { category }),
  };
}

function readme(orgName: string, entries: readonly MarketplaceEntry[]): string {
  const lines = entries.map(({ slug, version, manifest: { name } }) => `- ${slug} ${version}: ${oneLine(name)}`);
  return `# Plugins of ${oneLine(orgName)}\n\n${lines.length === 0 ? "None yet." : lines.join("\n")}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
