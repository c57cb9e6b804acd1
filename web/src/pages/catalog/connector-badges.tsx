import { StatusPill } from "../../components/status-pill.tsx";
import type { Connector } from "./connectors.ts";

const AUTH_BADGES = {
  "proxy-oauth": "OAuth",
  "proxy-api-key": "API key",
  none: "No authentication",
} as const;

/** Publisher and authentication at a glance. Built-in connectors are the vendors' own servers. */
export function ConnectorBadges({
  connector,
}: {
  connector: Pick<Connector, "source" | "official" | "auth_types" | "status">;
}) {
  const { source, official, auth_types: types, status } = connector;
  return (
    <span className="gh-card-badges">
      {status === "beta" && <StatusPill tone="warn">Beta</StatusPill>}
      {(source === "connector" || official) && <StatusPill tone="info">Official</StatusPill>}
      {types.map((type) => (
        <StatusPill key={type} tone="quiet">
          {AUTH_BADGES[type]}
        </StatusPill>
      ))}
    </span>
  );
}
