import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, flagParameter, limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { countProviders, listProviders } from "#records/auth-exchange";
import { presentProviders } from "./present.ts";
import { ExchangeProvider } from "./schema.ts";

/** Families 8. */
export const listExchangeProviders = read({
  id: "listExchangeProviders",
  route: "GET /api/auth-exchange/providers",
  tag: "Auth Exchange",
  summary: "List trusted issuers",
  description: "Oldest first.",
  scope: "admin:read",
  query: {
    enabled: choiceParameter("Only enabled or only disabled providers", ["true", "false"]),
    search: searchParameter("Only providers whose slug, name or issuer contains this text, case-insensitive"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({ data: z.array(ExchangeProvider), pagination: CursorPagination, totalCount: totalCount.optional() }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve providers",
  async run({ db, query, context }) {
    const { cursor, limit, search } = query;
    const filter = { search, enabled: query.enabled === undefined ? undefined : query.enabled === "true" };
    const { page, hasMore } = pageOf(await listProviders(db, filter, { offset: cursor, limit: limit + 1 }), limit);
    const data = await presentProviders(db, page, context.clock.now());
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = query.includeTotal ? { totalCount: await countProviders(db, filter) } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});
