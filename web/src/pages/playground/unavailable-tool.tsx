import { Button, Skeleton } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe, useRights } from "../../api/context.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { accessKey } from "../access/access.ts";
import { useMembership } from "../groups/membership.ts";
import { type MyServer, toolsKey } from "./tools.ts";

type Explanation = Schemas["AccessExplanation"];

interface UnavailableToolProps {
  readonly name: string;
  /** The server of the tool, if the user has access to it. */
  readonly server: MyServer | undefined;
}

/** Explains why the user cannot call a tool, and offers the fix. */
export function UnavailableTool({ name, server }: UnavailableToolProps) {
  const { administers } = useRights();
  if (administers) return <Explained name={name} />;
  if (server && server.connection.status !== "connected") {
    return (
      <EmptyState
        icon={IconLock}
        title={`Connect your account to ${server.name}`}
        actions={
          <LinkButton to="/connections" search={{ open: server.slug }}>
            Connect account
          </LinkButton>
        }
      >
        <code>{name}</code> is available after you connect your account.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconLock} title="You do not have access to this tool">
      Ask an admin to add you to a group that includes <code>{name}</code>.
    </EmptyState>
  );
}

function Explained({ name }: { name: string }) {
  const api = useApi();
  const { data: me } = useMe();
  const email = me.email ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: [...accessKey, "explained", email, name],
    queryFn: async ({ signal }) => (await api.explainAccess({ query: { email, tool: name }, signal })).data,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  return (
    <EmptyState icon={IconLock} title={titleOf(data)} actions={<Fix explanation={data} email={email} />}>
      <code>{name}</code>
      <br />
      {data.reason === "no_group"
        ? "Only members of a group that includes the server can call its tools."
        : (data.next_step ?? data.says)}
    </EmptyState>
  );
}

const TITLES: Readonly<Record<Explanation["reason"], string>> = {
  allowed: "The tool is now available",
  unknown_user: "Your account was deleted",
  user_disabled: "Your account is disabled",
  malformed_name: "This is not a tool name",
  unknown_server: "The MCP server does not exist",
  no_group: "None of your groups includes this server",
  draft: "The server is a draft",
  not_selected: "Your groups do not grant this tool",
  not_in_toolkit: "A toolkit does not have this tool",
  no_upstream: "The server has no URL yet",
  not_synced: "The server's tools are not synced",
  unknown_tool: "The server has no such tool",
  tool_disabled: "The tool is disabled",
  tool_held: "The tool is held for review",
  not_connected: "Your account is not connected",
};

function titleOf({ reason }: Explanation): string {
  return TITLES[reason];
}

interface FixProps {
  readonly explanation: Explanation;
  readonly email: string;
}

function Fix({ explanation: { reason, tool, groups }, email }: FixProps) {
  const { changes } = useRights();
  const slug = tool.split("__")[0] ?? "";
  if (reason === "allowed") return <ReloadTools />;
  if (reason === "not_connected") {
    return (
      <LinkButton to="/connections" search={{ open: slug }}>
        Connect account
      </LinkButton>
    );
  }
  if (reason === "unknown_server" || reason === "malformed_name") {
    return (
      <LinkButton to="/mcp-servers" variant="default">
        View MCP servers
      </LinkButton>
    );
  }
  if (reason === "no_group") {
    const joinable = changes ? groups.filter(({ member, gives }) => !member && gives).slice(0, 3) : [];
    if (joinable.length > 0) return <JoinGroups names={joinable.map(({ name }) => name)} email={email} />;
  }
  const page = SERVER_PAGES[reason];
  return page ? (
    <LinkButton to="/mcp-servers/$slug" params={{ slug }} search={page.tab === undefined ? {} : { tab: page.tab }}>
      {page.label}
    </LinkButton>
  ) : null;
}

/** Where an admin fixes each reason. */
const SERVER_PAGES: Readonly<
  Partial<Record<Explanation["reason"], { readonly label: string; readonly tab?: "access" | "settings" | "tools" }>>
> = {
  no_group: { label: "Add the server to a group", tab: "access" },
  draft: { label: "Activate the server" },
  not_selected: { label: "Select the tool for a group", tab: "access" },
  no_upstream: { label: "Set up the server", tab: "settings" },
  not_synced: { label: "Sync tools" },
  unknown_tool: { label: "View the server's tools", tab: "tools" },
  tool_disabled: { label: "Enable the tool", tab: "tools" },
  tool_held: { label: "Review the tool", tab: "tools" },
};

function JoinGroups({ names, email }: { names: readonly string[]; email: string }) {
  const queries = useQueryClient();
  const { addUsers } = useMembership();
  const join = useMutation({
    mutationFn: async (group: string) => {
      await addUsers(group, [email]);
      await queries.invalidateQueries({ queryKey: toolsKey });
    },
  });
  return (
    <>
      {names.map((name) => (
        <Button
          key={name}
          variant="default"
          loading={join.isPending && join.variables === name}
          onClick={() => join.mutate(name)}
        >
          Add me to {name}
        </Button>
      ))}
      <ErrorNote error={join.error} />
    </>
  );
}

function ReloadTools() {
  const queries = useQueryClient();
  return <Button onClick={() => void queries.invalidateQueries({ queryKey: toolsKey })}>Reload tools</Button>;
}
