import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { readTime } from "../read-time.ts";
import { LIMIT, type Noun, type Options, type Values, verb } from "../verb.ts";
import { EXPORT_TIMEOUT_SECONDS, writeExport } from "../write-export.ts";

const SHOWN = 50;

const FILTERS = {
  actor: { type: "text", hint: "id|name", description: "filter by the caller" },
  operation: { type: "text", hint: "id", description: "filter by operation, such as createGroup" },
  kind: { type: "text", hint: "kind", description: "filter by the kind of target, such as group" },
  target: { type: "text", hint: "id|name", description: "filter by target" },
  from: { type: "text", hint: "time", description: "start: a time, or a duration ago such as 2h" },
  to: { type: "text", hint: "time", description: "end: a time, or a duration ago" },
} as const satisfies Options;

function filtersOf({ actor, operation, kind, target, ...times }: Values<typeof FILTERS>, now: number) {
  const from = times.from === undefined ? undefined : readTime("from", times.from, now, "ago");
  const to = times.to === undefined ? undefined : readTime("to", times.to, now, "ago");
  return { actor, operation, target_type: kind, target, from, to };
}

const COLUMNS: Columns<Schemas["AuditEntry"]> = {
  TIME: (entry) => entry.ts,
  ACTOR: (entry) => entry.actor.name,
  OPERATION: (entry) => entry.operation,
  KIND: (entry) => entry.target.type,
  TARGET: (entry) => entry.target.name,
};

const list = verb({
  description: "Show the audit log, newest entry last; -o json includes the values before and after",
  options: {
    ...FILTERS,
    limit: { ...LIMIT, description: `number of entries (default: ${SHOWN})` },
  },
  example: "gatehouse audit --kind group --from 7d",
  async run({ api, options, out, now }) {
    const filters = filtersOf(options, now());
    const client = api();
    const rows = await readPages<Schemas["AuditEntry"], string>(options.limit ?? SHOWN, async (limit, cursor) => {
      const { data, pagination } = await client.listAudit({ query: { ...filters, limit, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    out.list(rows.toReversed(), COLUMNS, "No entries match.");
  },
});

const exported = verb({
  description: "Write the audit log to stdout, newest entry first",
  options: {
    format: { type: "choice", choices: ["ndjson", "csv"], description: "output format (default: ndjson)" },
    ...FILTERS,
  },
  example: "gatehouse audit export --from 30d --format csv",
  timeoutSeconds: EXPORT_TIMEOUT_SECONDS,
  async run({ download, options, out, now }) {
    await writeExport(
      out,
      await download("exportAudit", { query: { ...filtersOf(options, now()), format: options.format } }),
    );
  },
});

const verify = verb({
  description: "Verify the audit log on the data; with --remote, over the API",
  options: {
    remote: { type: "flag", description: "let the service verify it, over the API" },
    checkpoint: {
      type: "text",
      hint: "file",
      description: "a checkpoint that was stored elsewhere, or a log destination's file",
    },
  },
  example: "gatehouse audit verify --checkpoint checkpoint.json",
  timeoutSeconds: EXPORT_TIMEOUT_SECONDS,
  async run({ api, options, out, readText }) {
    const checkpoint =
      options.checkpoint === undefined
        ? undefined
        : newestCheckpoint(options.checkpoint, await readText(options.checkpoint));
    const { data } = await api().verifyAudit({ query: { checkpoint } });
    out.record(data);
    if (data.problem) throw new Failure(EXIT.failed, `The audit log is not valid. ${data.problem.message}`);
  },
});

/** The API accepts one. The newest covers the most entries; after a rewind of the destination it is not the last line. */
function newestCheckpoint(file: string, text: string): string {
  const whole = readCheckpoint(text);
  const found = whole ? [whole] : text.split("\n").flatMap((line) => readCheckpoint(line) ?? []);
  const [first, ...others] = found;
  if (first === undefined)
    throw badUsage(
      `${file} contains no checkpoint. Use the output of gatehouse audit checkpoint, or a file that a log destination wrote.`,
    );
  return JSON.stringify(others.reduce((newest, each) => (each.seq > newest.seq ? each : newest), first));
}

function readCheckpoint(text: string): { readonly seq: number } | undefined {
  if (!text.includes('"signature"')) return undefined;
  try {
    const { kind, seq, hash, ts, key_version, public_key, signature } = JSON.parse(text);
    if (typeof seq !== "number" || typeof signature !== "string") return undefined;
    return { kind, seq, hash, ts, key_version, public_key, signature } as { readonly seq: number };
  } catch {
    return undefined;
  }
}

const checkpoint = verb({
  description: "Print the newest signed checkpoint, to store it elsewhere",
  example: "gatehouse audit checkpoint",
  async run({ api, out }) {
    const { data } = await api().getAuditChain();
    if (!data.checkpoint)
      throw new Failure(
        EXIT.failed,
        "There is no checkpoint yet. The first one is signed a minute after the first entry.",
      );
    out.text(`${JSON.stringify(data.checkpoint)}\n`);
  },
});

export const audit: Noun = {
  description: "The audit log",
  default: list,
  verbs: { export: exported, verify, checkpoint },
  example: "gatehouse audit --kind group --from 7d",
};
