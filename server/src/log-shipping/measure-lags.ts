import {
  cursorsOf,
  type LogDatabases,
  lagOf,
  listLogDestinations,
  MOST_LOG_DESTINATIONS,
} from "#records/log-destinations";
import type { CursorSource } from "#storage/log-destination-tables";

export interface MeasuredLag {
  readonly destination: string;
  readonly source: CursorSource;
  readonly records: number;
  readonly seconds: number;
  readonly position: number;
  readonly lost: number;
  readonly lostAt: number | undefined;
  readonly isFailing: boolean;
}

export async function measureLags(databases: LogDatabases, now: number): Promise<MeasuredLag[]> {
  const rows = await listLogDestinations(databases.main, { skip: 0, limit: MOST_LOG_DESTINATIONS });
  const names = new Map(rows.filter(({ enabled }) => enabled).map(({ id, name }) => [id, name]));
  const measured: MeasuredLag[] = [];
  for (const cursor of await cursorsOf(databases.main, [...names.keys()])) {
    const { records, since } = await lagOf(databases, cursor);
    measured.push({
      ...{ destination: names.get(cursor.destination_id) ?? "", source: cursor.source, records },
      seconds: since === undefined ? 0 : Math.max(0, (now - since) / 1000),
      ...{ position: cursor.position, lost: cursor.lost, lostAt: cursor.lost_at ?? undefined },
      ...{ isFailing: cursor.failing_since !== null },
    });
  }
  return measured;
}
