import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter } from "#api/kit/parameters";
import { listApiTokens as listRows } from "#records/api-tokens";
import { ApiToken, presentApiToken } from "./schema.ts";

/** D22. */
export const listApiTokens = read({
  id: "listApiTokens",
  route: "GET /api/api-tokens",
  tag: "API Tokens",
  summary: "List API tokens",
  description: "Oldest first. The token values are never returned.",
  scope: "admin:read",
  query: { skip: offsetParameter("Number of tokens to skip"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(ApiToken), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve API tokens",
  async run({ db, query: { skip, limit } }) {
    const { page, hasMore } = pageOf(await listRows(db, { skip, limit: limit + 1 }), limit);
    return { status: 200, body: { data: page.map(presentApiToken), pagination: { skip, limit, hasMore } } };
  },
});
