import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { endCredentialsOfProvider, lockProvider, updateProvider } from "#records/auth-exchange";
import { UpdateExchangeProviderBody } from "./bodies.ts";
import { checkProvider, requireOwnAudiences, requireTrustScope, trustOf } from "./check-provider.ts";
import { definitionOf, warningsOf } from "./definition.ts";
import { auditedProvider, presentProvider } from "./present.ts";
import { ExchangeProvider, warningsField } from "./schema.ts";

/** Families 8. */
export const updateExchangeProvider = write({
  id: "updateExchangeProvider",
  route: "PATCH /api/auth-exchange/providers",
  tag: "Auth Exchange",
  summary: "Update a trusted issuer",
  description:
    "Omitted fields keep their values. Disabling a provider, or changing its issuer, keys, audiences, algorithms, conditions or subject, ends all credentials that were issued for it. The slug never changes.\n\nIf tokens select people before or after the change (`subject.mode` `map` with `match` `email` or `external_id`), every change but a new name and `enabled: false` requires the scope `all`, because the tokens can act as any of them.",
  scope: "admin:write",
  query: { slug: targetParameter("The provider's slug", "github-actions") },
  body: UpdateExchangeProviderBody,
  answers: { 200: z.object({ data: ExchangeProvider, warnings: warningsField }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update provider",
  async run(input) {
    const { tx, trail, query, body, context } = input;
    const row = await lockProvider(tx, query.slug);
    if (!row) throw notFound.exchangeProvider();
    // Later than the last change, because an exchange that is under way compares the times.
    const now = Math.max(context.clock.now(), row.updated_at + 1);
    const before = await presentProvider(tx, row, now);
    const definition = await definitionOf(tx, row.definition, body);
    const { name = row.name, enabled = row.enabled, issuer = row.issuer } = body;
    requireTrustScope(input, { enabled, issuer, definition }, row);
    checkProvider(context, { issuer, definition });
    const after = await updateProvider(tx, row, { name, enabled, issuer, definition, updated_at: now });
    await requireOwnAudiences(tx, after);
    const isTrustChanged = !enabled || trustOf(after) !== trustOf(row);
    const end = { tx, trail, now, reason: "provider" } as const;
    const ended = isTrustChanged ? await endCredentialsOfProvider(end, row.id) : 0;
    const data = await presentProvider(tx, after, now);
    trail.audit({
      operation: "updateExchangeProvider",
      target: { kind: "exchange-provider", id: row.id, name: row.slug },
      before: auditedProvider(before),
      after: { ...auditedProvider(data), ...(ended > 0 && { ended_credentials: ended }) },
    });
    return { status: 200, body: { data, ...warningsOf(definition) } };
  },
});
