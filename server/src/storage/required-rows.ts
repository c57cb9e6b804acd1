import { type Kysely, sql } from "kysely";
import type { Databases } from "./database.ts";
import { hasTable } from "./has-table.ts";

interface RequiredRow {
  readonly table: string;
  readonly key: "id" | "name";
  readonly value: number | string;
}

/** Without its row, nothing can be published, so the service does not start. */
const CHANGE_COUNTER = "change_counter";
/** Migrations insert these rows, and nothing deletes them. */
const MAIN: readonly RequiredRow[] = [CHANGE_COUNTER, "audit_chain", "audit_verification", "discovery_policy"].map(
  (table) => ({ table, key: "id", value: 1 }),
);
const CALLS: readonly RequiredRow[] = ["calls", "names"].map((value) => ({
  table: "log_counters",
  key: "name",
  value,
}));

export const RESTORE_ADVICE = "Restore a backup into an empty database.";

/** Printed as one line (decision 0260). */
export class MissingRows extends Error {
  override readonly name = "MissingRows";

  constructor(tables: readonly string[]) {
    super(`${describeMissingRows(tables)} ${RESTORE_ADVICE}`);
  }
}

export function describeMissingRows(tables: readonly string[]): string {
  return `Required rows of these tables were deleted: ${tables.join(", ")}.`;
}

/** The tables without a row that must exist. Tables that an earlier release does not have are ignored. */
export async function readMissingRows({ main, calls }: Pick<Databases, "main" | "calls">): Promise<string[]> {
  return [...new Set([...(await missingIn(main, MAIN)), ...(await missingIn(calls, CALLS))])];
}

/** For commands that change or copy the data. */
export async function assertRequiredRows(databases: Pick<Databases, "main" | "calls">): Promise<void> {
  const missing = await readMissingRows(databases);
  if (missing.length > 0) throw new MissingRows(missing);
}

/** The service also starts without other rows, because calls do not need them. `report` receives what is missing. */
export async function assertPublishable(
  databases: Pick<Databases, "main" | "calls">,
  report: (message: string) => void,
): Promise<void> {
  const missing = await readMissingRows(databases);
  if (missing.includes(CHANGE_COUNTER)) throw new MissingRows(missing);
  if (missing.length > 0) report(new MissingRows(missing).message);
}

async function missingIn<Tables>(db: Kysely<Tables>, required: readonly RequiredRow[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { table, key, value } of required) {
    if (!(await hasTable(db, table))) continue;
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(key)} = ${value}`.execute(db);
    if (rows.length === 0) missing.push(table);
  }
  return missing;
}
