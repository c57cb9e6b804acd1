import { Tooltip } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import type { Detail } from "./servers.ts";
import "./status.css";

type Hints = Detail["all_tools"][number]["hints"];

export const EFFECTS = [
  { value: "destructive", label: "Destructive" },
  { value: "read-only", label: "Read-only" },
] as const;

/** The more important annotation; undefined if the server declares neither. */
export function effectOf({ read_only: readOnly, destructive }: Hints): (typeof EFFECTS)[number]["value"] | undefined {
  if (readOnly) return "read-only";
  return destructive ? "destructive" : undefined;
}

/** The annotations that the server declares, with an explanation as a tooltip. */
export function ToolEffect({ hints }: { hints: Hints }) {
  const effect = effectOf(hints);
  const { idempotent, open_world: openWorld } = hints;
  const more = [...(idempotent ? ["idempotent"] : []), ...(openWorld ? ["open world"] : [])];
  if (effect === undefined && more.length === 0) return null;
  return (
    <Tooltip label={explain(hints)} multiline maw={320}>
      <span className="gh-effect">
        {effect === "destructive" && <StatusPill tone="warn">Destructive</StatusPill>}
        {effect === "read-only" && <StatusPill tone="quiet">Read-only</StatusPill>}
        {more.length > 0 && <span className="gh-dim">{more.join(", ")}</span>}
      </span>
    </Tooltip>
  );
}

function explain({ read_only: readOnly, destructive, idempotent, open_world: openWorld }: Hints): string {
  const declared = [
    ...(readOnly ? ["does not modify anything"] : destructive ? ["may delete or overwrite data"] : []),
    ...(idempotent ? ["repeated calls have no further effect"] : []),
    ...(openWorld ? ["interacts with external systems, such as the web"] : []),
  ];
  return `Declared by the server: ${declared.join("; ")}. Not verified.`;
}
