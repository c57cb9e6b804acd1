import type { FastifyReply, FastifyRequest } from "fastify";
import { authenticateToken } from "#api/kit/bearer";
import { allows } from "#api/kit/scopes";
import type { ExchangeCaller } from "#identity/exchange/exchange-context";
import { answerExchangeGrant, type OAuthAnswer, oauthError, revokeAtEndpoint } from "#identity/exchange/oauth-grants";
import type { OAuthEndpoint } from "#identity/oauth-server/server";
import { TOO_MANY } from "#identity/oauth-server/wrong-credentials";
import { Refusal } from "#lib/errors";
import type { FailedAttempts } from "#lib/failed-attempts";
import type { Actor } from "#storage/transaction";
import type { OAuthContext } from "./consent.ts";

/** Wrong tokens and secrets per minute and IP address, as for the administration API. */
export const WRONG_CREDENTIALS_PER_MINUTE = 100;

interface LimitedAnswer {
  readonly answer: OAuthAnswer;
  /** Set if the address sent too many wrong credentials before this one. */
  readonly retryAfterSeconds: number | undefined;
}

export type Exchanged =
  | ({ readonly kind: "answer" } & LimitedAnswer)
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
  const counted = (answer: OAuthAnswer): Exchanged => {
    const retryAfterSeconds = answer.isWrongToken ? attempts.countFailure(request.ip) : undefined;
    return { kind: "answer", answer, retryAfterSeconds };
  };
  if (endpoint === "revoke") {
    const answer = await revokeAtEndpoint(context, params.get("token") ?? "", caller);
    return answer ? counted(answer) : { kind: "continue", caller };
  }
  const authenticated = await actorOf(context, attempts, request);
  if ("answer" in authenticated) return { kind: "answer", ...authenticated };
  const identified = { ...caller, actor: authenticated.actor };
  const answer = await answerExchangeGrant(context, params, identified);
  return answer ? counted(answer) : { kind: "continue", caller: identified };
}

/** F46: `x-api-key` contains the API token of providers that require one. */
async function actorOf(
  context: OAuthContext,
  attempts: FailedAttempts,
  { headers, ip }: FastifyRequest,
): Promise<{ readonly actor: Actor | undefined } | LimitedAnswer> {
  const key = headers["x-api-key"];
  if (key === undefined) return { actor: undefined };
  try {
    const { actor, scopes } = await authenticateToken(context, attempts, `Bearer ${String(key)}`, ip);
    if (allows(scopes, "connect:exchange-auth")) return { actor };
    const answer = oauthError("unauthorized_client", "Insufficient permissions: requires connect:exchange-auth", 403);
    return { answer, retryAfterSeconds: undefined };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const answer = oauthError("invalid_client", "the API token in x-api-key is not valid", 401);
    return { answer, retryAfterSeconds: error.retryAfterSeconds };
  }
}

export function sendAnswer(reply: FastifyReply, { answer, retryAfterSeconds }: LimitedAnswer): FastifyReply {
  reply.headers({ "cache-control": "no-store", pragma: "no-cache" });
  if (retryAfterSeconds === undefined) return reply.code(answer.status).send(answer.body);
  reply.header("retry-after", retryAfterSeconds);
  return answer.status < 400 ? reply.code(429).send(TOO_MANY) : reply.code(answer.status).send(answer.body);
}
