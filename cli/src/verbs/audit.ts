import type { Schemas } from "#openapi/types";
import type { Columns } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { readTime } from "../read-time.ts";
import { LIMIT, verb } from "../verb.ts";

const SHOWN = 50;

const COLUMNS: Columns<Schemas["AuditEntry"]> = {
  TIME: (entry) => entry.ts,
  ACTOR: (entry) => entry.actor.name,
  OPERATION: (entry) => entry.operation,
  KIND: (entry) => entry.target.type,
  TARGET: (entry) => entry.target.name,
};

export const audit = verb({
  description: "Show the audit log, newest entry last; -o json includes the values before and after",
  options: {
    actor: { type: "text", hint: "id|name", description: "filter by the caller" },
    operation: { type: "text", hint: "id", description: "filter by operation, such as createGroup" },
    kind: { type: "text", hint: "kind", description: "filter by the kind of target, such as group" },
    target: { type: "text", hint: "id|name", description: "filter by target" },
    from: { type: "text", hint: "time", description: "start: a time, or a duration ago such as 2h" },
    to: { type: "text", hint: "time", description: "end: a time, or a duration ago" },
    limit: { ...LIMIT, description: `number of entries (default: ${SHOWN})` },
  },
  example: "gatehouse audit --kind group --from 7d",
  async run({ api, options, out, now }) {
    const { actor, operation, kind, target, limit = SHOWN } = options;
    const from = options.from === undefined ? undefined : readTime("from", options.from, now(), "ago");
    const to = options.to === undefined ? undefined : readTime("to", options.to, now(), "ago");
    const client = api();
    const rows = await readPages<Schemas["AuditEntry"], string>(limit, async (most, cursor) => {
      const query = { actor, operation, target_type: kind, target, from, to, limit: most, cursor };
      const { data, pagination } = await client.listAudit({ query });
      return { rows: data, next: pagination.nextCursor };
    });
    out.list(rows.toReversed(), COLUMNS, "No entries match.");
  },
});
