import type { FailedTrial, Trial } from "#connect/connect";
import { type UpstreamFailureKind, UpstreamFault } from "#gateway/upstream/failure";
import { type ListParts, listUpstream } from "#gateway/upstream/handshake/list";
import type { McpServerRow } from "#storage/server-tables";

export type SyncableServer = McpServerRow & { readonly upstream_url: string };

const TRIAL_MS = 10_000;

const CAUSES: Readonly<Partial<Record<UpstreamFailureKind, FailedTrial["cause"]>>> = {
  unreachable: "unreachable",
  timeout: "timeout",
  refused: "not_allowed",
};

export function upstreamOf(server: SyncableServer) {
  const transport = server.is_local ? "stdio" : (server.upstream_transport ?? "both");
  return { url: server.upstream_url, transport, eras: server.eras } as const;
}

/** Reads all lists, as a sync does, because many servers accept any handshake and reject only list requests. */
export async function tryHeaders(
  { upstream_url, ...server }: McpServerRow,
  headers: readonly string[],
  parts: ListParts,
): Promise<Trial> {
  if (upstream_url === null) return { verdict: "unknown", cause: "unreachable", reason: "has no upstream yet" };
  try {
    const { tools } = await listUpstream(parts, upstreamOf({ ...server, upstream_url }), {
      headers,
      deadlineMs: TRIAL_MS,
    });
    return { verdict: "accepted", toolsCount: tools.length };
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    const { kind, status, message: reason } = error;
    if (kind === "unauthorized") return { verdict: "refused", cause: "rejected", status, reason };
    return { verdict: "unknown", cause: CAUSES[kind] ?? "invalid_response", reason };
  }
}
