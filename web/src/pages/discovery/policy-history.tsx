import { IconHistory } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { describeMatch } from "./conditions.ts";
import { discoveryKey } from "./discovery.ts";

const LABELS: Readonly<Record<string, string>> = {
  updateDiscoveryPolicy: "Changed the defaults",
  createDiscoveryRule: "Created rule",
  updateDiscoveryRule: "Changed rule",
  deleteDiscoveryRule: "Deleted rule",
  orderDiscoveryRules: "Ordered the rules",
};

/** Who changed the policy, when, and what. */
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

const FIELDS: Readonly<Record<string, string>> = {
  name: "Name",
  enabled: "Enabled",
  position: "Position",
  kind: "Applies to",
  action: "Action",
  match: "Conditions",
  message: "Message",
  expires_at: "Expires",
  enforcement: "Enforcement",
  default_actions: "Default actions",
  default_mcp_servers: "MCP servers",
  default_skills: "Skills",
  always_allow_managed: "Always allow managed items",
  notify_users: "Notify users",
};

const ACTION_VERBS: Readonly<Record<string, string>> = { allow: "Allow", warn: "Warn", block: "Block" };

/** "Action: Warn → Block, Position: 3 → 1". Of new and deleted rules, only action and conditions. */
function describeChange(before: Entry["before"], after: Entry["after"]): string {
  if (!before || !after) {
    const rule = before ?? after;
    return rule?.match === undefined ? "" : `${shown("action", rule.action)} if ${shown("match", rule.match)}`;
  }
  return Object.keys(FIELDS)
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]) && field in after)
    .map((field) => `${FIELDS[field]}: ${shown(field, before[field])} → ${shown(field, after[field])}`)
    .join(", ");
}

function Details({ text }: { readonly text: string }) {
  if (text === "") return null;
  return (
    <span className="gh-truncate" title={text}>
      {text}
    </span>
  );
}

function shown(field: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (field === "expires_at" && typeof value === "number") return new Date(value).toLocaleString("en");
  if (field === "action") return ACTION_VERBS[String(value)] ?? String(value);
  if (typeof value !== "object") return String(value);
  return field === "match" ? describeMatch(value as Record<string, unknown>) : Object.entries(value).flat().join(" ");
}

type Entry = Awaited<ReturnType<ReturnType<typeof useApi>["listDiscoveryPolicyHistory"]>>["data"][number];

const COLUMNS: ReadonlyArray<Column<Entry>> = [
  {
    key: "what",
    header: "Change",
    render: ({ operation, rule_name: rule, before, after }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">
          {LABELS[operation] ?? operation}
          {rule !== null && ` ${rule}`}
        </span>
        <Details text={describeChange(before, after)} />
      </span>
    ),
  },
  {
    key: "version",
    header: "Version",
    width: "6rem",
    align: "right",
    hideBelow: "sm",
    render: ({ version }) => version,
  },
  {
    key: "who",
    header: "By",
    width: "22%",
    narrowWidth: "8rem",
    render: ({ actor, ts }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{actor}</span>
        <span>
          <TimeAgo time={ts} />
        </span>
      </span>
    ),
  },
];
