import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { notifyDone, notifyWithUndo } from "../../components/notify.tsx";
import { serversKey } from "../mcp-servers/servers.ts";
import { ConnectUser, useCanConnect } from "../users/connect-user.tsx";
import { usersKey } from "../users/users.ts";
import { accessKey, type Explanation, shortName } from "./access.ts";

/** The button that fixes the reason of a denied call, or a link to where it can be fixed. */
export function FixAction({ explanation }: { explanation: Explanation }) {
  const { changes } = useRights();
  const { reason, tool } = explanation;
  const slug = tool.split("__")[0] ?? "";
  if (!changes) return null;
  // A server with per-user authentication syncs after the first user connects.
  if (reason === "not_synced" && isUnconnected(explanation)) return <Connect explanation={explanation} slug={slug} />;
  switch (reason) {
    case "not_connected":
      return <Connect explanation={explanation} slug={slug} />;
    case "user_disabled":
    case "draft":
    case "tool_disabled":
    case "not_synced":
    case "unknown_tool":
      return <ChangeAction explanation={explanation} slug={slug} />;
    case "no_group":
      return explanation.groups.some(({ gives }) => gives) ? null : (
        <ServerLink slug={slug} tab="access" label="Add the server to a group" />
      );
    case "not_selected":
      return <ServerLink slug={slug} tab="access" label="Select the tool for a group" />;
    case "tool_held":
      return <ServerLink slug={slug} tab="tools" label="Review the tool" />;
    case "no_upstream":
      return <ServerLink slug={slug} tab="settings" label="Set up the server" />;
    case "unknown_user":
      return (
        <LinkButton to="/users" search={{ add: "person" }} size="compact-sm">
          Add user
        </LinkButton>
      );
    default:
      return null;
  }
}

function isUnconnected({ steps }: Explanation): boolean {
  return steps.some(({ check, passed }) => check === "connection" && passed === false);
}

interface ServerLinkProps {
  readonly slug: string;
  readonly tab: "access" | "tools" | "settings";
  readonly label: string;
}

function ServerLink({ slug, tab, label }: ServerLinkProps) {
  return (
    <LinkButton to="/mcp-servers/$slug" params={{ slug }} search={{ tab }} size="compact-sm">
      {label}
    </LinkButton>
  );
}

interface FixProps {
  readonly explanation: Explanation;
  readonly slug: string;
}

const LABELS: Partial<Record<Explanation["reason"], string>> = {
  user_disabled: "Enable user",
  draft: "Activate server",
  tool_disabled: "Enable tool",
  not_synced: "Sync tools",
  unknown_tool: "Sync tools",
};

function ChangeAction({ explanation, slug }: FixProps) {
  const fix = useFix(explanation, slug);
  return (
    <>
      <Button size="compact-sm" loading={fix.isPending} onClick={() => fix.mutate()}>
        {LABELS[explanation.reason]}
      </Button>
      <ErrorNote error={fix.error} />
    </>
  );
}

function useFix({ email, reason, tool }: Explanation, slug: string) {
  const api = useApi();
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([accessKey, usersKey, serversKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const setDisabled = (disabled: boolean) => api.updateUser({ query: { email }, body: { disabled } }).then(refresh);
  const setStatus = (status: "active" | "draft") =>
    api.updateMcpServer({ query: { slug }, body: { status } }).then(refresh);
  const setEnabled = (isOn: boolean) => {
    const slugs = [shortName(tool)];
    const body = isOn ? { enable: slugs } : { disable: slugs };
    return api.updateMcpServerTools({ query: { slug }, body }).then(refresh);
  };
  const change = async (message: string, set: (isOn: boolean) => Promise<unknown>) => {
    await set(true);
    notifyWithUndo(message, () => set(false));
  };
  const sync = async () => {
    const { data } = await api.syncMcpServer({ path: { slug } });
    await refresh();
    if (data.sync_error !== null) throw new Error(data.sync_error);
    notifyDone(`Synced ${slug}`);
  };
  return useMutation({
    mutationFn: () => {
      if (reason === "user_disabled") return change(`Enabled ${email}`, (isOn) => setDisabled(!isOn));
      if (reason === "draft") return change(`Activated ${slug}`, (isOn) => setStatus(isOn ? "active" : "draft"));
      return reason === "tool_disabled" ? change(`Enabled ${tool}`, setEnabled) : sync();
    },
  });
}

/** Loads the user and the server, which decide how the connection is made. */
function Connect({ explanation: { email }, slug }: FixProps) {
  const api = useApi();
  const canConnect = useCanConnect();
  const { data } = useQuery({
    queryKey: [...accessKey, "connect", email, slug],
    queryFn: async ({ signal }) => {
      const [user, server] = await Promise.all([
        api.getUser({ path: { email }, signal }),
        api.getMcpServer({ path: { slug }, signal }),
      ]);
      return { user: user.data, server: server.data };
    },
  });
  if (!data || !canConnect) return null;
  return <ConnectUser {...data} isReconnect={false} />;
}
