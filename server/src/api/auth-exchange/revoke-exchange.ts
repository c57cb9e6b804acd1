import { z } from "zod";
import { Success } from "#api/kit/answers";
import { requiredText } from "#api/kit/body-fields";
import { action } from "#api/kit/operation";
import { revokeExchangeToken } from "#identity/exchange/refresh";
import { Refusal } from "#lib/errors";

/** Families 8. */
export const revokeExchange = action({
  id: "revokeExchange",
  route: "POST /api/auth-exchange/revoke",
  tag: "Auth Exchange",
  summary: "Revoke an exchanged token",
  description:
    "Ends everything that was issued for the exchange: the access token or refresh token in the body, and all others. The response is the same for an unknown token, until an address sends too many of them.",
  scope: "any",
  callers: "anyone",
  body: z
    .object({
      token: requiredText("token", 512).meta({ description: "An access token or refresh token", writeOnly: true }),
    })
    .meta({ id: "RevokeExchange", description: "The token to revoke", example: { token: "gh_ex_…" } }),
  answers: { 200: Success },
  refusals: [400, 429],
  onCrash: "Failed to revoke token",
  async run({ body, requestId, address, context, wrongCredential }) {
    const caller = { actor: undefined, requestId, address };
    if (!(await revokeExchangeToken(context.exchange.context, body.token, caller))) {
      const wait = wrongCredential();
      if (wait.retryAfterSeconds !== undefined) throw new Refusal("limit", "Too many unknown tokens", wait);
    }
    return { status: 200, body: { data: { success: true } } };
  },
});
