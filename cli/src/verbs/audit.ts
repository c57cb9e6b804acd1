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

/** The newest stands last, as in `logs`; what was and what is since then are in `-o json`. */
export const audit = verb({
  says: "Show who changed what over the API, the newest last",
  options: {
    actor: { type: "text", hint: "id|name", says: "only what this caller did" },
    operation: { type: "text", hint: "id", says: "only what this operation did, such as createGroup" },
    kind: { type: "text", hint: "kind", says: "only what was done to things of this kind, such as group" },
    target: { type: "text", hint: "id|name", says: "only what was done to this" },
    from: { type: "text", hint: "time", says: "from this time on, or the last while, such as 2h" },
    to: { type: "text", hint: "time", says: "before this time" },
    limit: { ...LIMIT, says: `the newest so many; ${SHOWN} unless given` },
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
    out.list(rows.toReversed(), COLUMNS, "changes");
  },
});
