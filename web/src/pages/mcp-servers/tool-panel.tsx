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

export function ToolPanel({ server, tool, onClose }: ToolPanelProps) {
  return (
    <Drawer opened={tool !== undefined} onClose={onClose} title={tool?.name}>
      {tool && (
        <Stack gap="md">
          {tool.invisible_characters.length > 0 && (
            <Note tone="bad">The definition contains invisible characters: {tool.invisible_characters.join(", ")}</Note>
          )}
          <Text size="sm" className="gh-tool-description">
            {tool.description === "" ? "No description" : tool.description}
          </Text>
          <KeyValues items={factsOf(server, tool)} />
          <Group gap="xs">
            <LinkButton to="/playground" search={{ tool: `${server.slug}__${tool.slug}` }}>
              Try it
            </LinkButton>
            <LinkButton to="/logs" search={{ server: server.slug, tool: tool.slug }} variant="default">
              View calls
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
    ["Gateway name", <CopyText key="name" value={`${server.slug}__${tool.slug}`} label="Copy tool name" />],
    ["Status", tool.held ? "Held for review" : tool.enabled ? "Enabled" : "Disabled"],
    ["Definition", tool.change === null ? "Accepted" : tool.change === "new" ? "New" : "Changed"],
    ["Read-only", declared(hints.read_only)],
    ["Destructive", declared(hints.destructive)],
    ["Idempotent", declared(hints.idempotent)],
    ["Open world", declared(hints.open_world)],
  ];
}

function declared(hint: boolean | null): string {
  if (hint === null) return "Not declared";
  return hint ? "Yes (declared by the server)" : "No (declared by the server)";
}

export function ToolMark({ tool: { change, held, invisible_characters: invisible } }: { tool: Tool }) {
  if (held) return <StatusPill tone="warn">Held for review</StatusPill>;
  if (invisible.length > 0) return <StatusPill tone="bad">Invisible characters</StatusPill>;
  if (change === null) return null;
  return <StatusPill tone="info">{change === "new" ? "New" : "Changed"}</StatusPill>;
}
