import {
  choiceParameter,
  numberParameter,
  searchParameter,
  textParameter,
  timeParameter,
  type ValuesOf,
} from "#api/kit/parameters";
import { AUTH_METHODS, CALL_METHODS, CALL_OUTCOMES } from "#lib/call-vocabulary";
import type { CallFilters } from "#records/calls";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";

const LONGEST_MS = 24 * 60 * 60 * 1000;

/** What statistics can be narrowed down by. */
export const STATS_FILTERS = {
  user: textParameter("Only calls of the user with this e-mail, in any case"),
  server: textParameter("Only calls to the server with this slug"),
  tool: textParameter("Only calls of this tool, by the name that its server gives it"),
  method: choiceParameter("Only calls of this method", CALL_METHODS),
  outcome: choiceParameter("Only calls that ended like this", CALL_OUTCOMES),
  from: timeParameter("Only calls at or after this time"),
  to: timeParameter("Only calls before this time"),
};

/** And what single calls can be found by, too. */
export const LOG_FILTERS = {
  ...STATS_FILTERS,
  min_duration_ms: numberParameter("Only calls that took at least so many milliseconds", {
    minimum: 0,
    maximum: LONGEST_MS,
  }),
  max_duration_ms: numberParameter("Only calls that took at most so many milliseconds", {
    minimum: 0,
    maximum: LONGEST_MS,
  }),
  via: choiceParameter("Only calls whose callers proved in this way who they are", AUTH_METHODS),
  client_id: textParameter("Only calls of this OAuth client"),
  error: textParameter("Only calls with this error, where `…` stands for any text, as in the groups of errors"),
  request_id: textParameter("Only the call whose answer carried this `x-request-id`"),
  trace_id: textParameter("Only calls of this trace, by its W3C trace id"),
  text: searchParameter(
    "Only calls with this text in the error, the user's e-mail, the server's slug or the tool's name",
  ),
};

type Given = ValuesOf<typeof STATS_FILTERS> & Partial<ValuesOf<typeof LOG_FILTERS>>;

export async function callFilters(db: MainDb, given: Given): Promise<CallFilters> {
  const { user, server, tool, method, outcome, from, to, via, error, text } = given;
  // D17: case-insensitive. The log stores the email of the user's record; deleted users are found as logged.
  const userEmail = user === undefined ? undefined : ((await findUser(db, user))?.email ?? user);
  const inUs = (ms: number | undefined) => (ms === undefined ? undefined : ms * 1000);
  const named = { userEmail, serverSlug: server, tool, method, outcome, from, to, via, error, text };
  const found = { client: given.client_id, requestId: given.request_id, traceId: given.trace_id };
  return {
    ...named,
    ...found,
    minDurationUs: inUs(given.min_duration_ms),
    maxDurationUs: inUs(given.max_duration_ms),
  };
}
