import { IconTool } from "@tabler/icons-react";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { formatCount, formatPercent } from "../../components/quantities.ts";
import { Section } from "../../components/section.tsx";
import { formatDuration, type LastDay, type Statistics } from "./last-day.ts";

type Tool = Statistics["tools"][number];

export function TopTools({ day }: { day: LastDay }) {
  if (day.error && !day.data) return null;
  return (
    <Section title="Most used tools">
      <DataTable
        label="Most used tools"
        list={{ ...allRows(day.data?.tools ?? []), isPending: day.isPending }}
        columns={COLUMNS}
        rowKey={({ server_slug: slug, tool }) => `${slug} ${tool}`}
        rowLink={({ server_slug: slug }) => ({ to: "/mcp-servers/$slug", params: { slug } })}
        empty={<NoCalls />}
      />
    </Section>
  );
}

const COLUMNS: ReadonlyArray<Column<Tool>> = [
  {
    key: "tool",
    header: "Tool",
    render: ({ server_slug: slug, tool }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{tool}</span>
        <span className="gh-truncate">{slug}</span>
      </span>
    ),
  },
  { key: "calls", header: "Calls", width: "6rem", align: "right", render: ({ calls }) => formatCount(calls) },
  {
    key: "errors",
    header: "Errors",
    width: "6rem",
    align: "right",
    render: ({ errors, calls }) => formatPercent(errors, calls),
  },
  {
    key: "p95",
    header: "p95",
    width: "6rem",
    align: "right",
    hideBelow: "sm",
    render: ({ duration_ms: duration }) => formatDuration(duration.p95),
  },
];

function NoCalls() {
  return (
    <EmptyState
      icon={IconTool}
      title="No calls in the last 24 hours"
      actions={<LinkButton to="/setup">Connect a client</LinkButton>}
    >
      Connect an MCP client and call a tool through the gateway. Its calls appear here.
    </EmptyState>
  );
}
