import { Refusal } from "#lib/errors";
import type { FailedAttempts } from "#lib/failed-attempts";
import { API_TOKEN_PREFIX, hasValidChecksum } from "#lib/tokens";
import { findApiToken, touchApiToken } from "#records/api-tokens";
import type { ApiContext } from "./api-context.ts";
import { ANYONE, type Caller } from "./caller.ts";

const MAX_TOKEN_LENGTH = 512;

/** Resolves to undefined if there is no such token, or it has expired. */
export type FindCaller = (context: ApiContext, token: string) => Promise<Caller | undefined>;

/**
 * Authenticates an API token. A valid token is accepted whatever else comes from its address, because a proxy can make
 * all callers share one (D8).
 */
export async function authenticateToken(
  context: ApiContext,
  attempts: FailedAttempts,
  header: string,
  address: string,
  find: FindCaller = lookUpCaller,
): Promise<Caller> {
  const caller = await findCaller(context, header, find);
  if (caller) return caller;
  const retryAfterSeconds = attempts.countFailure(address);
  if (retryAfterSeconds === undefined) throw new Refusal("unauthenticated", "wrong credential");
  throw new Refusal("unauthenticated", "too many wrong credentials", { retryAfterSeconds });
}

async function findCaller(context: ApiContext, header: string, find = lookUpCaller): Promise<Caller | undefined> {
  const token = readBearer(header);
  return token === undefined ? undefined : find(context, token);
}

export async function lookUpCaller(context: ApiContext, token: string): Promise<Caller | undefined> {
  const found = await findApiToken(context.databases.main, token);
  const now = context.clock.now();
  if (!found || (found.expires_at !== null && found.expires_at <= now)) return undefined;
  await touchApiToken(context.databases.main, found, now);
  return { actor: { kind: "api-token", id: found.id, name: found.name }, scopes: found.scopes };
}

export interface JwtCaller {
  readonly caller: Caller;
  /** Undefined: `Authorization` contains an API token. */
  readonly jwt: string | undefined;
}

/** Without an API token, the caller has no scopes, and the operation decides whether the JWT suffices. */
export async function authenticateJwt(
  context: ApiContext,
  attempts: FailedAttempts,
  { authorization, apiKey }: { readonly authorization: string | undefined; readonly apiKey: string | undefined },
  address: string,
): Promise<JwtCaller> {
  const bearer = authorization === undefined ? undefined : /^bearer(?: +(\S*))?\s*$/i.exec(authorization);
  if (!bearer || authorization === undefined) throw new Refusal("unauthenticated", "no credential");
  const jwt = bearer[1] ?? "";
  if (apiKey !== undefined) {
    const caller = await authenticateToken(context, attempts, `Bearer ${apiKey}`, address);
    return { caller, jwt: (await findCaller(context, authorization)) ? undefined : jwt };
  }
  if (JWT_FORM.test(jwt)) return { caller: ANYONE, jwt };
  return { caller: await authenticateToken(context, attempts, authorization, address), jwt: undefined };
}

const JWT_FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Undefined if this cannot be an API token; a wrong checksum is rejected without a database query. */
function readBearer(header: string): string | undefined {
  const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined || token.length > MAX_TOKEN_LENGTH) return undefined;
  if (token.startsWith(API_TOKEN_PREFIX) && !hasValidChecksum(token)) return undefined;
  return token;
}
