import type { Schemas } from "../../api/client.ts";
import type { Column } from "../../components/data-table.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { browserName } from "./browser-name.ts";

export type Session = Schemas["WebSession"];

const METHOD_LABELS: Readonly<Record<string, string>> = {
  password: "Password",
  invitation: "Invitation",
  oidc: "Single sign-on",
  setup: "Setup link",
};

/** The columns of web sessions, for users and for admins. */
export const SESSION_COLUMNS: ReadonlyArray<Column<Session>> = [
  {
    key: "browser",
    header: "Browser",
    render: ({ user_agent: agent, current }) => (
      <span title={agent}>
        {browserName(agent)} {current && <StatusPill tone="info">Current</StatusPill>}
      </span>
    ),
  },
  {
    key: "address",
    header: "IP address",
    width: "11rem",
    hideBelow: "sm",
    render: ({ address }) => <code>{address}</code>,
  },
  {
    key: "method",
    header: "Sign-in",
    width: "8rem",
    hideBelow: "md",
    render: ({ method }) => METHOD_LABELS[method] ?? method,
  },
  {
    key: "seen",
    header: "Last used",
    width: "8rem",
    render: ({ last_seen_at: time }) => <TimeAgo time={time} />,
  },
];
