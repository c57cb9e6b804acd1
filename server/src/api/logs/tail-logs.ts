import { z } from "zod";
import { read } from "#api/kit/operation";
import { limitParameter, textParameter } from "#api/kit/parameters";
import { followCalls, logEndCursor } from "#records/calls";
import { callFilters, LOG_FILTERS } from "./filters.ts";
import { LogEntry, LogPagination, presentCall } from "./list-logs.ts";

const TailPagination = LogPagination.pick({ limit: true, hasMore: true, tailCursor: true }).meta({
  id: "TailPagination",
  description: "Where to go on. `hasMore`: at once, as one answer looks at a part of a busy log only",
});

export const tailLogs = read({
  id: "tailLogs",
  route: "GET /api/logs/tail",
  tag: "Logs",
  summary: "Follow the calls at the gateway",
  description:
    "What came into the log after `cursor`, in the order in which it did: a call does when it ends. Ask again with the `tailCursor` of the answer, at once when `hasMore` says so, and nothing is missed. Without a cursor: nothing yet, and where to begin.",
  scope: "admin:read",
  query: {
    ...LOG_FILTERS,
    cursor: textParameter("The `tailCursor` of the answer before, or of a list"),
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
