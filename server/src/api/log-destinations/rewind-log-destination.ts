import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { cursorsOf, lockLogDestination, positionBefore, rewindCursor } from "#records/log-destinations";
import { presentLogDestination } from "./present.ts";
import { LogDestination, RewindLogDestinationBody } from "./schema.ts";

/** F57. */
export const rewindLogDestination = write({
  id: "rewindLogDestination",
  route: "POST /api/log-destinations/{id}/rewind",
  tag: "Log destinations",
  summary: "Send records again",
  description:
    "Continues with the records of the given time, so that the destination gets all later ones again. A time in the future skips the records that wait.",
  scope: "admin:write",
  path: { id: pathParameter("The log destination's ID", "lgd_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  body: RewindLogDestinationBody,
  answers: { 200: z.object({ data: LogDestination }) },
  refusals: [400, 404],
  onCrash: "Failed to rewind log destination",
  async run({ tx, trail, path, body, context, afterCommit }) {
    const row = await lockLogDestination(tx, path.id);
    if (!row) throw notFound.logDestination();
    const databases = { main: tx, calls: context.databases.calls };
    const before: Record<string, number> = {};
    const after: Record<string, number> = {};
    for (const { source, position } of await cursorsOf(tx, [row.id])) {
      const target = await positionBefore(databases, source, Date.parse(body.to));
      await rewindCursor(tx, row.id, source, target);
      before[source] = position;
      after[source] = target;
    }
    trail.audit({
      operation: "rewindLogDestination",
      target: { kind: "log_destination", id: row.id, name: row.name },
      ...{ before, after: { to: body.to, ...after } },
    });
    afterCommit(() => context.logShipping.wake());
    return { status: 200, body: { data: await presentLogDestination(databases, row, context.clock.now()) } };
  },
});
