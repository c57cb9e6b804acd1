import { Text } from "@mantine/core";
import type { Column } from "../../components/data-table.tsx";
import { Logo } from "../../components/logo.tsx";
import { authLabelOf } from "./auth-methods.ts";
import { type Server, usersConnect } from "./servers.ts";
import { connectedOf, HealthWithName, ServerHealth, ServerLatency, ServerStatus } from "./status.tsx";

export const SERVER_COLUMNS: ReadonlyArray<Column<Server>> = [
  {
    key: "name",
    header: "Name",
    sorts: "asc",
    render: (server) => (
      <>
        <Logo url={server.logo_url} />
        <span className="gh-two-lines">
          <span className="gh-truncate">{server.name}</span>
          <HealthWithName server={server} />
          <code className="gh-truncate">{server.slug}</code>
        </span>
      </>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "8.25rem",
    narrowWidth: "7.5rem",
    render: (server) => <ServerStatus server={server} />,
  },
  {
    key: "synced",
    header: "Health",
    width: "10.5rem",
    hideBelow: "sm",
    sorts: "desc",
    render: (server) => <ServerHealth server={server} />,
  },
  {
    key: "calls",
    header: "Latency",
    width: "7rem",
    hideBelow: "md",
    render: (server) => <ServerLatency server={server} />,
  },
  {
    key: "groups",
    header: "Groups",
    width: "7rem",
    hideBelow: "lg",
    render: ({ groups }) => (
      <Text size="sm" c={groups.length === 0 ? "dimmed" : "inherit"} truncate title={groups.join(", ")}>
        {groups.length === 0 ? "None" : groups.join(", ")}
      </Text>
    ),
  },
  {
    key: "auth",
    header: "Authentication",
    width: "8.25rem",
    hideBelow: "md",
    render: (server) => (
      <span className="gh-two-lines">
        <span>{authLabelOf(server)}</span>
        {usersConnect(server) && <span>{connectedOf(server)} connected</span>}
      </span>
    ),
  },
  {
    key: "tools",
    header: "Tools",
    width: "4.5rem",
    align: "right",
    hideBelow: "sm",
    sorts: "desc",
    render: ({ tools_count: count }) => count,
  },
];
