import type { ExchangeProviderRow } from "#storage/exchange-tables";
import { type Claims, shownClaim } from "./claims.ts";
import { describeCondition, evaluateCondition } from "./conditions.ts";
import { type IssuerKeys, IssuerKeysFailure } from "./issuer-keys.ts";
import { ID_JAG, type ParsedToken, typeOf } from "./parse-token.ts";
import { isEmailVerified, subjectOf } from "./subject.ts";
import { verifySignature } from "./verify-signature.ts";

/** Why a token is not exchanged. `refusals.ts` has the responses. */
export type ExchangeRefusal =
  | "empty"
  | "malformed"
  | "no-provider"
  | "no-keys-url"
  | "keys-unavailable"
  | "invalid-token"
  | "no-subject"
  | "conditions"
  | "unverified-email"
  | "no-user";

export interface TokenCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** How the exchange responds if this is the first failed check. */
  readonly refusal: ExchangeRefusal;
}

/** What an identity assertion (ID-JAG) must be for. */
export interface AssertionTarget {
  /** The issuer of our OAuth server. */
  readonly issuer: string;
  /** The authenticated client. */
  readonly clientId: string;
  isOwnResource(resource: string): boolean;
}

export interface CheckRequest {
  readonly token: ParsedToken;
  readonly provider: ExchangeProviderRow;
  readonly keys: IssuerKeys;
  readonly now: number;
  /** Set if the token is presented as an identity assertion. */
  readonly assertion?: AssertionTarget | undefined;
  /** Whether the token was exchanged before; undefined for a provider whose tokens can be exchanged again. */
  isReplayed(): Promise<boolean | undefined>;
  /** Whether the token selects a user, with the reason. */
  checkUser(): Promise<{ readonly ok: boolean; readonly detail: string }>;
}

const SKEW_S = 60;
/** Types of tokens that identify a user or workload. Others, such as logout tokens, are for another purpose. */
const TOKEN_TYPES: ReadonlySet<string | undefined> = new Set([undefined, "jwt", "at+jwt", "id_token+jwt"]);

/**
 * All checks of a token, in order. The exchange stops at the first one that fails; the test of a provider shows all. A
 * check that needs an earlier one to succeed fails too, so the first failure decides.
 */
export async function* checkToken(request: CheckRequest): AsyncGenerator<TokenCheck> {
  const { token, provider, now } = request;
  const { definition } = provider;
  yield provider.enabled
    ? passed("provider", `${provider.slug} is enabled`)
    : failed("provider", `${provider.slug} is disabled`, "no-provider");
  yield checkIssuer(token, provider);
  yield checkType(token, request.assertion);
  yield checkAudience(token, definition.audiences);
  if (request.assertion) yield* checkAssertion(token, request.assertion);
  yield checkAlgorithm(token, definition.algorithms);
  yield* checkSignature(request);
  yield* checkTimes(token.claims, Math.floor(now / 1000), definition.max_age_seconds);
  yield* checkReplay(request);
  yield* checkSubject(token.claims, provider);
  for (const [at, condition] of definition.conditions.entries()) {
    const { holds, detail } = evaluateCondition(condition, token.claims);
    const text = `${describeCondition(condition)}: ${detail}`;
    yield { name: `conditions.${at}`, ok: holds, detail: text, refusal: "conditions" };
  }
  yield { name: "user", refusal: "no-user", ...(await request.checkUser()) };
}

/** The first failed check; undefined if all succeed. */
export async function firstFailure(checks: AsyncIterable<TokenCheck>): Promise<TokenCheck | undefined> {
  for await (const check of checks) if (!check.ok) return check;
  return undefined;
}

function checkIssuer({ issuer }: ParsedToken, provider: ExchangeProviderRow): TokenCheck {
  if (issuer === provider.issuer) return passed("issuer", issuer);
  return failed("issuer", `iss is ${shownClaim(issuer)}, expected ${provider.issuer}`, "no-provider");
}

function checkType(token: ParsedToken, assertion: AssertionTarget | undefined): TokenCheck {
  const type = typeOf(token);
  const isExpected = assertion ? type === ID_JAG : TOKEN_TYPES.has(type);
  if (isExpected)
    return passed("type", type === undefined ? "typ is missing" : `typ is ${shownClaim(token.header.typ)}`);
  const hint = type === ID_JAG ? "; present it with the jwt-bearer grant" : assertion ? `, expected ${ID_JAG}` : "";
  return failed("type", `typ is ${shownClaim(token.header.typ)}${hint}`);
}

function checkAudience({ audiences, claims }: ParsedToken, accepted: readonly string[]): TokenCheck {
  const found = audiences.find((audience) => accepted.includes(audience));
  if (found !== undefined) return passed("audience", found);
  return failed("audience", `aud is ${shownClaim(claims.aud)}, expected ${accepted.join(" or ")}`);
}

function* checkAssertion({ audiences, claims }: ParsedToken, target: AssertionTarget): Generator<TokenCheck> {
  const isForUs = audiences.length === 1 && audiences[0] === target.issuer;
  yield isForUs
    ? passed("assertion_audience", target.issuer)
    : failed("assertion_audience", `aud is ${shownClaim(claims.aud)}, expected only ${target.issuer}`);
  const { client_id: clientId, resource } = claims;
  yield clientId === target.clientId
    ? passed("client", target.clientId)
    : failed("client", `client_id is ${shownClaim(clientId)}, but ${target.clientId} presents the token`);
  yield typeof resource === "string" && target.isOwnResource(resource)
    ? passed("resource", resource)
    : failed("resource", `resource is ${shownClaim(resource)}, which is not this gateway`);
}

function checkAlgorithm({ header: { alg } }: ParsedToken, accepted: readonly string[]): TokenCheck {
  if (typeof alg === "string" && accepted.includes(alg)) return passed("algorithm", alg);
  return failed("algorithm", `alg is ${shownClaim(alg)}, expected ${accepted.join(" or ")}`);
}

async function* checkSignature({ keys, provider, token }: CheckRequest): AsyncGenerator<TokenCheck> {
  try {
    const problem = await verifySignature(keys, provider, token);
    yield passed("keys", "the keys of the issuer are available");
    yield problem === undefined ? passed("signature", "valid") : failed("signature", problem);
  } catch (error) {
    if (!(error instanceof IssuerKeysFailure)) throw error;
    yield failed("keys", error.message, error.kind === "no-url" ? "no-keys-url" : "keys-unavailable");
    yield failed("signature", "not verified without keys");
  }
}

function* checkTimes(claims: Claims, nowS: number, maxAgeS: number): Generator<TokenCheck> {
  const { exp, nbf, iat } = claims;
  if (!isTime(exp)) yield failed("expiration", "exp is missing or not a number");
  else if (exp + SKEW_S <= nowS) yield failed("expiration", `expired ${ago(nowS - exp)} ago`);
  else yield passed("expiration", `expires at ${time(exp)}`);
  if (nbf === undefined) yield passed("not_before", "nbf is missing");
  else if (!isTime(nbf) || nbf - SKEW_S > nowS) yield failed("not_before", `not valid before ${shownTime(nbf)}`);
  else yield passed("not_before", `valid since ${time(nbf)}`);
  if (!isTime(iat)) yield failed("age", "iat is missing or not a number");
  else if (iat - SKEW_S > nowS) yield failed("age", `issued in the future, at ${time(iat)}`);
  else if (nowS - iat > maxAgeS + SKEW_S) yield failed("age", `issued ${ago(nowS - iat)} ago, allowed: ${maxAgeS} s`);
  else yield passed("age", `issued at ${time(iat)}`);
}

async function* checkReplay({ token, assertion, provider, isReplayed }: CheckRequest): AsyncGenerator<TokenCheck> {
  if (!assertion && !provider.definition.one_time_jti) return;
  const { jti } = token.claims;
  if (typeof jti !== "string" || jti === "")
    yield failed("replay", "jti is missing, so repeated use cannot be detected");
  else if (await isReplayed()) yield failed("replay", "the token was exchanged before");
  else yield passed("replay", "used for the first time");
}

function* checkSubject(claims: Claims, { definition }: ExchangeProviderRow): Generator<TokenCheck> {
  const subject = subjectOf(definition, claims);
  if (!subject) {
    yield failed("subject", "the token has no claim that names the subject", "no-subject");
    return;
  }
  yield passed("subject", `${subject.claim} is ${shownClaim(subject.value)}`);
  const isVerified = isEmailVerified(definition, claims, subject);
  if (isVerified === undefined) return;
  yield isVerified
    ? passed("email_verified", "the issuer verified the email")
    : failed("email_verified", "email_verified is not true", "unverified-email");
}

function passed(name: string, detail: string): TokenCheck {
  return { name, ok: true, detail, refusal: "invalid-token" };
}

function failed(name: string, detail: string, refusal: ExchangeRefusal = "invalid-token"): TokenCheck {
  return { name, ok: false, detail, refusal };
}

/** Years after 9999 have no ISO form and are no times of tokens. */
const MAX_TIME_S = 253_402_300_799;

function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_TIME_S;
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function shownTime(value: unknown): string {
  return isTime(value) ? time(value) : shownClaim(value);
}

function ago(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
