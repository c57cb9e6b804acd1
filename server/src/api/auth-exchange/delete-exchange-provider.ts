import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deleteProvider, endCredentialsOfProvider, lockProvider } from "#records/auth-exchange";
import { auditedProvider, presentProvider } from "./present.ts";

/** Families 8. */
export const deleteExchangeProvider = write({
  id: "deleteExchangeProvider",
  route: "DELETE /api/auth-exchange/providers",
  tag: "Auth Exchange",
  summary: "Delete a trusted issuer",
  description: "Also ends all credentials that were issued for its tokens.",
  scope: "admin:write",
  query: { slug: targetParameter("The provider's slug", "github-actions") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete provider",
  async run({ tx, trail, query, context }) {
    const row = await lockProvider(tx, query.slug);
    if (!row) throw notFound.exchangeProvider();
    const now = context.clock.now();
    const before = auditedProvider(await presentProvider(tx, row, now));
    const ended_credentials = await endCredentialsOfProvider({ tx, trail, now, reason: "provider" }, row.id);
    await deleteProvider(tx, row.id);
    const target = { kind: "exchange-provider", id: row.id, name: row.slug };
    trail.audit({ operation: "deleteExchangeProvider", target, before: { ...before, ended_credentials } });
    return { status: 200, body: { message: "Provider deleted successfully" } };
  },
});
