import { Stack, Tabs, Text } from "@mantine/core";
import { useMe } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";

/** Where clients look for the skills of a person. */
const CLIENTS = [
  { value: "claude-code", label: "Claude Code", folder: "~/.claude/skills" },
  { value: "codex", label: "Codex", folder: "~/.codex/skills" },
  { value: "cursor", label: "Cursor", folder: "~/.cursor/skills" },
] as const;

/** Lines that install a skill as files, for clients that do not get it through MCP. */
export function InstallLines({ slug }: { slug: string }) {
  const { gateway_url: url } = useMe();
  return (
    <Tabs defaultValue="claude-code" variant="outline">
      <Tabs.List aria-label="MCP client">
        {CLIENTS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {CLIENTS.map(({ value, label, folder }) => (
        <Tabs.Panel key={value} value={value} pt="sm">
          <Stack gap="xs">
            <CopyField
              multiline
              label={`lines for ${label}`}
              value={[
                `curl -fsS -H "Authorization: Bearer $GATEHOUSE_ACCESS_KEY" \\`,
                `  "${url}/skills/${slug}.zip" -o /tmp/${slug}.zip`,
                `mkdir -p ${folder} && unzip -o /tmp/${slug}.zip -d ${folder}`,
              ].join("\n")}
            />
            <Text size="sm" c="dimmed">
              MCP clients that read resources need no installation: they get the current version from the gateway.
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
