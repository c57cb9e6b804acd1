import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, searchParameter } from "#api/kit/parameters";
import { listWebhooks as listRows } from "#records/webhooks";
import { presentWebhook, Webhook } from "./schema.ts";

/** F50. */
export const listWebhooks = read({
  id: "listWebhooks",
  route: "GET /api/webhooks",
  tag: "Webhooks",
  summary: "List webhooks",
  description: "In the order of their names. Secrets are never returned.",
  scope: "admin:read",
  query: {
    search: searchParameter("Only webhooks whose name contains this text, case-insensitive"),
    skip: offsetParameter("Number of webhooks to skip"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(Webhook), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve webhooks",
  async run({ db, query: { search, skip, limit }, context }) {
    const { page, hasMore } = pageOf(await listRows(db, { search, skip, limit: limit + 1 }), limit);
    const now = context.clock.now();
    const data = page.map((row) => presentWebhook(row, now));
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});
