import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { endCredential, findCredentialWithNames } from "#records/auth-exchange";
import { presentCredential } from "./present.ts";

/** Families 8. */
export const endExchangeCredential = write({
  id: "endExchangeCredential",
  route: "DELETE /api/auth-exchange/credentials",
  tag: "Auth Exchange",
  summary: "End an issued credential",
  description: "Ends its access tokens and its refresh token. The holder can exchange another token of the issuer.",
  scope: "admin:write",
  query: { id: targetParameter("The credential's ID", "exc_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to end credential",
  async run({ tx, trail, query, context }) {
    const row = await findCredentialWithNames(tx, query.id);
    if (!row) throw notFound.exchangeCredential();
    const now = context.clock.now();
    await endCredential({ tx, trail, now, reason: "ended" }, row.id);
    trail.audit({
      operation: "endExchangeCredential",
      target: { kind: "user", id: row.user_id, name: row.user_email },
      before: presentCredential(row, now),
    });
    return { status: 200, body: { message: "Credential ended successfully" } };
  },
});
