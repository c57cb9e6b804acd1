import { Stack, Text } from "@mantine/core";
import type { Schemas } from "../../api/client.ts";
import { CopyField } from "../../components/copy-field.tsx";
import { Section } from "../../components/section.tsx";
import { MarketplaceLines } from "../plugins/marketplace-lines.tsx";

interface LibraryPluginsProps {
  readonly plugins: readonly Schemas["UsablePlugin"][];
  readonly marketplace: Schemas["PluginMarketplace"];
}

export function LibraryPlugins({ plugins, marketplace }: LibraryPluginsProps) {
  return (
    <>
      <Section title="Plugins" description="Add the marketplace first. Clients then keep installed plugins up to date.">
        <ul className="gh-library">
          {plugins.map((plugin) => (
            <LibraryPlugin key={plugin.slug} plugin={plugin} />
          ))}
        </ul>
      </Section>
      <Section title="Add the marketplace" description="Create a token below first. Git asks for it once and keeps it.">
        <MarketplaceLines marketplace={marketplace} />
      </Section>
    </>
  );
}

function LibraryPlugin({ plugin }: { plugin: Schemas["UsablePlugin"] }) {
  const { name, description, version, install_commands: install } = plugin;
  return (
    <li className="gh-library-item">
      <h3>{name}</h3>
      <Text size="sm">{description}</Text>
      <Text size="sm" c="dimmed" mb="xs">{`Version ${version}`}</Text>
      <Stack gap="xs">
        {install.claude !== undefined && <CopyField value={install.claude} label={`line of ${name} for Claude Code`} />}
        {install.codex !== undefined && <CopyField value={install.codex} label={`line of ${name} for Codex`} />}
      </Stack>
    </li>
  );
}
