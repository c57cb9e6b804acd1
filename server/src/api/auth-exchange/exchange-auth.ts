import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { action } from "#api/kit/operation";
import { textParameter } from "#api/kit/parameters";
import type { ExchangeOutcome } from "#identity/exchange/auth-exchange";
import { REFUSAL_ANSWERS } from "#identity/exchange/refusals";
import { invalid, notFound, Refusal } from "#lib/errors";
import { presentTokens } from "./present.ts";
import { ExchangedToken } from "./schema.ts";

const MAX_TOKEN_LENGTH = 64 * 1024;
const RETRY_SECONDS = 5;

/** Families 8. */
export const exchangeAuth = action({
  id: "exchangeAuth",
  route: "POST /api/auth-exchange",
  tag: "Auth Exchange",
  summary: "Exchange a token of a trusted issuer",
  description:
    "Send the JWT in `Authorization` and an API token in `x-api-key`, or an API token in `Authorization` and the JWT in `token`. Providers without `require_api_key` accept the JWT in `Authorization` alone. The provider is selected by issuer and audience.",
  scope: "connect:exchange-auth",
  callers: "jwt",
  headers: { "x-api-key": textParameter("An API token, if `Authorization` contains the JWT") },
  body: z
    .object({
      token: text(MAX_TOKEN_LENGTH)
        .optional()
        .meta({ description: "The JWT, if `Authorization` contains an API token", writeOnly: true }),
      provider: text(64).optional().describe("Slug of the only provider to use"),
    })
    .meta({ id: "ExchangeAuth", description: "The token to exchange", example: { token: "eyJhbGciOiJSUzI1NiJ9…" } }),
  bodyIsOptional: true,
  answers: { 200: z.object({ data: ExchangedToken }) },
  refusals: [400, 404, 503],
  onCrash: "Failed to exchange token",
  async run({ body, jwt, actor, requestId, address, context, wrongCredential }) {
    if (jwt === undefined && body.token === undefined) throw invalid("token", "token is required");
    if (jwt !== undefined && body.token !== undefined) {
      throw invalid("token", "cannot be combined with a JWT in the Authorization header");
    }
    const outcome = await context.exchange.exchange({
      token: (jwt ?? body.token ?? "").trim(),
      provider: body.provider,
      target: { path: undefined, serverId: undefined, clientId: undefined },
      caller: { actor: actor.kind === "api-token" ? actor : undefined, requestId, address },
    });
    if (outcome.kind !== "issued") throw refusalOf(outcome, wrongCredential);
    const data = presentTokens(context, outcome.tokens, outcome.user, outcome.token);
    return { status: 200, body: { data } };
  },
});

function refusalOf(
  outcome: Exclude<ExchangeOutcome, { kind: "issued" }>,
  wrongCredential: () => { readonly retryAfterSeconds?: number },
): Refusal {
  if (outcome.kind === "needs-api-key") return new Refusal("unauthenticated", "no API key", wrongCredential());
  if (outcome.kind === "unknown-provider") return notFound.exchangeProvider();
  const { status, message } = REFUSAL_ANSWERS[outcome.refusal];
  const sentence = outcome.refusal === "no-provider" ? `${message} ${outcome.issuer}` : message;
  switch (status) {
    case 400:
      return new Refusal("unknown-reference", sentence);
    case 401:
      return new Refusal("invalid-token", sentence, wrongCredential());
    case 403:
      return new Refusal("forbidden", sentence);
    case 503:
      return new Refusal("upstream-unavailable", sentence, { retryAfterSeconds: RETRY_SECONDS });
  }
}
