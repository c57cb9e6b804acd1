import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { listLogDestinations as listRows } from "#records/log-destinations";
import { presentLogDestinations } from "./present.ts";
import { LogDestination } from "./schema.ts";

/** F57. */
export const listLogDestinations = read({
  id: "listLogDestinations",
  route: "GET /api/log-destinations",
  tag: "Log destinations",
  summary: "List log destinations",
  description: "In the order of their names, with how far each log was sent. Secrets are never returned.",
  scope: "admin:read",
  query: {
    search: searchParameter("Only destinations whose name contains this text, case-insensitive"),
    skip: offsetParameter("Number of destinations to skip"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(LogDestination), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve log destinations",
  async run({ db, query: { search, skip, limit }, context }) {
    const { page, hasMore } = pageOf(await listRows(db, { search, skip, limit: limit + 1 }), limit);
    const data = await presentLogDestinations(context.databases, page, context.clock.now());
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});
