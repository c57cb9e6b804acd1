import { EXPORT_FORMATS, exportEntries } from "#api/kit/export-entries";
import { download } from "#api/kit/operation";
import { choiceParameter } from "#api/kit/parameters";
import { LogEntry, presentCall } from "#api/presenters/log-entry";
import { listCalls } from "#records/calls";
import { callFilters, LOG_FILTERS } from "./filters.ts";

type Entry = ReturnType<typeof presentCall>;

const FIELDS = LogEntry.keyof().options;

/** Streams the log in slices, so that memory use does not depend on its length. */
export const exportLogs = download({
  id: "exportLogs",
  route: "GET /api/logs/export",
  tag: "Logs",
  summary: "Export calls at the gateway",
  description:
    "Returns all calls that match the filters, newest first, with the fields of the list. If the export fails, the connection is closed before the response ends.",
  scope: "admin:read",
  query: {
    ...LOG_FILTERS,
    format: choiceParameter("The file format. The default is `ndjson`", EXPORT_FORMATS),
  },
  media: {
    "application/x-ndjson": "One JSON object per line",
    "text/csv":
      "A header line, then one line per call. Values that a spreadsheet would treat as a formula start with an apostrophe",
  },
  refusals: [400],
  onCrash: "Failed to export logs",
  async run({ db, query, context }) {
    await context.callsStored();
    const calls = context.databases.callReports;
    const filters = await callFilters(db, query);
    return exportEntries({
      name: "logs",
      format: query.format,
      now: context.clock.now(),
      columns: FIELDS,
      cells: (entry: Entry) => FIELDS.map((field) => cellOf(entry[field])),
      async readPage(cursor, limit) {
        const page = await listCalls(calls, { limit, filters, ...(cursor === undefined ? {} : { cursor }) });
        return { entries: page.calls.map(presentCall), nextCursor: page.nextCursor };
      },
    });
  },
});

/** Findings are JSON in their cell, and most calls have none. */
function cellOf(value: Entry[keyof Entry]): string | number | null {
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? null : JSON.stringify(value);
}
