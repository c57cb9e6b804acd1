import type { MainDb } from "#storage/database";
import type { ServerToolRow } from "#storage/server-tables";
import { ACCEPTED, type Pin, type PinningServer } from "./pin.ts";

/** What build-time guards decided about a definition. */
export type GuardVerdict = Pick<ServerToolRow, "blocked_by" | "guards_key">;

export const NOT_BLOCKED: GuardVerdict = { blocked_by: null, guards_key: null };

/** A stored definition, as far as guards need it. */
export type EvaluatedRow = Pick<ServerToolRow, "digest" | "pin" | "pinned_digest" | "reviewed_digest"> & GuardVerdict;

type Before = EvaluatedRow & Pick<ServerToolRow, "definition" | keyof Pin>;
type GuardedPin = Pin & GuardVerdict & Pick<ServerToolRow, "reviewed_digest">;

/** The digest of the definition that callers had before, if any. */
export function acceptedDigest({ pin, digest, pinned_digest }: EvaluatedRow): string | null {
  return pin === "accepted" ? digest : pinned_digest;
}

/**
 * The pin of a definition that guards have evaluated: a blocked one is held, whatever the server's policy is. A definition
 * that an admin accepted in a review is not held again.
 */
export function holdBlocked(
  pin: Pin,
  { tools_synced_at }: Pick<PinningServer, "tools_synced_at">,
  before: Before | undefined,
  digest: string,
  { blocked_by, guards_key }: GuardVerdict,
): GuardedPin {
  const reviewed_digest = before?.reviewed_digest ?? null;
  if (blocked_by === null || reviewed_digest === digest) {
    const isFree = before?.blocked_by != null && before.pinned_digest === digest;
    return { ...(isFree ? ACCEPTED : pin), blocked_by: null, guards_key, reviewed_digest };
  }
  const guarded = { blocked_by, guards_key, reviewed_digest };
  if (pin.pin !== "accepted") return { ...pin, held: true, ...guarded };
  const known = tools_synced_at === null ? undefined : before;
  return { ...heldPin(known, digest), ...guarded };
}

/** The policy accepts the definition, and a guard does not. */
function heldPin(before: Before | undefined, digest: string): Pin {
  const held: Pin = { ...ACCEPTED, pin: "new", held: true };
  if (before === undefined || before.digest === "") return held;
  if (before.digest === digest && before.blocked_by !== null) {
    const { pin, pinned_definition, pinned_digest } = before;
    return { ...held, pin, pinned_definition, pinned_digest };
  }
  // Callers had this definition until now. Its digest shows that it needs no review without the guard.
  if (acceptedDigest(before) === digest) return { ...held, pinned_digest: digest };
  const definition = before.pin === "accepted" ? before.definition : before.pinned_definition;
  if (definition === null) return held;
  return { ...held, pin: "changed", pinned_definition: definition, pinned_digest: acceptedDigest(before) };
}

/** Definitions that were not evaluated are not blocked. */
export function verdictOf({ blocked_by = null, guards_key = null }: Partial<GuardVerdict>): GuardVerdict {
  return { blocked_by, guards_key };
}

/** Whether a definition waits for review that did not wait before the sync. */
export function isNewlyMarked(
  { pin, digest, blocked_by }: Pick<ServerToolRow, "pin" | "digest" | "blocked_by">,
  before: Pick<ServerToolRow, "digest" | "blocked_by"> | undefined,
): boolean {
  if (pin === "accepted") return false;
  return digest !== before?.digest || (blocked_by !== null && before.blocked_by === null);
}

/** By the name at the upstream. */
export async function evaluatedToolsOf(db: MainDb, serverId: string): Promise<ReadonlyMap<string, EvaluatedRow>> {
  const rows = await db
    .selectFrom("server_tools")
    .select(["upstream_name", "digest", "pin", "pinned_digest", "reviewed_digest", "blocked_by", "guards_key"])
    .where("server_id", "=", serverId)
    .execute();
  return new Map(rows.map((row) => [row.upstream_name, row]));
}

/** Names of the tools of all other servers, as these servers call them and as the gateway does. */
export async function namesOfOtherTools(db: MainDb, serverId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("server_tools")
    .innerJoin("mcp_servers", "mcp_servers.id", "server_tools.server_id")
    .select(["upstream_name", "server_tools.slug", "mcp_servers.slug as server"])
    .where("server_id", "<>", serverId)
    .where("listed", "=", true)
    .execute();
  return new Set(rows.flatMap(({ upstream_name, slug, server }) => [upstream_name, `${server}__${slug}`]));
}
