import { type SqlBool, sql } from "kysely";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { ServerToolRow, ToolPolicy } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";
import { NOT_BLOCKED } from "./guard-holds.ts";
import { ACCEPTED, type Pin, type PinningServer } from "./pin.ts";
import { toolSearchText } from "./search.ts";

/**
 * The pin of a tool, prompt, resource or template that was just synced. The first sync accepts everything, also the first one after the upstream
 * changed, and so does the policy `allow`. A tool that returns to its accepted definition needs no approval. A different
 * definition ends a rejection.
 */
export function nextPin(
  { tool_policy: policy, tools_synced_at }: PinningServer,
  before: Pick<ServerToolRow, "digest" | "definition" | keyof Pin> | undefined,
  digest: string,
): Pin {
  if (tools_synced_at === null || policy === "allow") return ACCEPTED;
  const held = policy === "hold";
  if (!before) return { ...ACCEPTED, pin: "new", held };
  // Synced by a release without pins.
  if (before.digest === "") return ACCEPTED;
  const { pin, pinned_definition, pinned_digest } = before;
  if (digest === before.digest) {
    return { ...ACCEPTED, pin, held: held && pin !== "accepted", pinned_definition, pinned_digest };
  }
  if (pin === "new") return { ...ACCEPTED, pin, held };
  if (pin === "accepted") {
    return { ...ACCEPTED, pin: "changed", held, pinned_definition: before.definition, pinned_digest: before.digest };
  }
  return digest === pinned_digest ? ACCEPTED : { ...ACCEPTED, pin, held, pinned_definition, pinned_digest };
}

export type PendingTool = Pick<
  ServerToolRow,
  | "upstream_name"
  | "slug"
  | "definition"
  | "digest"
  | "pinned_definition"
  | "pinned_digest"
  | "unseen"
  | "held"
  | "blocked_by"
> & { readonly pin: "new" | "changed" };

/** Tools that differ from their accepted definition, in the upstream's order. */
export async function pendingTools(
  db: MainDb,
  serverId: string,
  page: { readonly offset: number; readonly limit: number },
): Promise<PendingTool[]> {
  return selectPending(db, serverId).orderBy("position").offset(page.offset).limit(page.limit).execute();
}

/** All tools that wait for review. */
export async function findPendingTools(db: MainDb, serverId: string): Promise<PendingTool[]> {
  return selectPending(db, serverId).orderBy("position").execute();
}

function selectPending(db: MainDb, serverId: string) {
  return pending(db, serverId)
    .select(["upstream_name", "slug", "definition", "digest", "pinned_definition", "pinned_digest"])
    .select(["unseen", "held", "pin", "blocked_by"])
    .$narrowType<{ pin: "new" | "changed" }>();
}

export async function countPendingTools(db: MainDb, serverId: string): Promise<number> {
  const { n } = await pending(db, serverId)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

function pending(db: MainDb, serverId: string) {
  return db.selectFrom("server_tools").where("server_id", "=", serverId).where("listed", "=", true).where(isPending);
}

/** Not accepted, and not rejected either. */
export const isPending = sql<SqlBool>`(pin <> 'accepted' and (rejected_digest is null or rejected_digest <> digest))`;

/** Accepts the current definitions of these tools. Guards do not hold them again. */
export async function acceptTools(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  names: readonly string[],
): Promise<void> {
  await tx
    .updateTable("server_tools")
    .set((row) => ({ ...ACCEPTED, blocked_by: null, reviewed_digest: row.ref("digest") }))
    .where("server_id", "=", serverId)
    .where("upstream_name", "in", idList(tx, names))
    .execute();
  trail.changed("server", serverId);
}

/**
 * Applies a changed policy to tools that already wait for review. The policy `allow` also ends rejections. Tools that a
 * guard holds stay held.
 */
export async function applyToolPolicy(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  policy: ToolPolicy,
): Promise<void> {
  const change = policy === "allow" ? ACCEPTED : { held: policy === "hold" };
  await tx
    .updateTable("server_tools")
    .set(change)
    .where("server_id", "=", serverId)
    .where(policy === "allow" ? sql<SqlBool>`(pin <> 'accepted' or rejected_digest is not null)` : isPending)
    .where("blocked_by", "is", null)
    .execute();
  trail.changed("server", serverId);
}

/** A tool with the accepted definition to return to; null for a new tool, which stays hidden. */
export interface RejectedTool extends Pick<ServerToolRow, "upstream_name" | "slug" | "digest"> {
  readonly accepted: Pick<ServerToolRow, "definition" | "digest" | "title" | "description" | "unseen"> | null;
}

/** Rejects the current definitions of these tools until the upstream lists other ones. */
export async function rejectTools(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  tools: readonly RejectedTool[],
): Promise<void> {
  for (const { upstream_name, slug, digest, accepted } of tools) {
    const returned = accepted && {
      ...ACCEPTED,
      ...NOT_BLOCKED,
      ...accepted,
      search_text: toolSearchText(slug, accepted.title),
    };
    await tx
      .updateTable("server_tools")
      .set({ ...(returned ?? { held: true }), rejected_digest: digest })
      .where("server_id", "=", serverId)
      .where("upstream_name", "=", upstream_name)
      .execute();
  }
  trail.changed("server", serverId);
}

/** The number of tools that wait for approval, by server. Servers without any are missing. */
export async function pendingToolCounts(
  db: MainDb,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (serverIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("server_tools")
    .select((select) => ["server_id", select.fn.countAll<number>().as("n")])
    .where("server_id", "in", serverIds)
    .where(isPending)
    .groupBy("server_id")
    .execute();
  return new Map(rows.map((row) => [row.server_id, row.n]));
}
