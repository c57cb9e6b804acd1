import { csvLine } from "#api/kit/csv";
import { download } from "#api/kit/operation";
import { choiceParameter } from "#api/kit/parameters";
import { type AuditFilters, listAudit } from "#records/audit";
import type { MainDb } from "#storage/database";
import { AUDIT_FILTERS, presentEntry } from "./list-audit.ts";

const SLICE = 200;
type Entry = ReturnType<typeof presentEntry>;

const COLUMNS: Readonly<Record<string, (entry: Entry) => string | null>> = {
  id: ({ id }) => id,
  ts: ({ ts }) => ts,
  actor_type: ({ actor }) => actor.type,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  operation: ({ operation }) => operation,
  target_type: ({ target }) => target.type,
  target_id: ({ target }) => target.id,
  target_name: ({ target }) => target.name,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  request_id: ({ request_id: requestId }) => requestId,
  ip: ({ ip }) => ip,
};
const FORMATS = {
  ndjson: {
    type: "application/x-ndjson",
    head: "",
    line: (entry: Entry) => `${JSON.stringify(entry)}\n`,
  },
  csv: {
    type: "text/csv",
    head: csvLine(Object.keys(COLUMNS)),
    line: (entry: Entry) => csvLine(Object.values(COLUMNS).map((cell) => cell(entry))),
  },
};

/** Streams the entries in slices, so memory use does not depend on their number. */
export const exportAudit = download({
  id: "exportAudit",
  route: "GET /api/audit/export",
  tag: "Audit",
  summary: "Export audit log entries",
  description:
    "All entries that match the filters, newest first. If the export fails midway, the connection is closed without completing the response.",
  scope: "admin:read",
  query: {
    ...AUDIT_FILTERS,
    format: choiceParameter("`ndjson` (default) or `csv`", ["ndjson", "csv"]),
  },
  media: {
    "application/x-ndjson": "One JSON object per line, with the fields of the list",
    "text/csv":
      "A header line, then one line per entry, with `before` and `after` as JSON. Values that a spreadsheet would interpret as a formula start with an apostrophe",
  },
  refusals: [400],
  onCrash: "Failed to export the audit log",
  async run({ db, query, context }) {
    const { target_type: targetType, format = "ndjson", ...rest } = query;
    const filters = { targetType, ...rest };
    const first = await listAudit(db, { limit: SLICE, cursor: undefined, filters });
    const day = new Date(context.clock.now()).toISOString().slice(0, 10);
    return {
      type: FORMATS[format].type,
      fileName: `gatehouse-audit-${day}.${format}`,
      pieces: pieces(db, filters, first, FORMATS[format]),
    };
  },
});

async function* pieces(
  db: MainDb,
  filters: AuditFilters,
  first: Awaited<ReturnType<typeof listAudit>>,
  { head, line }: (typeof FORMATS)[keyof typeof FORMATS],
): AsyncGenerator<string> {
  let page = first;
  yield head + page.rows.map((row) => line(presentEntry(row))).join("");
  while (page.nextCursor !== undefined) {
    page = await listAudit(db, { limit: SLICE, cursor: page.nextCursor, filters });
    yield page.rows.map((row) => line(presentEntry(row))).join("");
  }
}
