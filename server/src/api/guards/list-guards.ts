import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { GUARD_TYPES } from "#guards/definition";
import { countGuards, listGuards as listRows } from "#records/guards";
import { presentGuards } from "./schema.ts";
import { GuardWithStats, withStats } from "./stats.ts";

/** Families 6. */
export const listGuards = read({
  id: "listGuards",
  route: "GET /api/guards",
  tag: "Guards",
  summary: "List guards",
  description: "Oldest first, so the built-in guards come first.",
  scope: "admin:read",
  query: {
    type: choiceParameter("Only guards of this type", GUARD_TYPES),
    enabled: choiceParameter("Only enabled or only disabled guards", ["true", "false"]),
    search: searchParameter("Only guards whose slug, name or description contains this text, case-insensitive"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({ data: z.array(GuardWithStats), pagination: CursorPagination, totalCount: totalCount.optional() }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve guards",
  async run({ db, query: { type, enabled, search, cursor, limit, includeTotal }, context }) {
    const filter = { type, search, enabled: enabled === undefined ? undefined : enabled === "true" };
    const { page, hasMore } = pageOf(await listRows(db, filter, { offset: cursor, limit: limit + 1 }), limit);
    const data = await withStats(context.databases.calls, await presentGuards(db, page));
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = includeTotal ? { totalCount: await countGuards(db, filter) } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});
