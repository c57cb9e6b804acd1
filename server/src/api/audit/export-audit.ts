import { EXPORT_FORMATS, exportEntries } from "#api/kit/export-entries";
import { download } from "#api/kit/operation";
import { choiceParameter } from "#api/kit/parameters";
import { listAudit } from "#records/audit";
import { AUDIT_FILTERS, presentEntry } from "./list-audit.ts";

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
  seq: ({ seq }) => (seq === null ? null : String(seq)),
  hash: ({ hash }) => hash,
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
    format: choiceParameter("`ndjson` (default) or `csv`", EXPORT_FORMATS),
  },
  media: {
    "application/x-ndjson": "One JSON object per line, with the fields of the list",
    "text/csv":
      "A header line, then one line per entry, with `before` and `after` as JSON. Values that a spreadsheet would interpret as a formula start with an apostrophe",
  },
  refusals: [400],
  onCrash: "Failed to export the audit log",
  async run({ db, query, context }) {
    const { target_type: targetType, format, ...rest } = query;
    const filters = { targetType, ...rest };
    return exportEntries({
      name: "audit",
      format,
      now: context.clock.now(),
      columns: Object.keys(COLUMNS),
      cells: (entry: Entry) => Object.values(COLUMNS).map((cell) => cell(entry)),
      async readPage(cursor, limit) {
        const { rows, nextCursor } = await listAudit(db, { limit, cursor, filters });
        return { entries: rows.map(presentEntry), nextCursor };
      },
    });
  },
});
