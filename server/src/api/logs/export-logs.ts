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

/** The whole log or a part of it, however long: one slice of it is in memory at a time. */
export const exportLogs = download({
  id: "exportLogs",
  route: "GET /api/logs/export",
  tag: "Logs",
  summary: "Export calls at the gateway",
  description:
    "All calls that the filters let through, newest first, with the fields of the list. An export that could not be finished ends with a broken connection, never as if it were whole.",
  scope: "admin:read",
  query: {
    ...LOG_FILTERS,
    format: choiceParameter("As lines of JSON unless given, or as a table for spreadsheets", ["ndjson", "csv"]),
  },
  media: {
    "application/x-ndjson": "One JSON object a line",
    "text/csv":
      "A line with the names of the fields, then one line a call. What a spreadsheet would take for a formula begins with an apostrophe",
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
      pieces: pieces(calls, filters, first, FORMATS[format]),
    };
  },
});

async function* pieces(
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
