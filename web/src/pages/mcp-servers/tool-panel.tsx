import { Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { OUTCOME_LABELS } from "../logs/call-labels.ts";
import { SchemaSection } from "./schema-tree.tsx";
import { type Detail, serversKey } from "./servers.ts";
import { countedUsers } from "./status.tsx";
import { ToolLimits } from "./tool-limits.tsx";

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
        <>
          <Stack gap="md">
            {tool.invisible_characters.length > 0 && (
              <Note tone="bad">
                The definition contains invisible characters: {tool.invisible_characters.join(", ")}
              </Note>
            )}
            <Text size="sm" className="gh-tool-description">
              {tool.description === "" ? "No description" : tool.description}
            </Text>
            <KeyValues items={factsOf(server, tool)} />
            <Group gap="xs" mb="md">
              <LinkButton to="/playground" search={{ tool: `${server.slug}__${tool.slug}` }}>
                Try it
              </LinkButton>
              <LinkButton to="/logs" search={{ server: server.slug, tool: tool.slug }} variant="default">
                View calls
              </LinkButton>
            </Group>
          </Stack>
          <Schemas server={server} tool={tool} />
          <ToolLimits server={server} tool={tool} key={tool.slug} />
          <LastCalls server={server} tool={tool} />
        </>
      )}
    </Drawer>
  );
}

function Schemas({ server: { slug }, tool }: { server: Detail; tool: Tool }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: [...serversKey, "definition", slug, tool.slug, tool.digest],
    queryFn: ({ signal }) => api.getToolDefinition({ path: { slug }, query: { tool: tool.slug }, signal }),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} mt="xl" />;
  return (
    <>
      <SchemaSection title="Input" schema={data.data.input_schema} empty="No arguments" />
      <SchemaSection title="Output" schema={data.data.output_schema} empty="No output schema declared" />
    </>
  );
}

const SHOWN_CALLS = 5;

function LastCalls({ server, tool }: { server: Detail; tool: Tool }) {
  const api = useApi();
  const query = { server: server.slug, tool: tool.slug };
  const { data } = useQuery({
    queryKey: ["logs", "of-tool", server.slug, tool.slug],
    queryFn: ({ signal }) => api.listLogs({ query: { ...query, limit: SHOWN_CALLS }, signal }),
  });
  const calls = data?.data ?? [];
  return (
    <Section title="Last calls">
      {!data && <Skeleton height={64} />}
      {data && calls.length === 0 && <span className="gh-dim">No calls yet</span>}
      <ul className="gh-tool-calls">
        {calls.map(({ id, ts, user_email: email, outcome, error }) => (
          <li key={id}>
            <TimeAgo time={ts} />
            <span className="gh-truncate">{email}</span>
            <span title={error ?? undefined}>
              <StatusPill tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</StatusPill>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function factsOf(server: Detail, tool: Tool): ReadonlyArray<readonly [string, React.ReactNode]> {
  const { hints } = tool;
  return [
    ["Gateway name", <CopyText key="name" value={`${server.slug}__${tool.slug}`} label="Copy tool name" />],
    ["Status", statusOf(tool)],
    ["Definition", tool.change === null ? "Accepted" : tool.change === "new" ? "New" : "Changed"],
    ["Listed for", listedFor(tool)],
    ["Access", <ToolAccess key="access" server={server} tool={tool} />],
    ["Read-only", declared(hints.read_only)],
    ["Destructive", declared(hints.destructive)],
    ["Idempotent", declared(hints.idempotent)],
    ["Open world", declared(hints.open_world)],
  ];
}

/** The names in the protocol, as people say them. */
const CAPABILITIES: Readonly<Record<Tool["required_capabilities"][number], string>> = {
  elicitation: "elicitation",
  "elicitation.url": "URL elicitation",
  roots: "roots",
  sampling: "sampling",
  "sampling.tools": "sampling with tools",
};

/** "Elicitation and sampling"; empty if the tool needs none. `elicitation.url` includes `elicitation`. */
function neededCapabilities({ required_capabilities: required }: Tool): string {
  const names = required.filter((name) => !required.some((other) => other.startsWith(`${name}.`)));
  return names.map((name) => CAPABILITIES[name]).join(" and ");
}

function listedFor(tool: Tool): string {
  const needed = neededCapabilities(tool);
  return needed === "" ? "All MCP clients" : `MCP clients with ${needed}`;
}

/** For a tool that only some MCP clients get. */
export function CapabilityMark({ tool }: { tool: Tool }) {
  const needed = neededCapabilities(tool);
  if (needed === "") return null;
  return (
    <span title="Only MCP clients that declare this capability get the tool">
      <StatusPill tone="quiet">Needs {needed}</StatusPill>
    </span>
  );
}

/** Hidden from callers by a review, whether enabled or not. */
export function isHidden({ held, rejected, change }: Tool): boolean {
  return held || (rejected && change === "new");
}

function statusOf({ rejected, change, held, enabled }: Tool): string {
  if (rejected && change === "new") return "Rejected, hidden from callers";
  if (held) return "Held for review";
  return enabled ? "Enabled" : "Disabled";
}

function ToolAccess({ server, tool }: { server: Detail; tool: Tool }) {
  const { groups, users_count: users, slug } = server;
  const people = users === 1 ? "1 user" : `${countedUsers(users)} users`;
  return (
    <span>
      {isHidden(tool) || !tool.enabled
        ? "No one while it is hidden"
        : groups.length === 0
          ? "No groups"
          : `${groups.join(", ")} (${people})`}{" "}
      <TextLink to="/access" search={{ tab: "tool", tool: `${slug}__${tool.slug}` }} inherit>
        Who can call it
      </TextLink>
      {" · "}
      <TextLink to="/mcp-servers/$slug" params={{ slug }} search={{ tab: "access" }} inherit>
        Manage access
      </TextLink>
    </span>
  );
}

function declared(hint: boolean | null): string {
  if (hint === null) return "Not declared";
  return hint ? "Yes (declared by the server)" : "No (declared by the server)";
}

export function ToolMark({ tool: { change, held, rejected, invisible_characters: invisible } }: { tool: Tool }) {
  if (held) return <StatusPill tone="warn">Held for review</StatusPill>;
  if (rejected) return <StatusPill tone="quiet">{change === "new" ? "Rejected" : "Change rejected"}</StatusPill>;
  if (invisible.length > 0) return <StatusPill tone="bad">Invisible characters</StatusPill>;
  if (change === null) return null;
  return <StatusPill tone="info">{change === "new" ? "New" : "Changed"}</StatusPill>;
}
