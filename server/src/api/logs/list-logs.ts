import { z } from "zod";
import { isoTime } from "#api/http/answers";
import { read } from "#api/http/operation";
import { choiceParameter, limitParameter, textParameter, timeParameter } from "#api/http/parameters";
import { CALL_METHODS, CALL_OUTCOMES, type ListedCall, listCalls } from "#records/calls";
import { findUser } from "#records/users";

/** D22: one request at the gateway, attributed to its caller (Spec 4.5 rule 4). */
export const LogEntry = z
  .object({
    id: z.string(),
    ts: z.string(),
    user_id: z.string(),
    user_email: z.string(),
    server_slug: z.string().nullable(),
    tool: z.string().nullable(),
    method: z.string(),
    outcome: z.enum(CALL_OUTCOMES),
    duration_ms: z.number(),
    request_bytes: z.int(),
    response_bytes: z.int(),
    request_id: z.string(),
    error: z.string().nullable(),
  })
  .meta({ id: "LogEntry" });

export const listLogs = read({
  id: "listLogs",
  route: "GET /api/logs",
  tag: "Logs",
  summary: "List calls at the gateway, newest first",
  scope: "admin:read",
  query: {
    user: textParameter("Only calls of the user with this e-mail, in any case"),
    server: textParameter("Only calls to the server with this slug"),
    tool: textParameter("Only calls of this tool, by the name that its server gives it"),
    method: choiceParameter("Only calls of this method", CALL_METHODS),
    outcome: choiceParameter("Only calls that ended so", CALL_OUTCOMES),
    from: timeParameter("Only calls at or after this time"),
    to: timeParameter("Only calls before this time"),
    cursor: textParameter("Where the page before ended, as its nextCursor said"),
    limit: limitParameter,
  },
  answers: {
    200: z.object({
      data: z.array(LogEntry),
      pagination: z.object({ limit: z.int(), hasMore: z.boolean(), nextCursor: z.string().nullable() }),
    }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve logs",
  async run({ db, query, world }) {
    const { user, server, tool, method, outcome, from, to, cursor, limit } = query;
    if (cursor === undefined) await world.callsStored();
    // D17: found in any case. The log holds the e-mail as the user's record does; who is gone is found as logged.
    const userEmail = user === undefined ? undefined : ((await findUser(db, user))?.email ?? user);
    const filters = { userEmail, serverSlug: server, tool, method, outcome, from, to };
    const { calls, nextCursor } = await listCalls(world.databases.calls, { limit, cursor, filters });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null };
    return { status: 200, body: { data: calls.map(presentCall), pagination } };
  },
});

function presentCall(call: ListedCall): z.input<typeof LogEntry> {
  return {
    id: String(call.id),
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
  };
}
