import { z } from "zod";
import { isoTime, TimePagination, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, textParameter, timeParameter } from "#api/kit/parameters";
import { listAudit as listRows } from "#records/audit";
import type { AuditRow } from "#storage/tables";

const State = z.record(z.string(), z.unknown()).nullable();

/** D22: one write of the administration API, recorded in the same transaction. */
export const AuditEntry = z
  .object({
    id: z.string().describe("The entry's ID"),
    ts: timestamp("When the change was made"),
    actor: z
      .object({
        type: z.string().meta({ description: "Kind of the actor", example: "api-token" }),
        id: z.string().describe("The actor's ID"),
        name: z.string().meta({ description: "The actor's name at that time", example: "CI" }),
      })
      .describe("Who made the change"),
    operation: z.string().meta({ description: "The operation's ID", example: "updateGroup" }),
    target: z
      .object({
        type: z.string().meta({ description: "Kind of the target", example: "group" }),
        id: z.string().describe("The target's ID"),
        name: z.string().meta({ description: "The target's name at that time", example: "Engineering" }),
      })
      .describe("What was changed"),
    before: State.describe("State before the change, without secrets; null if it was created"),
    after: State.describe("State after the change, without secrets; null if it was deleted"),
    request_id: z.string().describe("The request ID, also sent as the `x-request-id` response header"),
    ip: z.string().nullable().meta({
      description: "IP address of the actor, as reported by trusted proxies; null: unknown",
      example: "192.0.2.7",
    }),
    seq: z.int().nullable().describe("Position in the hash chain; null: written by an earlier release a moment ago"),
    hash: z.string().nullable().describe("SHA-256 of the entry and of the previous hash; null like `seq`"),
  })
  .meta({ id: "AuditEntry", description: "One change made through the administration API" });

export const AUDIT_FILTERS = {
  operation: textParameter("Only entries of this operation, by its ID"),
  actor: textParameter("Only entries of this actor, by ID or name"),
  target_type: textParameter("Only entries with targets of this kind, such as group or mcp-server"),
  target: textParameter("Only entries with this target, by ID or by its name at that time"),
  from: timeParameter("Only entries at or after this time"),
  to: timeParameter("Only entries before this time"),
};

export const listAudit = read({
  id: "listAudit",
  route: "GET /api/audit",
  tag: "Audit",
  summary: "List audit log entries, newest first",
  description: "Each entry names the actor, the target, and its state before and after the change, without secrets.",
  scope: "admin:read",
  query: {
    ...AUDIT_FILTERS,
    cursor: textParameter("The `nextCursor` of the previous page"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(AuditEntry), pagination: TimePagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve the audit log",
  async run({ db, query }) {
    const { target_type: targetType, cursor, limit, ...rest } = query;
    const { rows, nextCursor } = await listRows(db, { limit, cursor, filters: { targetType, ...rest } });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null };
    return { status: 200, body: { data: rows.map(presentEntry), pagination } };
  },
});

export function presentEntry(row: AuditRow): z.input<typeof AuditEntry> {
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
    seq: row.seq,
    hash: row.hash,
  };
}
