import { Text } from "@mantine/core";
import type { Column } from "../../components/data-table.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type AccessRequest, REQUEST_STATUSES, requestedTools } from "./requests.ts";

export const SERVER_COLUMN: Column<AccessRequest> = {
  key: "server",
  header: "Server",
  render: (request) => (
    <span className="gh-two-lines">
      <span className="gh-truncate">{request.server_name}</span>
      <span className="gh-truncate">{requestedTools(request)}</span>
    </span>
  ),
};

export const STATUS_COLUMN: Column<AccessRequest> = {
  key: "status",
  header: "Status",
  width: "8rem",
  narrowWidth: "7rem",
  render: ({ status }) => (
    <StatusPill tone={REQUEST_STATUSES[status].tone}>{REQUEST_STATUSES[status].label}</StatusPill>
  ),
};

export const REQUESTED_COLUMN: Column<AccessRequest> = {
  key: "requested",
  header: "Requested",
  width: "8rem",
  hideBelow: "md",
  render: ({ created_at: time }) => (
    <Text size="sm" c="dimmed" component="span">
      <TimeAgo time={time} />
    </Text>
  ),
};
