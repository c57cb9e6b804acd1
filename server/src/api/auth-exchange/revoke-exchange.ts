import { z } from "zod";
import { Success } from "#api/kit/answers";
import { requiredText } from "#api/kit/body-fields";
import { action } from "#api/kit/operation";
import { revokeExchangeToken } from "#identity/exchange/refresh";

/** Families 8. */
export const revokeExchange = action({
  id: "revokeExchange",
  route: "POST /api/auth-exchange/revoke",
  tag: "Auth Exchange",
  summary: "Revoke an exchanged token",
  description:
    "Ends everything that was issued for the exchange: the access token or refresh token in the body, and all others. The response is the same for an unknown token.",
  scope: "any",
  callers: "anyone",
  body: z
    .object({
      token: requiredText("token", 512).meta({ description: "An access token or refresh token", writeOnly: true }),
    })
    .meta({ id: "RevokeExchange", description: "The token to revoke", example: { token: "gh_ex_…" } }),
  answers: { 200: Success },
  refusals: [400],
  onCrash: "Failed to revoke token",
  async run({ body, requestId, address, context }) {
    await revokeExchangeToken(context.exchange.context, body.token, { actor: undefined, requestId, address });
    return { status: 200, body: { data: { success: true } } };
  },
});
