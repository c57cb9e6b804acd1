import { z } from "zod";
import { requiredText } from "#api/kit/body-fields";
import { action } from "#api/kit/operation";
import { refreshCredential } from "#identity/exchange/refresh";
import { Refusal } from "#lib/errors";
import { presentTokens } from "./present.ts";
import { ExchangedToken } from "./schema.ts";

/** Families 8. */
export const refreshExchange = action({
  id: "refreshExchange",
  route: "POST /api/auth-exchange/refresh",
  tag: "Auth Exchange",
  summary: "Refresh an exchanged token",
  description:
    "Returns a new access token and a new refresh token. A refresh token can be used once: using it again ends everything that was issued for the exchange.",
  scope: "any",
  callers: "anyone",
  body: z
    .object({
      refresh_token: requiredText("refresh_token", 512).meta({
        description: "The newest refresh token",
        writeOnly: true,
      }),
    })
    .meta({ id: "RefreshExchange", description: "The token to refresh", example: { refresh_token: "gh_xr_…" } }),
  answers: { 200: z.object({ data: ExchangedToken }) },
  refusals: [400],
  onCrash: "Failed to refresh token",
  async run({ body, requestId, address, context, wrongCredential }) {
    const caller = { actor: undefined, requestId, address };
    const refreshed = await refreshCredential(context.exchange.context, body.refresh_token, caller);
    if (!refreshed) throw new Refusal("invalid-token", "invalid_grant", wrongCredential());
    const data = presentTokens(context, refreshed.tokens, refreshed.user, refreshed.token);
    return { status: 200, body: { data } };
  },
});
