import { z } from "zod";
import { read } from "#api/kit/operation";
import { limitParameter, textParameter } from "#api/kit/parameters";
import { LogEntry, presentCall } from "#api/presenters/log-entry";
import { followCalls, logEndCursor } from "#records/calls";
import { callFilters, LOG_FILTERS } from "./filters.ts";
import { LogPagination } from "./list-logs.ts";

const TailPagination = LogPagination.pick({ limit: true, hasMore: true, tailCursor: true }).meta({
  id: "TailPagination",
  description: "The cursor of the next request. `hasMore`: more calls are already available",
});

export const tailLogs = read({
  id: "tailLogs",
  route: "GET /api/logs/tail",
  tag: "Logs",
  summary: "Follow calls at the gateway",
  description:
    "Returns the calls that were logged after `cursor`, in the order in which they ended. Continue with the `tailCursor` of the response; if `hasMore` is true, immediately. Without a cursor, the response contains no calls and the cursor of the current end.",
  scope: "admin:read",
  query: {
    ...LOG_FILTERS,
    cursor: textParameter("The `tailCursor` of the previous response or of a list"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({ data: z.array(LogEntry), pagination: TailPagination }),
  },
  refusals: [400],
  onCrash: "Failed to follow the logs",
  async run({ db, query, context }) {
    await context.callsStored();
    const { calls: log } = context.databases;
    const { limit, cursor = await logEndCursor(log) } = query;
    const filters = await callFilters(db, query);
    const { calls, cursor: tailCursor, hasMore } = await followCalls(log, { cursor, limit, filters });
    return { status: 200, body: { data: calls.map(presentCall), pagination: { limit, hasMore, tailCursor } } };
  },
});
