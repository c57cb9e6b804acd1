import type { FastifyReply, FastifyRequest } from "fastify";
import { authenticateToken } from "#api/kit/bearer";
import { allows } from "#api/kit/scopes";
import type { ExchangeCaller } from "#identity/exchange/exchange-context";
import { answerExchangeGrant, type OAuthAnswer, oauthError, revokeAtEndpoint } from "#identity/exchange/oauth-grants";
import type { OAuthEndpoint } from "#identity/oauth-server/server";
import { Refusal } from "#lib/errors";
import type { FailedAttempts } from "#lib/failed-attempts";
import type { Actor } from "#storage/transaction";
import type { OAuthContext } from "./consent.ts";

/** Wrong API tokens per minute and IP address, as for the administration API. */
export const WRONG_KEYS_PER_MINUTE = 100;

export type Exchanged =
  | { readonly kind: "answer"; readonly answer: OAuthAnswer }
  /** The OAuth library answers. */
  | { readonly kind: "continue"; readonly caller: ExchangeCaller };

/** Answers the grants and revocations of exchanged tokens, which need no registered client. */
export async function answerExchange(
  context: OAuthContext,
  attempts: FailedAttempts,
  endpoint: OAuthEndpoint,
  request: FastifyRequest,
): Promise<Exchanged> {
  const caller = { actor: undefined, requestId: request.id, address: request.ip };
  if (endpoint !== "token" && endpoint !== "revoke") return { kind: "continue", caller };
  const params = new URLSearchParams(request.body instanceof Buffer ? request.body.toString("utf8") : "");
  if (endpoint === "revoke") {
    const isEnded = await revokeAtEndpoint(context, params.get("token") ?? "", caller);
    return isEnded ? { kind: "answer", answer: { status: 200, body: {} } } : { kind: "continue", caller };
  }
  const authenticated = await actorOf(context, attempts, request);
  if ("status" in authenticated) return { kind: "answer", answer: authenticated };
  const identified = { ...caller, actor: authenticated.actor };
  const answer = await answerExchangeGrant(context, params, identified);
  return answer ? { kind: "answer", answer } : { kind: "continue", caller: identified };
}

/** F46: `x-api-key` contains the API token of providers that require one. */
async function actorOf(
  context: OAuthContext,
  attempts: FailedAttempts,
  { headers, ip }: FastifyRequest,
): Promise<{ readonly actor: Actor | undefined } | OAuthAnswer> {
  const key = headers["x-api-key"];
  if (key === undefined) return { actor: undefined };
  try {
    const { actor, scopes } = await authenticateToken(context, attempts, `Bearer ${String(key)}`, ip);
    if (allows(scopes, "connect:exchange-auth")) return { actor };
    return oauthError("unauthorized_client", "Insufficient permissions: requires connect:exchange-auth", 403);
  } catch (error) {
    if (error instanceof Refusal) return oauthError("invalid_client", "the API token in x-api-key is not valid", 401);
    throw error;
  }
}

export function sendAnswer(reply: FastifyReply, { status, body }: OAuthAnswer): FastifyReply {
  return reply.code(status).headers({ "cache-control": "no-store", pragma: "no-cache" }).send(body);
}
