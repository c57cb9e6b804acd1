import { z } from "zod";
import { TimePagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, textParameter } from "#api/kit/parameters";
import { LogEntry, presentCall } from "#api/presenters/log-entry";
import { isSearch, listCalls, logEndCursor } from "#records/calls";
import { callFilters, LOG_FILTERS } from "./filters.ts";

export const LogPagination = TimePagination.extend({
  tailCursor: z.string().describe("The cursor for `GET /api/logs/tail` that continues after this page"),
}).meta({ id: "LogPagination", description: "The cursors of the next page and of later calls" });

export const listLogs = read({
  id: "listLogs",
  route: "GET /api/logs",
  tag: "Logs",
  summary: "List calls at the gateway, newest first",
  description: "Returns one entry for every list request and call, attributed to its caller.",
  scope: "admin:read",
  query: {
    ...LOG_FILTERS,
    cursor: textParameter("The `nextCursor` of the previous page"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(LogEntry), pagination: LogPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve logs",
  async run({ db, query, context }) {
    const { cursor, limit } = query;
    if (cursor === undefined) await context.callsStored();
    const filters = await callFilters(db, query);
    // Read before the list, so that calls in between appear in both instead of in neither.
    const tailCursor = await logEndCursor(context.databases.calls);
    const log = isSearch(filters) ? context.databases.callReports : context.databases.calls;
    const { calls, nextCursor } = await listCalls(log, { limit, cursor, filters });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null, tailCursor };
    return { status: 200, body: { data: calls.map(presentCall), pagination } };
  },
});
