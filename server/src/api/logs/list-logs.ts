import { z } from "zod";
import { isoTime, TimePagination, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, textParameter } from "#api/kit/parameters";
import { AUTH_METHODS, CALL_OUTCOMES } from "#lib/call-vocabulary";
import { type ListedCall, listCalls, logEndCursor } from "#records/calls";
import { callFilters, LOG_FILTERS } from "./filters.ts";

const OUTCOME_WORDS =
  "How it ended: `tool_error` is the tool's own refusal, `error` a fault in the request, `denied` what the caller may " +
  "not do, `interrupted` a call that this process did not live to see end";

/** D22: one request at the gateway, attributed to its caller (Spec 4.5 rule 4). */
export const LogEntry = z
  .object({
    id: z.string().meta({ description: "The record's id", example: "1798709400000-4711" }),
    ts: timestamp("When the request came"),
    user_id: z.string().describe("The caller's id"),
    user_email: z.string().meta({ description: "The caller's e-mail at that time", example: "ada@example.com" }),
    server_slug: z.string().nullable().meta({ description: "The MCP server, if one was meant", example: "github" }),
    tool: z.string().nullable().meta({ description: "The tool, if one was meant", example: "create_issue" }),
    method: z.string().meta({ description: "The MCP method", example: "tools/call" }),
    outcome: z.enum(CALL_OUTCOMES).describe(OUTCOME_WORDS),
    duration_ms: z.number().meta({ description: "From the request's arrival to the end of its answer", example: 84 }),
    request_bytes: z.int().meta({ description: "Size of the request's body", example: 210 }),
    response_bytes: z.int().meta({ description: "Size of the answer's body", example: 1843 }),
    request_id: z.string().describe("The id that the answer carried as `x-request-id`"),
    error: z.string().nullable().describe("What went wrong, in a sentence; null when nothing did"),
    via: z.enum(AUTH_METHODS).meta({
      description: "How the caller proved who they are: `oauth` is a client that the user connected, `app` our own app",
      example: "machine_key",
    }),
    client_id: z.string().nullable().describe("The OAuth client that called for the user; null: none did"),
    trace_id: z.string().nullable().describe("The W3C trace that it belongs to; null: none that is known"),
  })
  .meta({ id: "LogEntry", description: "One request at the gateway, with its caller and its outcome" });

export const LogPagination = TimePagination.extend({
  tailCursor: z.string().describe("Where to follow the log from, so that nothing is missed that is not on this page"),
}).meta({ id: "LogPagination", description: "Where the next page begins, and where what comes later does" });

export const listLogs = read({
  id: "listLogs",
  route: "GET /api/logs",
  tag: "Logs",
  summary: "List calls at the gateway, newest first",
  description: "One record for every list and call, attributed to its caller.",
  scope: "admin:read",
  query: {
    ...LOG_FILTERS,
    cursor: textParameter("Where the page before ended, as its nextCursor said"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(LogEntry), pagination: LogPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve logs",
  async run({ db, query, context }) {
    const { cursor, limit } = query;
    if (cursor === undefined) await context.callsStored();
    const filters = await callFilters(db, query);
    // Before the list: what comes between the two is in both.
    const tailCursor = await logEndCursor(context.databases.calls);
    const { calls, nextCursor } = await listCalls(context.databases.calls, { limit, cursor, filters });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null, tailCursor };
    return { status: 200, body: { data: calls.map(presentCall), pagination } };
  },
});

export function presentCall(call: ListedCall): z.input<typeof LogEntry> {
  return {
    id: `${call.at}-${call.id}`,
    ts: isoTime(call.at),
    user_id: call.userId,
    user_email: call.userEmail,
    server_slug: call.serverSlug ?? null,
    tool: call.tool ?? null,
    method: call.method,
    outcome: call.outcome,
    duration_ms: call.durationUs / 1000,
    request_bytes: call.requestBytes,
    response_bytes: call.responseBytes,
    request_id: call.requestId,
    error: call.error ?? null,
    via: call.via ?? "machine_key",
    client_id: call.client ?? null,
    trace_id: call.traceId ?? null,
  };
}
