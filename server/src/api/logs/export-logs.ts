import { csvLine } from "#api/kit/csv";
import { download } from "#api/kit/operation";
import { choiceParameter } from "#api/kit/parameters";
import { type CallFilters, type CallPage, listCalls } from "#records/calls";
import type { CallsDb } from "#storage/database";
import { callFilters, LOG_FILTERS } from "./filters.ts";
import { LogEntry, presentCall } from "./list-logs.ts";

const SLICE = 200;
type Entry = ReturnType<typeof presentCall>;

const FIELDS = LogEntry.keyof().options;
const FORMATS = {
  ndjson: {
    type: "application/x-ndjson",
    head: "",
    line: (entry: Entry) => `${JSON.stringify(entry)}\n`,
  },
  csv: {
    type: "text/csv",
    head: csvLine(FIELDS),
    line: (entry: Entry) => csvLine(FIELDS.map((field) => entry[field])),
  },
};

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
    format: choiceParameter("The file format. The default is `ndjson`", ["ndjson", "csv"]),
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
    const calls = context.databases.calls;
    const filters = await callFilters(db, query);
    const format = query.format ?? "ndjson";
    const first = await listCalls(calls, { limit: SLICE, filters });
    const day = new Date(context.clock.now()).toISOString().slice(0, 10);
    return {
      type: FORMATS[format].type,
      fileName: `gatehouse-logs-${day}.${format}`,
      pieces: slices(calls, filters, first, FORMATS[format]),
    };
  },
});

async function* slices(
  db: CallsDb,
  filters: CallFilters,
  first: CallPage,
  { head, line }: (typeof FORMATS)[keyof typeof FORMATS],
): AsyncGenerator<string> {
  let page = first;
  yield head + page.calls.map((call) => line(presentCall(call))).join("");
  while (page.nextCursor !== undefined) {
    page = await listCalls(db, { limit: SLICE, cursor: page.nextCursor, filters });
    yield page.calls.map((call) => line(presentCall(call))).join("");
  }
}
