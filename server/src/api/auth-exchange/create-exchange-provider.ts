import { z } from "zod";
import { write } from "#api/kit/operation";
import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";
import { insertProvider } from "#records/auth-exchange";
import { CreateExchangeProviderBody } from "./bodies.ts";
import { checkProvider, requireOwnAudiences, requireTrustScope } from "./check-provider.ts";
import { DEFAULTS, definitionOf, warningsOf } from "./definition.ts";
import { auditedProvider, presentProvider } from "./present.ts";
import { ExchangeProvider, warningsField } from "./schema.ts";

/** Families 8. */
export const createExchangeProvider = write({
  id: "createExchangeProvider",
  route: "POST /api/auth-exchange/providers",
  tag: "Auth Exchange",
  summary: "Trust an issuer",
  description:
    "Tokens of this issuer can then be exchanged for gateway tokens. Two providers can have the same issuer if their audiences differ. If tokens select people (`subject.mode` `map` with `match` `email` or `external_id`), this requires the scope `all`, because they can act as any of them.",
  scope: "admin:write",
  body: CreateExchangeProviderBody,
  answers: { 201: z.object({ data: ExchangeProvider, warnings: warningsField }) },
  refusals: [400],
  onCrash: "Failed to create provider",
  async run(input) {
    const { tx, trail, body, context } = input;
    const now = context.clock.now();
    const definition = await definitionOf(tx, DEFAULTS, body);
    const id = context.newId("iss");
    const wanted = {
      ...{ id, slug: body.slug ?? slugFromName(body.name, "provider", LONG_SLUG_MAX_LENGTH), name: body.name },
      ...{ enabled: body.enabled ?? true, issuer: body.issuer, definition, search_text: "" },
      ...{ created_at: now, updated_at: now },
    };
    requireTrustScope(input, wanted);
    checkProvider(context, wanted);
    const row = await insertProvider(tx, wanted);
    await requireOwnAudiences(tx, row);
    const data = await presentProvider(tx, row, now);
    const target = { kind: "exchange-provider", id, name: row.slug };
    trail.audit({ operation: "createExchangeProvider", target, after: auditedProvider(data) });
    return { status: 201, body: { data, ...warningsOf(definition) } };
  },
});
