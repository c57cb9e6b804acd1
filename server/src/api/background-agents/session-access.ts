import type { ReadInput } from "#api/kit/operation";
import { Refusal } from "#lib/errors";
import type { AgentSessionRow } from "#storage/agent-tables";

/**
 * Who may read sessions: with `admin:read` all of them, with `agents:invoke` those that the same token or person
 * started. Returns the actor whose sessions may be read; undefined: everybody's.
 */
export function readableSessionsOf({
  actor,
  requireScope,
}: Pick<ReadInput<unknown, unknown, unknown, unknown>, "actor" | "requireScope">): string | undefined {
  try {
    requireScope("admin:read");
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    requireScope("agents:invoke");
    return actor.id;
  }
}

/** A follow-up repeats the earlier session to the model, so it needs the permission to read that session. */
export function canRead(input: Parameters<typeof readableSessionsOf>[0], session: AgentSessionRow): boolean {
  const requestedBy = readableSessionsOf(input);
  return requestedBy === undefined || requestedBy === session.requested_by_id;
}
