import { Refusal } from "#lib/errors";
import type { FailedAttempts } from "#lib/failed-attempts";
import { API_TOKEN_PREFIX, hasValidChecksum } from "#lib/tokens";
import { findApiToken, touchApiToken } from "#records/api-tokens";
import type { ApiContext } from "./api-context.ts";
import type { Caller } from "./caller.ts";

const MAX_TOKEN_LENGTH = 512;

/**
 * Authenticates an API token. A valid token is accepted whatever else comes from its address, because a proxy can make
 * all callers share one (D8).
 */
export async function authenticateToken(
  context: ApiContext,
  attempts: FailedAttempts,
  header: string,
  address: string,
): Promise<Caller> {
  const token = readBearer(header);
  const found = token === undefined ? undefined : await findApiToken(context.databases.main, token);
  const now = context.clock.now();
  if (!found || (found.expires_at !== null && found.expires_at <= now)) {
    const retryAfterSeconds = attempts.retryAfter(address);
    attempts.failed(address);
    if (retryAfterSeconds === undefined) throw new Refusal("unauthenticated", "wrong credential");
    throw new Refusal("unauthenticated", "too many wrong credentials", { retryAfterSeconds });
  }
  await touchApiToken(context.databases.main, found, now);
  return { actor: { kind: "api-token", id: found.id, name: found.name }, scopes: found.scopes };
}

/** Undefined if this cannot be an API token; a wrong checksum is rejected without a database query. */
function readBearer(header: string): string | undefined {
  const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) return undefined;
  if (token.startsWith(API_TOKEN_PREFIX) && !hasValidChecksum(token)) return undefined;
  return token;
}
