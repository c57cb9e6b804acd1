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
/** As many points as a chart shows well. */
const POINTS = 400;
const TOP = 10;

const milliseconds = (description: string) => z.number().nullable().meta({ description, example: 84 });
const tallied = {
  calls: z.int().meta({ description: "How many calls there were", example: 120 }),
  errors: z.int().meta({ description: "How many of them did not end with `ok`", example: 3 }),
  outcomes: z
    .record(z.string(), z.int())
    .meta({ description: "How many ended how; what did not happen is left out", example: { ok: 117, timeout: 3 } }),
  duration_ms: z
    .object({
      mean: milliseconds("The mean"),
      p50: milliseconds("The median"),
      p95: milliseconds("95 of 100 calls took no longer"),
      p99: milliseconds("99 of 100 calls took no longer"),
    })
    .describe("How long they took; null when none ended. Percentiles are read from a histogram and a few percent off"),
};
const serverSlug = z.string().meta({ description: "The server's slug at that time", example: "github" });

const CallStatistics = z
  .object({
    from: timestamp("The beginning of the first minute that was counted"),
    to: timestamp("The end of the last minute that was counted"),
    bucket: z.enum(BUCKETS).describe("How much time one entry of `series` covers, in UTC"),
    totals: z.object(tallied).describe("All calls together"),
    series: z
      .array(z.object({ ts: timestamp("When this span of time began"), ...tallied }))
      .describe("The calls over time, also where there were none"),
    servers: z.array(z.object({ server_slug: serverSlug, ...tallied })).describe("The servers with the most calls"),
    tools: z
      .array(
        z.object({
          server_slug: serverSlug,
          tool: z.string().meta({ description: "The tool, by its server's name for it", example: "create_issue" }),
          ...tallied,
        }),
      )
      .describe("The tools with the most calls"),
    users: z
      .array(
        z.object({
          user_email: z.string().meta({ description: "The caller's e-mail at that time", example: "ada@example.com" }),
          ...tallied,
        }),
      )
      .describe("The users with the most calls"),
  })
  .meta({ id: "CallStatistics", description: "How many calls there were, how they ended and how long they took" });

/** D22. Counted while the log is written, so it is quick however long the log is. */
export const getLogStats = read({
  id: "getLogStats",
  route: "GET /api/logs/stats",
  tag: "Logs",
  summary: "Count calls at the gateway",
  description:
    "Over whole minutes: of the last day unless said otherwise. Kept for longer than the log itself; see the settings.",
  scope: "admin:read",
  query: {
    ...STATS_FILTERS,
    bucket: choiceParameter("How much time one entry of `series` covers; fitting to the whole unless given", BUCKETS),
    top: numberParameter(`How many servers, tools and users to answer at most; ${TOP} unless given`, {
      minimum: 0,
      maximum: 100,
    }),
  },
  answers: { 200: z.object({ data: CallStatistics }) },
  refusals: [400],
  onCrash: "Failed to retrieve statistics of calls",
  async run({ db, query, context }) {
    const { from, to } = wholeMinutes(query, context.clock.now());
    const bucket = query.bucket ?? fittingSpan(from, to);
    if (pointsIn(from, to, bucket) > MOST_POINTS) {
      throw invalid("bucket", `must be longer: from and to are more than ${MOST_POINTS} of it apart`);
    }
    await context.callsStored();
    const filters = await callFilters(db, query);
    const wanted = { from, to, minutesPerPoint: SPANS[bucket], top: query.top ?? TOP, filters };
    const { totals, series, servers, tools, users } = await readCallStats(context.databases.calls, wanted);
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
