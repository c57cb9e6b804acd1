import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#openapi/client";
import { CALL_GUARD_ACTIONS, CALL_METHODS, CALL_OUTCOMES } from "#openapi/constants";
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

const NO_CALLS = "No calls in this period.";

/** `other` comes last in the help text. */
const METHODS = [...CALL_METHODS.filter((method) => method !== "other"), "other"] as const;

const FILTERS = {
  user: { type: "text", hint: "email", description: "filter by user" },
  server: { type: "text", hint: "slug", description: "filter by server" },
  tool: { type: "text", hint: "name", description: "filter by tool, without the server's prefix" },
  method: { type: "choice", choices: METHODS, description: "filter by method" },
  kind: { type: "choice", choices: ["calls", "lists"], description: "only calls, or only list requests" },
  outcome: { type: "choice", choices: CALL_OUTCOMES, description: "filter by outcome" },
  from: { type: "text", hint: "time", description: "start: a time, or a duration ago such as 2h" },
  to: { type: "text", hint: "time", description: "end: a time, or a duration ago" },
} as const satisfies Options;

const OPTIONS = {
  follow: { type: "flag", description: "keep showing new calls until you press Ctrl-C" },
  ...FILTERS,
  toolkit: { type: "text", hint: "slug", description: "filter by toolkit" },
  guard: { type: "text", hint: "slug", description: "filter by guard" },
  "guard-action": { type: "choice", choices: CALL_GUARD_ACTIONS, description: "filter by what a guard did" },
  limit: { ...LIMIT, description: `number of calls (default: ${SHOWN})` },
} as const satisfies Options;

/** Converts the filters to the API's parameters. */
function filtersOf({ user, server, tool, method, kind, outcome, ...given }: Values<typeof FILTERS>, now: number) {
  const from = given.from === undefined ? undefined : readTime("from", given.from, now, "ago");
  const to = given.to === undefined ? undefined : readTime("to", given.to, now, "ago");
  return { user, server, tool, method, kind, outcome, from, to };
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
  description: "Show the call log, newest call last",
  options: OPTIONS,
  example: "gatehouse logs --follow --outcome denied",
  async run({ api, options, out, now }) {
    const { follow, limit = SHOWN } = options;
    if (follow && options.to !== undefined) throw badUsage("--follow and --to cannot be combined");
    const { toolkit, guard, "guard-action": guard_action } = options;
    const filters = { ...filtersOf(options, now()), toolkit, guard, guard_action };
    const client = api();
    let tail: string | undefined;
    const known = await readPages(limit, async (most, cursor?: string) => {
      const { data, pagination } = await client.listLogs({ query: { ...filters, limit: most, cursor } });
      tail ??= pagination.tailCursor;
      return { rows: data, next: pagination.nextCursor };
    });
    const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
    const empty = isFiltered ? "No calls match." : "No calls yet. Call a tool: gatehouse call <server>__<tool>";
    if (!follow) return out.list(known.toReversed(), COLUMNS, empty);
    out.append(known.toReversed(), COLUMNS);
    const seen = new Set(known.map(({ id }) => id));
    await followCalls(out, async () => {
      const { data, pagination } = await client.tailLogs({ query: { ...filters, cursor: tail, limit: PAGE } });
      tail = pagination.tailCursor;
      // Calls that were recorded while the list was read may be in both.
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
  description: "Count calls by outcome and duration; the last 24 hours by default",
  options: {
    by: {
      type: "choice",
      choices: ["server", "tool", "user", "time"],
      description: "what the rows are (default: server)",
    },
    ...FILTERS,
    top: { type: "number", hint: "n", description: "maximum number of rows (default: 10)" },
  },
  example: "gatehouse logs stats --by tool --from 7d",
  async run({ api, options, out, now }) {
    const query = { ...filtersOf(options, now()), top: options.top };
    const { data } = await api().getLogStats({ query });
    if (out.json) return out.record(data);
    const { totals, from, to } = data;
    out.say(`${totals.calls} calls, ${totals.errors} failed, from ${from} to ${to}`);
    const by = options.by ?? "server";
    if (by === "server") out.list(data.servers, { SERVER: (row) => row.server_slug, ...TALLY }, NO_CALLS);
    else if (by === "tool")
      out.list(data.tools, { SERVER: (row) => row.server_slug, TOOL: (row) => row.tool, ...TALLY }, NO_CALLS);
    else if (by === "user") out.list(data.users, { USER: (row) => row.user_email, ...TALLY }, NO_CALLS);
    else out.list(data.series, { TIME: (row) => row.ts, ...TALLY }, NO_CALLS);
  },
});

const exported = verb({
  description: "Write the call log to stdout, newest call first",
  options: {
    format: {
      type: "choice",
      choices: ["ndjson", "csv"],
      description: "file format (default: ndjson)",
    },
    ...FILTERS,
  },
  example: "gatehouse logs export --from 24h --format csv",
  timeoutSeconds: EXPORT_TIMEOUT_SECONDS,
  async run({ download, options, out, now }) {
    await writeExport(
      out,
      await download("exportLogs", { query: { ...filtersOf(options, now()), format: options.format } }),
    );
  },
});

export const logs: Noun = {
  description: "The call log",
  default: list,
  verbs: { stats, export: exported },
  example: "gatehouse logs --follow --outcome denied",
};

function rounded(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds * 10) / 10;
}

type ReadNew = () => Promise<{ readonly entries: readonly Entry[]; readonly hasMore: boolean }>;

async function followCalls(out: Output, readNew: ReadNew): Promise<never> {
  let isUnreachable = false;
  let isBehind = false;
  for (;;) {
    if (!isBehind) await sleep(POLL_MS);
    try {
      const { entries, hasMore } = await readNew();
      out.append(entries, COLUMNS);
      isBehind = hasMore;
      if (isUnreachable) out.say("Reconnected.");
      isUnreachable = false;
    } catch (error) {
      // Continues after a restart of the server, but not after a rejected token.
      if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
      if (!isUnreachable) out.say("Cannot reach Gatehouse. Retrying…");
      isUnreachable = true;
      isBehind = false;
    }
  }
}
