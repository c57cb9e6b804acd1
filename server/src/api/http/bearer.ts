import { Refusal } from "#lib/errors";
import { API_TOKEN_PREFIX, hasValidChecksum } from "#lib/tokens";
import { findApiToken, touchApiToken } from "#records/api-tokens";
import type { Actor } from "#storage/transaction";
import type { FailedAttempts } from "./failed-attempts.ts";
import type { ApiWorld } from "./world.ts";

export interface Caller {
  readonly actor: Actor;
  readonly scopes: readonly string[];
}

const LONGEST_TOKEN = 512;

/** Spec 5.1: every operation needs an API token. Ends in a caller or in a refusal, never in between (AUTH-2). */
export async function authenticate(
  world: ApiWorld,
  attempts: FailedAttempts,
  header: string | undefined,
  address: string,
): Promise<Caller> {
  if (header === undefined) throw new Refusal("unauthenticated", "no credential");
  const retryAfterSeconds = attempts.retryAfter(address);
  if (retryAfterSeconds !== undefined) {
    throw new Refusal("unauthenticated", "too many wrong credentials", { retryAfterSeconds });
  }
  const token = readBearer(header);
  const found = token === undefined ? undefined : await findApiToken(world.databases.main, token);
  const now = world.clock.now();
  if (!found || (found.expires_at !== null && found.expires_at <= now)) {
    attempts.failed(address);
    throw new Refusal("unauthenticated", "wrong credential");
  }
  await touchApiToken(world.databases.main, found, now);
  return { actor: { kind: "api-token", id: found.id, name: found.name }, scopes: found.scopes };
}

/** Undefined for what cannot be one of our tokens; a bad checksum needs no look at the database. */
function readBearer(header: string): string | undefined {
  const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined || token.length > LONGEST_TOKEN) return undefined;
  if (token.startsWith(API_TOKEN_PREFIX) && !hasValidChecksum(token)) return undefined;
  return token;
}
