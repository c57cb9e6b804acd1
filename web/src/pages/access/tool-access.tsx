import { Group as Row } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { UserName } from "../users/user-cells.tsx";
import { accessKey, type Caller, type CallersSummary, type CallTarget, VERDICT_PILLS, type Verdict } from "./access.ts";
import { ExplainDrawer } from "./explain-drawer.tsx";

interface ToolAccessProps {
  readonly target: CallTarget;
  readonly q: string | undefined;
  readonly verdict: Verdict | undefined;
  /** The user whose access to the tool is explained. */
  readonly email: string | undefined;
  onChange(
    patch: { q?: string | undefined; verdict?: Verdict | undefined; email?: string | undefined },
    options?: { replace: boolean },
  ): void;
}

/** Who can call a tool or any tool of a server, through which groups, and why others cannot. */
export function ToolAccess({ target, q, verdict, email, onChange }: ToolAccessProps) {
  const api = useApi();
  const filters = { ...target, search: q, verdict };
  const list = usePages([...accessKey, "callers", filters], (cursor, signal) =>
    api.listCallers({ query: { ...filters, cursor, limit: 100 }, signal }),
  );
  const { data } = useQuery({
    queryKey: [...accessKey, "callers-summary", target],
    queryFn: ({ signal }) => api.listCallers({ query: { ...target, limit: 1 }, signal }),
  });
  const { tool } = target;
  return (
    <>
      <FilterBar count={data && countText(data.summary)}>
        <SearchField label="Search users" value={q} onChange={(next) => onChange({ q: next }, { replace: true })} />
        <Choice
          label="Access"
          any="Any access"
          value={verdict}
          options={VERDICT_CHOICES}
          onChange={(next) => onChange({ verdict: next }, { replace: true })}
        />
      </FilterBar>
      {data && <Blocked summary={data.summary} />}
      <DataTable
        label="Callers"
        list={list}
        columns={COLUMNS}
        rowKey={(caller) => caller.email}
        {...(tool === undefined
          ? {
              rowLink: (caller: Caller) =>
                ({ to: "/access", search: { email: caller.email, q: `${target.server}__` } }) as const,
            }
          : { onOpen: (caller: Caller) => onChange({ email: caller.email }), openKey: email })}
        empty={
          <EmptyState icon={IconUsers} title="No matching users">
            The search covers names and emails.
          </EmptyState>
        }
      />
      {tool !== undefined && (
        <ExplainDrawer
          email={email ?? ""}
          tool={email === undefined ? undefined : tool}
          onClose={() => onChange({ email: undefined })}
        />
      )}
    </>
  );
}

/** Shown if no user can call the target, whatever their groups. */
function Blocked({ summary: { blocked_by: reason, next_step: next, server, tool } }: { summary: CallersSummary }) {
  if (reason === null) return null;
  return (
    <Note tone="bad">
      <Row justify="space-between" gap="xs">
        <span>
          No user can call {tool === null ? "this server" : "this tool"}. {next}
        </span>
        <LinkButton to="/mcp-servers/$slug" params={{ slug: server }} variant="default" size="compact-sm">
          Open server
        </LinkButton>
      </Row>
    </Note>
  );
}

function countText({ allowed, not_connected: waiting, refused }: CallersSummary): string {
  const count = (n: number) => n.toLocaleString("en");
  const connect = waiting === 0 ? "" : ` · ${count(waiting)} not connected`;
  return `${count(allowed)} can call${connect} · ${count(refused)} without access`;
}

const VERDICT_CHOICES = [
  { value: "allowed", label: "Allowed" },
  { value: "not_connected", label: "Not connected" },
  { value: "refused", label: "No access" },
] as const;

const COLUMNS: ReadonlyArray<Column<Caller>> = [
  {
    key: "user",
    header: "User",
    render: ({ name, email, is_machine_user: isMachine }) => (
      <UserName user={{ name, email, ...(isMachine ? { slug: email.split("@")[0] ?? email } : {}) }} />
    ),
  },
  {
    key: "access",
    header: "Access",
    width: "11rem",
    narrowWidth: "8.5rem",
    render: ({ verdict, connection }) => {
      const { tone, label } = VERDICT_PILLS[verdict];
      const needsReconnection = verdict === "not_connected" && connection === "reconnect_needed";
      return <StatusPill tone={tone}>{needsReconnection ? "Needs reconnection" : label}</StatusPill>;
    },
  },
  {
    key: "reason",
    header: "Groups or reason",
    width: "40%",
    hideBelow: "sm",
    render: ({ groups, verdict, says }) => {
      const text = verdict === "refused" ? says.replace(/\.$/, "") : groups.join(", ");
      return (
        <span className="gh-dim gh-truncate" title={text}>
          {text}
        </span>
      );
    },
  },
];
