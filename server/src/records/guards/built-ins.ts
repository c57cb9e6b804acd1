import { isDeepStrictEqual } from "node:util";
import type { MainTransaction } from "#storage/database";
import type { GuardRow } from "#storage/guard-tables";
import { lockRows } from "#storage/lock-rows";
import { type WriteContext, type WriteTrail, writeTransaction } from "#storage/transaction";
import { insertAs, updateGuard } from "./store.ts";

/** What a release says about a built-in guard. Its slug is also its key. */
export type BuiltInGuard = Pick<
  GuardRow,
  "slug" | "name" | "description" | "type" | "action" | "threshold" | "direction" | "priority" | "message"
> & {
  readonly entity_types: readonly GuardRow["entity_types"][number][];
  readonly checks: readonly {
    readonly id: string;
    readonly type: string;
    readonly name: string;
    readonly certainty: number;
    readonly config: object;
  }[];
};

const ACTOR = {
  actor: { kind: "system", id: "built-in-guards", name: "Built-in guards" },
  requestId: "built-in-guards",
} as const;

/**
 * Adds the built-in guards that are missing, disabled, and updates the texts and checks of the others. Admins cannot change
 * these fields, so a new release never overwrites a change of an admin.
 */
export async function ensureBuiltInGuards(context: WriteContext, guards: readonly BuiltInGuard[]): Promise<void> {
  const stored = await context.db.selectFrom("guards").selectAll().where("builtin_key", "is not", null).execute();
  const byKey = new Map(stored.map((row) => [row.builtin_key, row]));
  if (guards.every((guard) => isCurrent(byKey.get(guard.slug), guard))) return;
  await writeTransaction(context, ACTOR, async (tx, trail) => {
    // Processes that start at the same time wait for each other.
    await lockRows(tx, tx.selectFrom("change_counter").selectAll().where("id", "=", 1)).execute();
    for (const [position, guard] of guards.entries()) await ensureOne(tx, trail, context, guard, position);
  });
}

function isCurrent(row: GuardRow | undefined, guard: BuiltInGuard): boolean {
  if (row === undefined) return false;
  const current = fixedFields(guard);
  const { name, description, entity_types, checks, message } = row;
  return isDeepStrictEqual({ name, description, entity_types, checks, message }, current);
}

async function ensureOne(
  tx: MainTransaction,
  trail: WriteTrail,
  { clock, newId }: WriteContext,
  guard: BuiltInGuard,
  position: number,
): Promise<void> {
  const find = tx.selectFrom("guards").selectAll().where("builtin_key", "=", guard.slug);
  const row = await lockRows(tx, find).executeTakeFirst();
  const now = clock.now();
  if (row) {
    if (!isCurrent(row, guard)) await updateGuard(tx, trail, row, { ...fixedFields(guard), updated_at: now });
    return;
  }
  const { slug, type, action, threshold, direction, priority } = guard;
  await insertAs(tx, trail, {
    ...{ id: newId("grd"), builtin_key: slug, slug, type, action, threshold, direction, priority },
    ...{ ...fixedFields(guard), search_text: "", enabled: false, sealed_headers: null, on_error: null },
    scope: { groups: [], servers: [], tools: [], users: [], exclude_servers: [] },
    // Lists are ordered by this time, so the guards keep the order of the release.
    ...{ created_at: now + position, updated_at: now + position },
  });
}

/** As they are read from the database. */
function fixedFields({ name, description, entity_types, checks, message }: BuiltInGuard) {
  const stored = checks.map(({ id, type, name: checkName, certainty, config }) => ({
    ...{ id, type, name: checkName, certainty, config: { ...config } },
  }));
  return { name, description, entity_types: [...entity_types], checks: stored, message };
}
