import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findProvider } from "#records/auth-exchange";
import { presentProvider } from "./present.ts";
import { ExchangeProvider } from "./schema.ts";

/** Families 8. */
export const getExchangeProvider = read({
  id: "getExchangeProvider",
  route: "GET /api/auth-exchange/providers/{slug}",
  tag: "Auth Exchange",
  summary: "Get a trusted issuer",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The provider's slug", "github-actions") },
  answers: { 200: z.object({ data: ExchangeProvider }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve provider",
  async run({ db, path, context }) {
    const row = await findProvider(db, path.slug);
    if (!row) throw notFound.exchangeProvider();
    return { status: 200, body: { data: await presentProvider(db, row, context.clock.now()) } };
  },
});
