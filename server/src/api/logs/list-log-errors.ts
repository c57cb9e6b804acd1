import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { numberParameter } from "#api/kit/parameters";
import { CALL_OUTCOMES } from "#lib/call-vocabulary";
import { readErrorGroups } from "#records/calls";
import { STATS_FILTERS } from "./filters.ts";
import { wholeMinutes } from "./whole-minutes.ts";

const TOP = 20;

const ErrorGroup = z
  .object({
    server_slug: z.string().nullable().meta({ description: "The MCP server, if one was meant", example: "linear" }),
    outcome: z.enum(CALL_OUTCOMES).describe("How these calls ended"),
    error: z.string().nullable().meta({
      description: "What was said of them, with `…` where they differ; null: nothing was",
      example: "The server answered with status 503",
    }),
    calls: z.int().meta({ description: "How many there were", example: 12 }),
    first_ts: timestamp("When the first of them came, of those that were counted"),
    last_ts: timestamp("When the last of them came"),
  })
  .meta({ id: "LogErrorGroup", description: "Calls to one server that failed alike" });

/** Counted while the log is written, as statistics are. */
export const listLogErrors = read({
  id: "listLogErrors",
  route: "GET /api/logs/errors",
  tag: "Logs",
  summary: "Group the calls that failed",
  description:
    "By server, outcome and error, the most frequent first; over whole minutes: of the last day unless said otherwise. The `error` of a group finds its calls in the list.",
  scope: "admin:read",
  query: {
    server: STATS_FILTERS.server,
    outcome: STATS_FILTERS.outcome,
    from: STATS_FILTERS.from,
    to: STATS_FILTERS.to,
    top: numberParameter(`How many groups to answer at most; ${TOP} unless given`, { minimum: 1, maximum: 100 }),
  },
  answers: { 200: z.object({ data: z.array(ErrorGroup) }) },
  refusals: [400],
  onCrash: "Failed to group failed calls",
  async run({ query, context }) {
    const { server: serverSlug, outcome, top: limit = TOP } = query;
    const span = wholeMinutes(query, context.clock.now());
    await context.callsStored();
    const groups = await readErrorGroups(context.databases.calls, { ...span, serverSlug, outcome, limit });
    const data = groups.map((group) => ({
      server_slug: group.serverSlug ?? null,
      outcome: group.outcome,
      error: group.error ?? null,
      calls: group.calls,
      first_ts: isoTime(group.firstAt),
      last_ts: isoTime(group.lastAt),
    }));
    return { status: 200, body: { data } };
  },
});
