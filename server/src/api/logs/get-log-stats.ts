import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, numberParameter } from "#api/kit/parameters";
import { CALL_OUTCOMES } from "#lib/call-vocabulary";
import { invalid } from "#lib/errors";
import { readCallStats, type Tally } from "#records/calls";
import { callFilters, STATS_FILTERS } from "./filters.ts";
import { wholeMinutes } from "./whole-minutes.ts";

const MINUTE_MS = 60_000;
const SPANS = { minute: 1, ten_minutes: 10, hour: 60, day: 24 * 60 } as const;
type Span = keyof typeof SPANS;
const BUCKETS = ["minute", "ten_minutes", "hour", "day"] as const satisfies Span[];
const MOST_POINTS = 1_500;
/** The preferred number of points for a chart. */
const POINTS = 400;
const TOP = 10;

const milliseconds = (description: string) => z.number().nullable().meta({ description, example: 84 });
const tallied = {
  calls: z.int().meta({ description: "Number of calls", example: 120 }),
  errors: z.int().meta({ description: "Number of calls with an outcome other than `ok`", example: 3 }),
  outcomes: z.record(z.string(), z.int()).meta({
    description: "Number of calls per outcome. Outcomes without calls are omitted",
    example: { ok: 117, timeout: 3 },
  }),
  duration_ms: z
    .object({
      mean: milliseconds("Mean duration"),
      p50: milliseconds("Median duration"),
      p95: milliseconds("95th percentile"),
      p99: milliseconds("99th percentile"),
    })
    .describe(
      "Durations in milliseconds; null without calls. Percentiles are histogram estimates, accurate to a few percent",
    ),
};
const serverSlug = z.string().meta({ description: "The server's slug at that time", example: "github" });

const CallStatistics = z
  .object({
    from: timestamp("Start of the first counted minute"),
    to: timestamp("End of the last counted minute"),
    bucket: z.enum(BUCKETS).describe("The time span of one entry of `series`, in UTC"),
    totals: z.object(tallied).describe("Totals of all calls"),
    series: z
      .array(z.object({ ts: timestamp("Start of this time span"), ...tallied }))
      .describe("Calls over time, including time spans without calls"),
    servers: z.array(z.object({ server_slug: serverSlug, ...tallied })).describe("The servers with the most calls"),
    tools: z
      .array(
        z.object({
          server_slug: serverSlug,
          tool: z.string().meta({ description: "The tool's name at the MCP server", example: "create_issue" }),
          ...tallied,
        }),
      )
      .describe("The tools with the most calls"),
    users: z
      .array(
        z.object({
          user_email: z.string().meta({ description: "The caller's email at that time", example: "ada@example.com" }),
          ...tallied,
        }),
      )
      .describe("The users with the most calls"),
  })
  .meta({ id: "CallStatistics", description: "Counts, outcomes, and durations of calls" });

/** D22. Counters are maintained while the log is written, so the cost does not depend on its length. */
export const getLogStats = read({
  id: "getLogStats",
  route: "GET /api/logs/stats",
  tag: "Logs",
  summary: "Count calls at the gateway",
  description:
    "Counts whole minutes, by default of the last 24 hours. Statistics are retained longer than the calls; see the settings.",
  scope: "admin:read",
  query: {
    ...STATS_FILTERS,
    bucket: choiceParameter("The time span of one entry of `series`. The default depends on the time range", BUCKETS),
    top: numberParameter(`Maximum number of servers, tools, and users to return. The default is ${TOP}`, {
      minimum: 0,
      maximum: 100,
    }),
  },
  answers: { 200: z.object({ data: CallStatistics }) },
  refusals: [400],
  onCrash: "Failed to retrieve call statistics",
  async run({ db, query, context }) {
    const { from, to } = wholeMinutes(query, context.clock.now());
    const bucket = query.bucket ?? fittingSpan(from, to);
    if (pointsIn(from, to, bucket) > MOST_POINTS) {
      throw invalid("bucket", `must be longer: from and to are more than ${MOST_POINTS} of it apart`);
    }
    await context.callsStored();
    const filters = await callFilters(db, query);
    const wanted = { from, to, minutesPerPoint: SPANS[bucket], top: query.top ?? TOP, filters };
    const { totals, series, servers, tools, users } = await readCallStats(context.databases.callReports, wanted);
    const data = {
      from: isoTime(from),
      to: isoTime(to),
      bucket,
      totals: present(totals),
      series: series.map(({ at, tally }) => ({ ts: isoTime(at), ...present(tally) })),
      servers: servers.map((each) => ({ server_slug: each.serverSlug, ...present(each.tally) })),
      tools: tools.map((each) => ({ server_slug: each.serverSlug, tool: each.tool, ...present(each.tally) })),
      users: users.map((each) => ({ user_email: each.userEmail, ...present(each.tally) })),
    };
    return { status: 200, body: { data } };
  },
});

function pointsIn(from: number, to: number, span: Span): number {
  return (to - from) / (SPANS[span] * MINUTE_MS);
}

function fittingSpan(from: number, to: number): Span {
  if (pointsIn(from, to, "minute") <= POINTS) return "minute";
  return pointsIn(from, to, "hour") <= POINTS ? "hour" : "day";
}

function present(tally: Tally) {
  const inMs = (us: number | undefined) => (us === undefined ? null : Math.round(us) / 1000);
  const ended = tally.outcomes.flatMap((calls, code) => (calls > 0 ? [[CALL_OUTCOMES[code] ?? "error", calls]] : []));
  return {
    calls: tally.calls,
    errors: tally.calls - (tally.outcomes[CALL_OUTCOMES.indexOf("ok")] ?? 0),
    outcomes: Object.fromEntries(ended),
    duration_ms: {
      mean: inMs(tally.mean()),
      p50: inMs(tally.quantile(0.5)),
      p95: inMs(tally.quantile(0.95)),
      p99: inMs(tally.quantile(0.99)),
    },
  };
}
