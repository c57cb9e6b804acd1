import { z } from "zod";
import { action } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findLogDestination } from "#records/log-destinations";
import { writeTransaction } from "#storage/transaction";
import { LogDestinationTest } from "./schema.ts";

/** F57. */
export const testLogDestination = action({
  id: "testLogDestination",
  route: "POST /api/log-destinations/{id}/test",
  tag: "Log destinations",
  summary: "Send a test record",
  description:
    "Sends one record of the type `test` and returns the result, also if the destination is paused. It is not retried, and positions in the logs do not change.",
  scope: "admin:write",
  path: { id: pathParameter("The log destination's ID", "lgd_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  answers: { 200: z.object({ data: LogDestinationTest }) },
  refusals: [400, 404],
  onCrash: "Failed to test log destination",
  async run({ db, path, actor, requestId, address, context }) {
    const row = await findLogDestination(db, path.id);
    if (!row) throw notFound.logDestination();
    const { clock, newId } = context;
    const target = { kind: "log_destination", id: row.id, name: row.name };
    await writeTransaction({ db, clock, newId }, { actor, requestId, address }, async (_tx, trail) => {
      trail.audit({ operation: "testLogDestination", target, after: {} });
    });
    const { status, error, warning, response } = await context.logShipping.sendTest(row, actor.name);
    const data = { delivered: error === null, response_status: status, error, warning, response };
    return { status: 200, body: { data } };
  },
});
