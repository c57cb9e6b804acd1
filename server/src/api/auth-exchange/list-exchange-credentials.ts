import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, offsetParameter, textParameter } from "#api/kit/parameters";
import { findProvider, listCredentials } from "#records/auth-exchange";
import { findUser } from "#records/users";
import { presentCredential } from "./present.ts";
import { ExchangeCredential } from "./schema.ts";

/** Families 8. */
export const listExchangeCredentials = read({
  id: "listExchangeCredentials",
  route: "GET /api/auth-exchange/credentials",
  tag: "Auth Exchange",
  summary: "List issued credentials",
  description: "Newest first. Ended and expired credentials are listed for 30 days.",
  scope: "admin:read",
  query: {
    user: textParameter("Only credentials of this user. Email, case-insensitive"),
    provider: textParameter("Only credentials for tokens of this provider. Slug"),
    active: choiceParameter("Only credentials that are valid now, or only others", ["true", "false"]),
    skip: offsetParameter("Number of credentials to skip"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(ExchangeCredential), pagination: SkipPagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve credentials",
  async run({ db, query, context }) {
    const { skip, limit } = query;
    const now = context.clock.now();
    const user = query.user === undefined ? undefined : await findUser(db, query.user);
    const provider = query.provider === undefined ? undefined : await findProvider(db, query.provider);
    const isUnknown = (query.user !== undefined && !user) || (query.provider !== undefined && !provider);
    const active = query.active === undefined ? undefined : query.active === "true";
    const filter = { userId: user?.id, providerId: provider?.id, active };
    const rows = isUnknown ? [] : await listCredentials(db, filter, { skip, limit: limit + 1, now });
    const { page, hasMore } = pageOf(rows, limit);
    const data = page.map((row) => presentCredential(row, now));
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});
