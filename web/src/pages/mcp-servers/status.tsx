import { StatusPill } from "../../components/status-pill.tsx";
import type { Standing } from "./servers.ts";

/** The first thing that somebody should know of a server. */
export function ServerStatus({ server }: { server: Standing }) {
  if (server.needs_setup) return <StatusPill tone="warn">Needs setup</StatusPill>;
  if (server.status === "draft") return <StatusPill tone="quiet">Draft</StatusPill>;
  return <StatusPill tone="good">Active</StatusPill>;
}

/** Whether its tools can be read, and when that was last tried. */
export function ServerHealth({ server }: { server: Standing }) {
  if (server.connection === null) return "–";
  if (server.sync_error !== null) return <StatusPill tone="bad">Not reached</StatusPill>;
  if (server.tools_synced_at === null) return <StatusPill tone="quiet">Not read yet</StatusPill>;
  if (server.tools_changed_count > 0) return <StatusPill tone="warn">Tools changed</StatusPill>;
  return <StatusPill tone="good">Reached</StatusPill>;
}
