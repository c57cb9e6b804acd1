import type { McpRequest } from "../../mcp-request.ts";
import type { SnapshotHolder } from "../../snapshot/holder.ts";
import { resolve } from "../../snapshot/resolve.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import type { Forwarding } from "../forwarding.ts";

const NAMED_KINDS: Readonly<Partial<Record<Forwarding["method"], "tools" | "prompts">>> = {
  "tools/call": "tools",
  "prompts/get": "prompts",
};

/** The server of a call that has waited; undefined if the caller has lost access to it or its URL has changed. */
export function currentServer(
  holder: SnapshotHolder,
  { principal, scope, call }: McpRequest,
  to: Forwarding,
): ServerEntry | undefined {
  const snapshot = holder.current();
  const user = snapshot.usersById.get(principal.userId);
  const server = snapshot.serversById.get(to.server.id);
  if (!user || !server || server.upstream?.url !== to.server.upstream?.url) return undefined;
  const resolution = resolve(snapshot, { ...principal, user }, scope);
  const kind = NAMED_KINDS[to.method];
  if (!kind) return resolution.reach(server).reached ? server : undefined;
  const decision = resolution.named(kind, call.params?.name ?? "");
  return decision.kind === "forward" && decision.server.id === server.id ? server : undefined;
}
