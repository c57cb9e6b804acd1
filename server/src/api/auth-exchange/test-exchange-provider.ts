import { z } from "zod";
import { requiredText } from "#api/kit/body-fields";
import { action } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findProvider } from "#records/auth-exchange";
import { ProviderTest } from "./schema.ts";

const MAX_TOKEN_LENGTH = 16 * 1024;

/** Families 8. */
export const testExchangeProvider = action({
  id: "testExchangeProvider",
  route: "POST /api/auth-exchange/providers/{slug}/test",
  tag: "Auth Exchange",
  summary: "Test a token with a trusted issuer",
  description:
    "Runs every check of an exchange and shows its result. Issues nothing, creates no user, and does not count as a use of the token. The token is not stored.",
  scope: "admin:write",
  path: { slug: pathParameter("The provider's slug", "github-actions") },
  body: z
    .object({
      token: requiredText("token", MAX_TOKEN_LENGTH).meta({ description: "A JWT of the issuer", writeOnly: true }),
    })
    .meta({
      id: "TestExchangeProvider",
      description: "The token to test",
      example: { token: "eyJhbGciOiJSUzI1NiJ9…" },
    }),
  answers: { 200: z.object({ data: ProviderTest }) },
  refusals: [400, 404],
  onCrash: "Failed to test provider",
  async run({ db, path, body, context: { exchange } }) {
    const provider = await findProvider(db, path.slug);
    if (!provider) throw notFound.exchangeProvider();
    const { token, checks } = await exchange.test(provider, body.token.trim());
    const resolved = token && (await exchange.resolve(provider, token));
    const user =
      resolved?.kind === "user"
        ? { email: resolved.user.email, is_machine_user: resolved.user.is_machine_user, created: false }
        : resolved?.kind === "new" && { email: resolved.email, is_machine_user: false, created: true };
    const data = {
      valid: checks.every(({ ok }) => ok),
      checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
      claims: { ...token?.claims },
      ...(user && { user }),
    };
    return { status: 200, body: { data } };
  },
});
