import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#openapi/client";
import { CALL_METHODS, CALL_OUTCOMES } from "#openapi/constants";
import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { readTime } from "../read-time.ts";
import { LIMIT, type Noun, type Options, type Values, verb } from "../verb.ts";
import { EXPORT_TIMEOUT_SECONDS, writeExport } from "../write-export.ts";

type Entry = Schemas["LogEntry"];

const SHOWN = 50;
const PAGE = 200;
const POLL_MS = 1_000;

/** `other` comes last in the help text. */
const METHODS = [...CALL_METHODS.filter((method) => method !== "other"), "other"] as const;

const FILTERS = {
  user: { type: "text", hint: "email", says: "only calls of this user" },
  server: { type: "text", hint: "slug", says: "only calls to this server" },
  tool: { type: "text", hint: "name", says: "only calls of this tool, by its server's name for it" },
  method: {
    type: "choice",
    choices: METHODS,
    says: "only requests of this method",
  },
  outcome: {
    type: "choice",
    choices: CALL_OUTCOMES,
    says: "only calls that ended so",
  },
  from: { type: "text", hint: "time", says: "from this time on, or the last while, such as 2h" },
  to: { type: "text", hint: "time", says: "before this time" },
} as const satisfies Options;

const OPTIONS = {
  follow: { type: "flag", says: "go on with new calls until you end it" },
  ...FILTERS,
  limit: { ...LIMIT, says: `the newest so many; ${SHOWN} unless given` },
} as const satisfies Options;

/** The filters as the API wants them. */
function filtersOf({ user, server, tool, method, outcome, ...given }: Values<typeof FILTERS>, now: number) {
  const from = given.from === undefined ? undefined : readTime("from", given.from, now, "ago");
  const to = given.to === undefined ? undefined : readTime("to", given.to, now, "ago");
  return { user, server, tool, method, outcome, from, to };
}

const COLUMNS: Columns<Entry> = {
  TIME: (entry) => entry.ts,
  USER: (entry) => entry.user_email,
  METHOD: (entry) => entry.method,
  SERVER: (entry) => entry.server_slug,
  TOOL: (entry) => entry.tool,
  OUTCOME: (entry) => entry.outcome,
  MS: (entry) => Math.round(entry.duration_ms * 10) / 10,
  ERROR: (entry) => entry.error,
};

/** The newest call is last, next to the terminal's prompt. */
const list = verb({
  says: "Show what happened at the gateway, the newest last",
  options: OPTIONS,
  example: "gatehouse logs --follow --outcome denied",
  async run({ api, options, out, now }) {
    const { follow, limit = SHOWN } = options;
    if (follow && options.to !== undefined) throw badUsage("--follow and --to contradict each other");
    const filters = filtersOf(options, now());
    const client = api();
    let tail: string | undefined;
    const known = await readPages(limit, async (most, cursor?: string) => {
      const { data, pagination } = await client.listLogs({ query: { ...filters, limit: most, cursor } });
      tail ??= pagination.tailCursor;
      return { rows: data, next: pagination.nextCursor };
    });
    if (!follow) return out.list(known.toReversed(), COLUMNS, "calls");
    out.append(known.toReversed(), COLUMNS);
    const seen = new Set(known.map(({ id }) => id));
    await goOn(out, async () => {
      const { data, pagination } = await client.tailLogs({ query: { ...filters, cursor: tail, limit: PAGE } });
      tail = pagination.tailCursor;
      // What came while the list was read may be in both.
      return { entries: data.filter(({ id }) => !seen.has(id)), hasMore: pagination.hasMore };
    });
  },
});

type Stats = Schemas["CallStatistics"];
type Tallied = Stats["totals"];

const TALLY: Columns<Tallied> = {
  CALLS: (row) => row.calls,
  ERRORS: (row) => row.errors,
  "P50 MS": (row) => rounded(row.duration_ms.p50),
  "P95 MS": (row) => rounded(row.duration_ms.p95),
  "P99 MS": (row) => rounded(row.duration_ms.p99),
};

const stats = verb({
  says: "Count calls, how they ended and how long they took: of the last day unless said otherwise",
  options: {
    by: {
      type: "choice",
      choices: ["server", "tool", "user", "time"],
      says: "what the table has a row for; server unless given",
    },
    ...FILTERS,
    top: { type: "number", hint: "n", says: "how many servers, tools or users at most; 10 unless given" },
  },
  example: "gatehouse logs stats --by tool --from 7d",
  async run({ api, options, out, now }) {
    const query = { ...filtersOf(options, now()), top: options.top };
    const { data } = await api().getLogStats({ query });
    if (out.json) return out.record(data);
    const { totals, from, to } = data;
    out.say(`${totals.calls} calls, ${totals.errors} of them not ok, from ${from} to ${to}`);
    const by = options.by ?? "server";
    if (by === "server") out.list(data.servers, { SERVER: (row) => row.server_slug, ...TALLY }, "calls");
    else if (by === "tool")
      out.list(data.tools, { SERVER: (row) => row.server_slug, TOOL: (row) => row.tool, ...TALLY }, "calls");
    else if (by === "user") out.list(data.users, { USER: (row) => row.user_email, ...TALLY }, "calls");
    else out.list(data.series, { TIME: (row) => row.ts, ...TALLY }, "calls");
  },
});

const exported = verb({
  says: "Write the whole log, or what the filters let through, to standard output, the newest first",
  options: {
    format: {
      type: "choice",
      choices: ["ndjson", "csv"],
      says: "lines of JSON unless given, or a table for spreadsheets",
    },
    ...FILTERS,
  },
  example: "gatehouse logs export --from 24h --format csv",
  timeoutSeconds: EXPORT_TIMEOUT_SECONDS,
  async run({ download, options, out, now }) {
    await writeExport(out, await download("exportLogs", { ...filtersOf(options, now()), format: options.format }));
  },
});

export const logs: Noun = {
  says: "What happened at the gateway",
  itself: list,
  verbs: { stats, export: exported },
  example: "gatehouse logs --follow --outcome denied",
};

function rounded(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds * 10) / 10;
}

type Look = () => Promise<{ readonly entries: readonly Entry[]; readonly hasMore: boolean }>;

async function goOn(out: Output, look: Look): Promise<never> {
  let away = false;
  let isBehind = false;
  for (;;) {
    if (!isBehind) await sleep(POLL_MS);
    try {
      const { entries, hasMore } = await look();
      out.append(entries, COLUMNS);
      isBehind = hasMore;
      if (away) out.say("Gatehouse is back.");
      away = false;
    } catch (error) {
      // Continues after a restart of the server, but not after a rejected token.
      if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
      if (!away) out.say("Gatehouse cannot be reached; trying again.");
      away = true;
      isBehind = false;
    }
  }
}
