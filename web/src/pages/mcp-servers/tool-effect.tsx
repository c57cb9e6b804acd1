import { Tooltip } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import type { Detail } from "./servers.ts";
import "./status.css";

type Hints = Detail["all_tools"][number]["hints"];

export const EFFECTS = [
  { value: "destructive", label: "Destructive" },
  { value: "read-only", label: "Read-only" },
] as const;

/** What matters most of what a server says that calls do; undefined: neither. */
export function effectOf({ read_only: readOnly, destructive }: Hints): (typeof EFFECTS)[number]["value"] | undefined {
  if (readOnly) return "read-only";
  return destructive ? "destructive" : undefined;
}

/** The server's own word on what a call does, as quiet marks with an explanation. */
export function ToolEffect({ hints }: { hints: Hints }) {
  const effect = effectOf(hints);
  const { idempotent, open_world: openWorld } = hints;
  const more = [...(idempotent ? ["repeatable"] : []), ...(openWorld ? ["reaches out"] : [])];
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
  const said = [
    ...(readOnly ? ["a call changes nothing"] : destructive ? ["a call may delete or overwrite something"] : []),
    ...(idempotent ? ["calling it again the same way changes nothing more"] : []),
    ...(openWorld ? ["it deals with things beyond the server, such as the web"] : []),
  ];
  return `The server says: ${said.join("; ")}. Its word, not a guarantee.`;
}
