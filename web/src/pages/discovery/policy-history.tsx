import { IconHistory } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { discoveryKey } from "./discovery.ts";

const LABELS: Readonly<Record<string, string>> = {
  updateDiscoveryPolicy: "Changed the defaults",
  createDiscoveryRule: "Created rule",
  updateDiscoveryRule: "Changed rule",
  deleteDiscoveryRule: "Deleted rule",
  orderDiscoveryRules: "Ordered the rules",
};

/** Who changed the policy, and when. */
export function PolicyHistory() {
  const api = useApi();
  const list = usePages([...discoveryKey, "history"], (cursor, signal) =>
    api.listDiscoveryPolicyHistory({ query: { cursor, limit: 100 }, signal }),
  );
  return (
    <DataTable
      label="History"
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconHistory} title="No changes yet">
          Changes of the policy are listed here.
        </EmptyState>
      }
    />
  );
}

type Entry = Awaited<ReturnType<ReturnType<typeof useApi>["listDiscoveryPolicyHistory"]>>["data"][number];

const COLUMNS: ReadonlyArray<Column<Entry>> = [
  {
    key: "what",
    header: "Change",
    render: ({ operation, rule_name: rule }) => (
      <span className="gh-truncate">
        {LABELS[operation] ?? operation}
        {rule !== null && ` ${rule}`}
      </span>
    ),
  },
  {
    key: "who",
    header: "By",
    width: "30%",
    hideBelow: "sm",
    render: ({ actor }) => <span className="gh-truncate">{actor}</span>,
  },
  {
    key: "version",
    header: "Version",
    width: "6rem",
    align: "right",
    hideBelow: "sm",
    render: ({ version }) => version,
  },
  { key: "when", header: "When", width: "8rem", render: ({ ts }) => <TimeAgo time={ts} /> },
];
