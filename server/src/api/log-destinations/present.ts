import type { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { cursorsOf, type LogDatabases, lagOf } from "#records/log-destinations";
import type { LogCursorRow, LogDestinationRow } from "#storage/log-destination-tables";
import type { LogDestination } from "./schema.ts";

type Presented = z.input<typeof LogDestination>;
const BEHIND_SECONDS = 5 * 60;

/** With the state of their cursors. */
export async function presentLogDestinations(
  databases: LogDatabases,
  rows: readonly LogDestinationRow[],
  now: number,
): Promise<Presented[]> {
  const cursors = await cursorsOf(
    databases.main,
    rows.map(({ id }) => id),
  );
  const presented: Presented[] = [];
  for (const row of rows) {
    const own = cursors.filter(({ destination_id }) => destination_id === row.id);
    const states: Presented["cursors"] = [];
    for (const cursor of own) states.push(await presentCursor(databases, cursor, now));
    presented.push({ ...presentFields(row), status: statusOf(row, states), cursors: states });
  }
  return presented;
}

export async function presentLogDestination(
  databases: LogDatabases,
  row: LogDestinationRow,
  now: number,
): Promise<Presented> {
  const [presented] = await presentLogDestinations(databases, [row], now);
  if (!presented) throw new Error("a log destination was not presented");
  return presented;
}

function presentFields({ config, ...row }: LogDestinationRow): Omit<Presented, "status" | "cursors"> {
  return {
    ...{ id: row.id, name: row.name, kind: row.kind, sources: row.sources, outcomes: row.outcomes },
    ...{ url: config.url ?? null, region: config.region ?? null, bucket: config.bucket ?? null },
    ...{ addressing: config.addressing ?? null, access_key_id: config.access_key_id ?? null },
    ...{ prefix: config.prefix ?? null, header_names: [...(config.header_names ?? [])], enabled: row.enabled },
    ...{ created_by: row.created_by, created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
  };
}

async function presentCursor(
  databases: LogDatabases,
  cursor: LogCursorRow,
  now: number,
): Promise<Presented["cursors"][number]> {
  const { records, since } = await lagOf(databases, cursor);
  return {
    ...{ source: cursor.source, position: cursor.position, lag_records: records },
    lag_seconds: since === undefined ? 0 : Math.max(0, Math.round((now - since) / 1000)),
    ...{ shipped_records: cursor.shipped, shipped_at: timeOrNull(cursor.shipped_at) },
    ...{ lost_records: cursor.lost, lost_at: timeOrNull(cursor.lost_at), rejected_records: cursor.rejected },
    ...{ failing_since: timeOrNull(cursor.failing_since), last_error: cursor.last_error },
    next_attempt_at: cursor.failing_since === null ? null : isoTime(cursor.due_at),
  };
}

function statusOf({ enabled }: LogDestinationRow, cursors: Presented["cursors"]): Presented["status"] {
  if (!enabled) return "paused";
  if (cursors.some(({ failing_since }) => failing_since !== null)) return "failing";
  return cursors.some(({ lag_seconds }) => lag_seconds > BEHIND_SECONDS) ? "behind" : "current";
}

/** For the audit log. Other services expect a token in the query, so it is left out. */
export function auditedLogDestination({ name, kind, sources, outcomes, config, enabled }: LogDestinationRow): object {
  const url = config.url?.replace(/\?.*$/, "?…");
  return { name, kind, sources, outcomes, ...config, ...(url !== undefined && { url }), enabled };
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}
