import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "#openapi/client";
import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { type Page, readPages } from "../read-pages.ts";
import { readTime } from "../read-time.ts";
import { LIMIT, type Noun, type Options, type Values, verb } from "../verb.ts";

type Entry = Schemas["LogEntry"];

const SHOWN = 50;
const PAGE = 200;
const POLL_MS = 1_000;
/** Far more than a page, so that what is forgotten is not met again. */
const REMEMBERED = 10_000;

const FILTERS = {
  user: { type: "text", hint: "email", says: "only calls of this user" },
  server: { type: "text", hint: "slug", says: "only calls to this server" },
  tool: { type: "text", hint: "name", says: "only calls of this tool, by its server's name for it" },
  method: {
    type: "choice",
    choices: ["tools/call", "tools/list", "prompts/get", "resources/read", "completion/complete", "other"],
    says: "only requests of this method",
  },
  outcome: {
    type: "choice",
    choices: [
      "ok",
      "tool_error",
      "error",
      "denied",
      "upstream_failed",
      "timeout",
      "cancelled",
      "interrupted",
      "not_connected",
    ],
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

/** The newest stands last, where the eye is on a terminal. */
const list = verb({
  says: "Show what happened at the gateway, the newest last",
  options: OPTIONS,
  example: "gatehouse logs --follow --outcome denied",
  async run({ api, options, out, now }) {
    const { follow, limit = SHOWN } = options;
    if (follow && options.to !== undefined) throw badUsage("--follow and --to contradict each other");
    const filters = filtersOf(options, now());
    const client = api();
    const read: Read = async (most, cursor) => {
      const { data, pagination } = await client.listLogs({ query: { ...filters, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    };
    if (!follow) return out.list((await readPages(limit, read)).toReversed(), COLUMNS, "calls");
    const known = await readPages(Math.max(limit, PAGE), read);
    out.append(known.slice(0, limit).toReversed(), COLUMNS);
    await goOn(read, known, out);
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

const DAY_SECONDS = 24 * 60 * 60;

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
  timeoutSeconds: DAY_SECONDS,
  async run({ download, options, out, now }) {
    const stream = await download({ ...filtersOf(options, now()), format: options.format });
    try {
      await out.pieces(stream);
    } catch (error) {
      // Half an export must not look like a whole one.
      throw new ApiError("The export broke off: what was written is not all there is", undefined, error);
    }
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

type Read = (most: number, cursor?: string) => Promise<Page<Entry, string>>;

async function goOn(read: Read, known: readonly Entry[], out: Output): Promise<never> {
  const seen = new Seen(known);
  let away = false;
  for (;;) {
    await sleep(POLL_MS);
    try {
      out.append(await newEntries(read, seen), COLUMNS);
      if (away) out.say("Gatehouse is back.");
      away = false;
    } catch (error) {
      // A restart must not end what is meant to go on; a token that was refused must.
      if (!(error instanceof ApiError) || (error.status > 0 && error.status < 500)) throw error;
      if (!away) out.say("Gatehouse cannot be reached; trying again.");
      away = true;
    }
  }
}

/** Page by page until one holds something seen before; the oldest first. */
async function newEntries(read: Read, seen: Seen): Promise<Entry[]> {
  const found: Entry[] = [];
  let cursor: string | null | undefined;
  do {
    const { rows, next } = await read(PAGE, cursor ?? undefined);
    const fresh = rows.filter((entry) => seen.isNew(entry));
    found.push(...fresh);
    cursor = fresh.length === rows.length ? next : undefined;
  } while (cursor != null);
  found.reverse();
  seen.add(found);
  return found;
}

/**
 * A call is listed at the time when it came, so one that ran long appears among older ones: what is new is told by id.
 * What lies before the first look is old, though its id was never met.
 */
class Seen {
  readonly #ids = new Set<string>();
  readonly #since: string;

  constructor(known: readonly Entry[]) {
    this.#since = known.length < PAGE ? "" : (known.at(-1)?.ts ?? "");
    this.add(known.toReversed());
  }

  isNew({ id, ts }: Entry): boolean {
    return !this.#ids.has(id) && ts >= this.#since;
  }

  add(entries: readonly Entry[]): void {
    for (const { id } of entries) this.#ids.add(id);
    for (const id of this.#ids) {
      if (this.#ids.size <= REMEMBERED) break;
      this.#ids.delete(id);
    }
  }
}
