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
    server_slug: z
      .string()
      .nullable()
      .meta({ description: "The MCP server; null if the call had no server", example: "linear" }),
    outcome: z.enum(CALL_OUTCOMES).describe("The outcome of these calls"),
    error: z.string().nullable().meta({
      description: "The error message, with `…` for parts that differ; null if there was none",
      example: "The server answered with status 503",
    }),
    calls: z.int().meta({ description: "Number of calls", example: 12 }),
    first_ts: timestamp("Time of the first counted call"),
    last_ts: timestamp("Time of the last counted call"),
  })
  .meta({ id: "LogErrorGroup", description: "Calls to one server that failed with the same error" });

/** Maintained while the log is written, like the statistics. */
export const listLogErrors = read({
  id: "listLogErrors",
  route: "GET /api/logs/errors",
  tag: "Logs",
  summary: "List error groups",
  description:
    "Groups failed calls by server, outcome, and error, most frequent first. Counts whole minutes, by default of the last 24 hours. Pass the `error` of a group to the list to find its calls.",
  scope: "admin:read",
  query: {
    server: STATS_FILTERS.server,
    outcome: STATS_FILTERS.outcome,
    from: STATS_FILTERS.from,
    to: STATS_FILTERS.to,
    top: numberParameter(`Maximum number of groups to return. The default is ${TOP}`, { minimum: 1, maximum: 100 }),
  },
  answers: { 200: z.object({ data: z.array(ErrorGroup) }) },
  refusals: [400],
  onCrash: "Failed to retrieve error groups",
  async run({ query, context }) {
    const { server: serverSlug, outcome, top: limit = TOP } = query;
    const span = wholeMinutes(query, context.clock.now());
    await context.callsStored();
    const groups = await readErrorGroups(context.databases.callReports, { ...span, serverSlug, outcome, limit });
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
