import {
  choiceParameter,
  numberParameter,
  searchParameter,
  textParameter,
  timeParameter,
  type ValuesOf,
} from "#api/kit/parameters";
import {
  AUTH_METHODS,
  CALL_GUARD_ACTIONS,
  CALL_METHODS,
  CALL_OUTCOMES,
  type CallMethod,
  FORWARDED_METHODS,
} from "#lib/call-vocabulary";
import type { CallFilters } from "#records/calls";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";

const LONGEST_MS = 24 * 60 * 60 * 1000;

/** The filters that statistics support. */
export const STATS_FILTERS = {
  user: textParameter("Only calls of the user with this email, case-insensitive"),
  server: textParameter("Only calls to the server with this slug"),
  tool: textParameter("Only calls of this tool, by its name at the MCP server"),
  method: choiceParameter("Only calls of this method", CALL_METHODS),
  kind: choiceParameter(
    "`calls`: only requests that run something (tools/call, prompts/get, resources/read, completion/complete). `lists`: only the others. Ignored if `method` is set",
    ["calls", "lists"],
  ),
  outcome: choiceParameter("Only calls with this outcome", CALL_OUTCOMES),
  from: timeParameter("Only calls at or after this time"),
  to: timeParameter("Only calls before this time"),
};

/** The filters that the list and the export support. */
export const LOG_FILTERS = {
  ...STATS_FILTERS,
  min_duration_ms: numberParameter("Only calls with at least this duration in milliseconds", {
    minimum: 0,
    maximum: LONGEST_MS,
  }),
  max_duration_ms: numberParameter("Only calls with at most this duration in milliseconds", {
    minimum: 0,
    maximum: LONGEST_MS,
  }),
  via: choiceParameter("Only calls authenticated with this method", AUTH_METHODS),
  client_id: textParameter("Only calls of this OAuth client, or of the trusted issuer with this slug"),
  error: textParameter("Only calls with this error. `…` matches any text, as in error groups"),
  request_id: textParameter("Only the call with this `x-request-id`"),
  trace_id: textParameter("Only calls with this W3C trace ID"),
  toolkit: textParameter("Only requests with `toolkit_slug` equal to this slug"),
  agent: textParameter("Only calls of the agent with this slug"),
  agent_session: textParameter("Only calls of this session of an agent"),
  guard: textParameter("Only calls on which the guard with this slug acted"),
  guard_action: choiceParameter("Only calls with this guard action", CALL_GUARD_ACTIONS),
  text: searchParameter(
    "Only calls with this text in the error, the user's email, the server's slug, or the tool's name",
  ),
};

type Given = ValuesOf<typeof STATS_FILTERS> & Partial<ValuesOf<typeof LOG_FILTERS>>;

export async function callFilters(db: MainDb, given: Given): Promise<CallFilters> {
  const { user, server, tool, outcome, from, to, error, text, agent } = given;
  const via = agent === undefined ? given.via : "agent";
  // D17: case-insensitive. The log stores the email of the user's record; deleted users are found as logged.
  const userEmail = user === undefined ? undefined : ((await findUser(db, user))?.email ?? user);
  const inUs = (ms: number | undefined) => (ms === undefined ? undefined : ms * 1000);
  const named = { userEmail, serverSlug: server, tool, methods: methodsOf(given), outcome, from, to, via, error, text };
  const found = {
    client: agent ?? given.client_id,
    agentSession: given.agent_session,
    requestId: given.request_id,
    traceId: given.trace_id,
    toolkit: given.toolkit,
    guard: given.guard,
    guardAction: given.guard_action,
  };
  return {
    ...named,
    ...found,
    minDurationUs: inUs(given.min_duration_ms),
    maxDurationUs: inUs(given.max_duration_ms),
  };
}

function methodsOf({ method, kind }: Given): readonly CallMethod[] | undefined {
  if (method !== undefined) return [method];
  if (kind === undefined) return undefined;
  return kind === "calls" ? FORWARDED_METHODS : CALL_METHODS.filter((each) => !FORWARDED_METHODS.includes(each));
}
