import { Drawer, Group, Stack, Text } from "@mantine/core";
import { CopyText } from "../../components/copy-text.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import type { Detail } from "./servers.ts";

type Tool = Detail["all_tools"][number];

interface ToolPanelProps {
  readonly server: Detail;
  /** Undefined: closed. */
  readonly tool: Tool | undefined;
  onClose(): void;
}

/** One tool, with all that its server says of it. */
export function ToolPanel({ server, tool, onClose }: ToolPanelProps) {
  return (
    <Drawer opened={tool !== undefined} onClose={onClose} title={tool?.name}>
      {tool && (
        <Stack gap="md">
          {tool.invisible_characters.length > 0 && (
            <Note tone="bad">
              Its definition holds characters that nobody can see: {tool.invisible_characters.join(", ")}
            </Note>
          )}
          <Text size="sm" className="gh-tool-says">
            {tool.description === "" ? "The server says nothing of it." : tool.description}
          </Text>
          <KeyValues items={factsOf(server, tool)} />
          <Group gap="xs">
            <LinkButton to="/playground" search={{ tool: `${server.slug}__${tool.slug}` }}>
              Try it
            </LinkButton>
            <LinkButton to="/logs" search={{ server: server.slug, tool: tool.slug }} variant="default">
              Its calls
            </LinkButton>
          </Group>
        </Stack>
      )}
    </Drawer>
  );
}

function factsOf(server: Detail, tool: Tool): ReadonlyArray<readonly [string, React.ReactNode]> {
  const { hints } = tool;
  return [
    ["At the gateway", <CopyText key="name" value={`${server.slug}__${tool.slug}`} label="Copy the tool's name" />],
    ["Callers", tool.held ? "Held back until it is accepted" : tool.enabled ? "See it" : "Do not see it: switched off"],
    ["Since you accepted it", tool.change === null ? "Unchanged" : tool.change === "new" ? "New" : "Changed"],
    ["Changes nothing", saidOf(hints.read_only)],
    ["May delete or overwrite", saidOf(hints.destructive)],
    ["May be repeated", saidOf(hints.idempotent)],
    ["Reaches beyond the server", saidOf(hints.open_world)],
  ];
}

function saidOf(hint: boolean | null): string {
  if (hint === null) return "The server does not say";
  return hint ? "Yes, says the server" : "No, says the server";
}

/** What an admin should look at before anything else. */
export function ToolMark({ tool: { change, held, invisible_characters: invisible } }: { tool: Tool }) {
  if (held) return <StatusPill tone="warn">Held back</StatusPill>;
  if (invisible.length > 0) return <StatusPill tone="bad">Invisible text</StatusPill>;
  if (change === null) return null;
  return <StatusPill tone="info">{change === "new" ? "New" : "Changed"}</StatusPill>;
}
