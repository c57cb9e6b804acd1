import { Stack, Tabs, Text } from "@mantine/core";
import type { Schemas } from "../../api/client.ts";
import { CopyField } from "../../components/copy-field.tsx";
import { TARGETS } from "./plugins.ts";

const WHERE = {
  claude: "In Claude Code:",
  cursor: "In Cursor, then choose plugins from the list:",
  codex: "In a terminal:",
} as const;

/** How to add the marketplace to each client. */
export function MarketplaceLines({ marketplace }: { marketplace: Schemas["PluginMarketplace"] }) {
  const { sign_in_command: signIn, add_commands: add } = marketplace;
  return (
    <Stack gap="md" maw="48rem">
      <div>
        <Text size="sm" mb="xs">
          Once for each computer. Git asks for a user name and a password, and keeps them: a token from “Your library”
          as the password, with any user name, or the access key and the secret of a machine user:
        </Text>
        <CopyField value={signIn} label="line for git" />
      </div>
      <Tabs defaultValue="claude" variant="outline">
        <Tabs.List aria-label="Client">
          {TARGETS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TARGETS.map(({ value, label }) => (
          <Tabs.Panel key={value} value={value} pt="sm">
            <Text size="sm" mb="xs">
              {WHERE[value]}
            </Text>
            <CopyField value={add[value]} label={`line for ${label}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
