import { z } from "zod";
import { isoTime, TimePagination, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, textParameter, timeParameter } from "#api/kit/parameters";
import { listAudit as listRows } from "#records/audit";
import type { AuditRow } from "#storage/tables";

const State = z.record(z.string(), z.unknown()).nullable();

/** D22: one write of the administration API, as it was told in its own transaction. */
export const AuditEntry = z
  .object({
    id: z.string().describe("The entry's id"),
    ts: timestamp("When it was done"),
    actor: z
      .object({
        type: z.string().meta({ description: "What kind of caller it was", example: "api-token" }),
        id: z.string().describe("The caller's id"),
        name: z.string().meta({ description: "The caller's name at that time", example: "CI" }),
      })
      .describe("Who did it"),
    operation: z.string().meta({ description: "The operation's id", example: "updateGroup" }),
    target: z
      .object({
        type: z.string().meta({ description: "What kind of thing it is", example: "group" }),
        id: z.string().describe("Its id"),
        name: z.string().meta({ description: "Its name at that time", example: "Engineering" }),
      })
      .describe("What it was done to"),
    before: State.describe("What was, without secrets; null for what is new"),
    after: State.describe("What is since then, without secrets; null for what is gone"),
    request_id: z.string().describe("The id that the answer carried as `x-request-id`"),
    ip: z.string().nullable().meta({
      description: "The caller's address, as far as trusted proxies tell; null: unknown",
      example: "192.0.2.7",
    }),
  })
  .meta({ id: "AuditEntry", description: "One change that was made over the administration API" });

export const listAudit = read({
  id: "listAudit",
  route: "GET /api/audit",
  tag: "Audit",
  summary: "List changes made over this API, newest first",
  description: "Each with who did it, to what, and what was and is, without secrets.",
  scope: "admin:read",
  query: {
    operation: textParameter("Only what this operation did, by its id"),
    actor: textParameter("Only what this caller did, by id or name"),
    target_type: textParameter("Only what was done to things of this kind, such as group or mcp-server"),
    target: textParameter("Only what was done to this, by id or by the name it had then"),
    from: timeParameter("Only what was done at or after this time"),
    to: timeParameter("Only what was done before this time"),
    cursor: textParameter("Where the page before ended, as its nextCursor said"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(AuditEntry), pagination: TimePagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve audit",
  async run({ db, query }) {
    const { target_type: targetType, cursor, limit, ...rest } = query;
    const { rows, nextCursor } = await listRows(db, { limit, cursor, filters: { targetType, ...rest } });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null };
    return { status: 200, body: { data: rows.map(presentEntry), pagination } };
  },
});

function presentEntry(row: AuditRow): z.input<typeof AuditEntry> {
  return {
    id: row.id,
    ts: isoTime(row.at),
    actor: { type: row.actor_kind, id: row.actor_id, name: row.actor_name },
    operation: row.operation,
    target: { type: row.target_kind, id: row.target_id, name: row.target_name },
    before: row.before && { ...row.before },
    after: row.after && { ...row.after },
    request_id: row.request_id,
    ip: row.ip,
  };
}
