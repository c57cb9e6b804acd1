import { FailedAttempts } from "#lib/failed-attempts";
import { addReplay, findProvider, isReplayed, lockProviderById, providersOfIssuer } from "#records/auth-exchange";
import { lockUserById } from "#records/users";
import { constraintName } from "#storage/constraints";
import type { MainTransaction } from "#storage/database";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { inWrite } from "../identity-context.ts";
import {
  type AssertionTarget,
  checkToken,
  type ExchangeRefusal,
  firstFailure,
  type TokenCheck,
} from "./check-token.ts";
import { shownClaim } from "./claims.ts";
import { authorOf, type ExchangeCaller, type ExchangeContext } from "./exchange-context.ts";
import { type IssuedFor, type IssuedTokens, issueCredential } from "./issue.ts";
import { type ParsedToken, parseToken } from "./parse-token.ts";
import { createUser, syncGroups } from "./provision.ts";
import { type ResolvedUser, resolveUser } from "./resolve-user.ts";
import { subjectOf } from "./subject.ts";

export interface ExchangeRequest {
  readonly token: string;
  /** The slug of the only provider to use; undefined: selected by issuer and audience. */
  readonly provider?: string | undefined;
  readonly target: IssuedFor;
  readonly assertion?: AssertionTarget | undefined;
  readonly caller: ExchangeCaller;
}

export type ExchangeOutcome =
  | { readonly kind: "issued"; readonly tokens: IssuedTokens; readonly user: UserRow; readonly token: string }
  /** `issuer` is from the token and not verified. */
  | { readonly kind: "refused"; readonly refusal: ExchangeRefusal; readonly issuer: string }
  | { readonly kind: "unknown-provider" }
  | { readonly kind: "needs-api-key" };

/** Refused exchanges per minute that are stored in the audit log, by address and in total. */
const MAX_AUDITED_PER_ADDRESS = 30;
const MAX_AUDITED = 300;
/** A provider that changes during each attempt is changed by somebody who will succeed. */
const MAX_ATTEMPTS = 5;

/** Exchanges tokens of trusted issuers for gateway tokens. */
export class AuthExchange {
  readonly #context: ExchangeContext;
  readonly #auditedByAddress: FailedAttempts;
  readonly #audited: FailedAttempts;

  constructor(context: ExchangeContext) {
    this.#context = context;
    this.#auditedByAddress = new FailedAttempts(context.clock, MAX_AUDITED_PER_ADDRESS);
    this.#audited = new FailedAttempts(context.clock, MAX_AUDITED);
  }

  get context(): ExchangeContext {
    return this.#context;
  }

  async exchange(request: ExchangeRequest): Promise<ExchangeOutcome> {
    if (request.token === "") return refused("empty");
    const token = parseToken(request.token);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const selected = await this.#select(request, token);
      if (selected.kind !== "provider") return selected;
      const { provider, token: parsed } = selected;
      const failure = await firstFailure(this.#checks(provider, parsed, request.assertion));
      if (failure) return this.#refuse(request, parsed, provider, failure);
      const outcome = await this.#issue(request, parsed, provider).catch(changedOrThrow);
      if (outcome === "changed") continue;
      return "name" in outcome ? this.#refuse(request, parsed, provider, outcome) : outcome;
    }
    throw new Error("the provider changed during each attempt");
  }

  /** Every check of a token, whether it succeeds or not. Issues nothing. */
  async test(
    provider: ExchangeProviderRow,
    text: string,
  ): Promise<{ token: ParsedToken | undefined; checks: TokenCheck[] }> {
    const token = parseToken(text);
    const format = { name: "format", refusal: "malformed" } as const;
    if (!token) return { token, checks: [{ ...format, ok: false, detail: "not a JWT with an iss claim" }] };
    const checks: TokenCheck[] = [{ ...format, ok: true, detail: "a JWT in compact form" }];
    for await (const check of this.#checks(provider, token, undefined)) checks.push(check);
    return { token, checks };
  }

  async resolve(provider: ExchangeProviderRow, token: ParsedToken): Promise<ResolvedUser> {
    return resolveUser(this.#context.databases.main, provider.definition, token.claims);
  }

  async #select(request: ExchangeRequest, token: ParsedToken | undefined) {
    const { provider: slug, caller } = request;
    const db = this.#context.databases.main;
    const named = slug === undefined ? undefined : await findProvider(db, slug);
    if (slug !== undefined && !named && caller.actor) return { kind: "unknown-provider" } as const;
    if (!token) return caller.actor ? refused("malformed") : ({ kind: "needs-api-key" } as const);
    const trusted = slug === undefined ? await providersOfIssuer(db, token.issuer) : named ? [named] : [];
    const isAccepted = ({ definition }: ExchangeProviderRow) =>
      token.audiences.some((audience) => definition.audiences.includes(audience));
    const provider = trusted.find(isAccepted) ?? trusted[0];
    // Callers without an API key learn nothing about providers that require one.
    if (!caller.actor && (!provider?.enabled || provider.definition.require_api_key)) {
      return { kind: "needs-api-key" } as const;
    }
    if (!provider?.enabled || provider.issuer !== token.issuer) return refused("no-provider", token.issuer);
    return { kind: "provider", provider, token } as const;
  }

  #checks(provider: ExchangeProviderRow, token: ParsedToken, assertion: AssertionTarget | undefined) {
    const { keys, clock, databases } = this.#context;
    return checkToken({
      ...{ token, provider, keys, assertion, now: clock.now() },
      isReplayed: async () => isReplayed(databases.main, provider.id, String(token.claims.jti)),
      checkUser: async () => {
        const resolved = await this.resolve(provider, token);
        return { ok: resolved.kind !== "none", detail: resolved.detail };
      },
    });
  }

  #issue(request: ExchangeRequest, token: ParsedToken, checked: ExchangeProviderRow) {
    const { caller } = request;
    return inWrite(this.#context, authorOf(caller), async (tx, trail) => {
      const provider = await lockProviderById(tx, checked.id);
      if (provider?.updated_at !== checked.updated_at) return "changed" as const;
      if (!(await this.#isFirstUse(tx, provider, token, request.assertion))) return REPLAYED;
      const user = await this.#lockUser(tx, trail, provider, token);
      if (!user) return NO_USER;
      await syncGroups({ tx, trail }, provider, user, token.claims);
      const subject = subjectOf(provider.definition, token.claims)?.value ?? user.email;
      const tokens = await issueCredential(
        this.#context,
        { tx, trail },
        {
          ...{ provider, user, subject: shownClaim(subject), token: token.text, target: request.target },
          ...{
            tokenExpiresAt: Number(token.claims.exp) * 1000,
            canRefresh: !request.assertion,
            address: caller.address,
          },
        },
      );
      if (!tokens) return EXPIRED;
      trail.audit({
        operation: "exchangeAuth",
        target: { kind: "user", id: user.id, name: user.email },
        after: {
          ...{ provider: provider.slug, subject: shownClaim(subject), credential_id: tokens.credentialId },
          ...(request.target.clientId !== undefined && { client_id: request.target.clientId }),
        },
      });
      return { kind: "issued", tokens, user, token: token.text } as const;
    });
  }

  /** Stored until the token is too old to be accepted anyway. */
  async #isFirstUse(
    tx: MainTransaction,
    { id, definition }: ExchangeProviderRow,
    { claims }: ParsedToken,
    assertion: AssertionTarget | undefined,
  ): Promise<boolean> {
    if (!assertion && !definition.one_time_jti) return true;
    const endS = Math.min(Number(claims.exp), Number(claims.iat) + definition.max_age_seconds) + REPLAY_MARGIN_S;
    return addReplay(tx, { providerId: id, jti: String(claims.jti), expiresAt: endS * 1000 });
  }

  async #lockUser(
    tx: MainTransaction,
    trail: WriteTrail,
    provider: ExchangeProviderRow,
    { claims }: ParsedToken,
  ): Promise<UserRow | undefined> {
    const { newId, clock } = this.#context;
    const resolved = await resolveUser(tx, provider.definition, claims);
    if (resolved.kind === "none") return undefined;
    if (resolved.kind === "user") {
      const user = await lockUserById(tx, resolved.user.id);
      return user?.disabled === false && user.role === resolved.user.role ? user : undefined;
    }
    return createUser({ tx, trail }, provider, { id: newId("usr"), now: clock.now(), claims }, resolved);
  }

  /** Anyone can cause refusals at a provider without an API key, so only some are stored. */
  async #refuse(
    { caller }: ExchangeRequest,
    { issuer }: ParsedToken,
    { id, slug }: ExchangeProviderRow,
    { name, detail, refusal }: TokenCheck,
  ): Promise<ExchangeOutcome> {
    const { address } = caller;
    const isLimited = this.#auditedByAddress.retryAfter(address) ?? this.#audited.retryAfter("all");
    if (isLimited === undefined) {
      this.#auditedByAddress.failed(address);
      this.#audited.failed("all");
      await inWrite(this.#context, authorOf(caller), async (_tx, trail) => {
        const target = { kind: "exchange-provider", id, name: slug };
        trail.audit({ operation: "refuseAuthExchange", target, after: { check: name, reason: detail } });
      });
    }
    return refused(refusal, issuer);
  }
}

/** A concurrent exchange created the same person. */
function changedOrThrow(error: unknown): "changed" {
  const constraint = constraintName(error);
  if (constraint === "users_email_key" || constraint === "users_external_id_key") return "changed";
  throw error;
}

/** Twice the clock skew. */
const REPLAY_MARGIN_S = 120;
const LATE = { ok: false } as const;
const REPLAYED: TokenCheck = {
  ...LATE,
  name: "replay",
  detail: "the token was exchanged before",
  refusal: "invalid-token",
};
const EXPIRED: TokenCheck = { ...LATE, name: "expiration", detail: "the token has expired", refusal: "invalid-token" };
const NO_USER: TokenCheck = { ...LATE, name: "user", detail: "the user changed meanwhile", refusal: "no-user" };

function refused(refusal: ExchangeRefusal, issuer = ""): ExchangeOutcome & { kind: "refused" } {
  return { kind: "refused", refusal, issuer: shownClaim(issuer) };
}
