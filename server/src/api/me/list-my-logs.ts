import { z } from "zod";
import { TimePagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, textParameter, timeParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { LogEntry, presentCall } from "#api/presenters/log-entry";
import { CALL_OUTCOMES } from "#lib/call-vocabulary";
import { isSearch, listCalls } from "#records/calls";

/** F31. */
export const listMyLogs = read({
  id: "listMyLogs",
  route: "GET /api/me/logs",
  tag: "Me",
  summary: "List the caller's own calls at the gateway, newest first",
  description: "Calls of machine users that the caller owns are not included.",
  scope: "any",
  callers: "people",
  query: {
    server: textParameter("Only calls to the server with this slug"),
    tool: textParameter("Only calls of this tool, by its name at the MCP server"),
    outcome: choiceParameter("Only calls with this outcome", CALL_OUTCOMES),
    from: timeParameter("Only calls at or after this time"),
    to: timeParameter("Only calls before this time"),
    cursor: textParameter("The `nextCursor` of the previous page"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(LogEntry), pagination: TimePagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve logs",
  async run({ query, visitor, context }) {
    const { server: serverSlug, tool, outcome, from, to, cursor, limit } = query;
    if (cursor === undefined) await context.callsStored();
    const { id: userId, email: userEmail } = personOf(visitor).user;
    const filters = { userId, userEmail, serverSlug, tool, outcome, from, to };
    const log = isSearch(filters) ? context.databases.callReports : context.databases.calls;
    const { calls, nextCursor } = await listCalls(log, { limit, cursor, filters });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null };
    return { status: 200, body: { data: calls.map(presentCall), pagination } };
  },
});
