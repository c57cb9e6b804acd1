import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deleteLogDestination as deleteRow, lockLogDestination } from "#records/log-destinations";
import { auditedLogDestination } from "./present.ts";

/** F57. */
export const deleteLogDestination = write({
  id: "deleteLogDestination",
  route: "DELETE /api/log-destinations",
  tag: "Log destinations",
  summary: "Delete a log destination",
  description: "Records that were not sent yet are not sent. The receiver keeps what it has.",
  scope: "admin:write",
  query: { id: targetParameter("The log destination's ID", "lgd_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete log destination",
  async run({ tx, trail, query }) {
    const row = await lockLogDestination(tx, query.id);
    if (!row) throw notFound.logDestination();
    await deleteRow(tx, row.id);
    const target = { kind: "log_destination", id: row.id, name: row.name };
    trail.audit({ operation: "deleteLogDestination", target, before: auditedLogDestination(row) });
    return { status: 200, body: { message: "Log destination deleted successfully" } };
  },
});
