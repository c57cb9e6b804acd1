import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findLogDestination } from "#records/log-destinations";
import { presentLogDestination } from "./present.ts";
import { LogDestination } from "./schema.ts";

/** F57. */
export const getLogDestination = read({
  id: "getLogDestination",
  route: "GET /api/log-destinations/{id}",
  tag: "Log destinations",
  summary: "Get a log destination",
  scope: "admin:read",
  path: { id: lastSegmentParameter("The log destination's ID", "lgd_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  answers: { 200: z.object({ data: LogDestination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve log destination",
  async run({ db, path, context }) {
    const row = await findLogDestination(db, path.id);
    if (!row) throw notFound.logDestination();
    return { status: 200, body: { data: await presentLogDestination(context.databases, row, context.clock.now()) } };
  },
});
