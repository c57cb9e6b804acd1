import type { createLocalJWKSet } from "jose";
import type { Egress } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { evictOldest } from "#lib/evict-oldest";
import { isObject } from "#lib/is-object";
import { loadOnUse } from "#lib/load-on-use";
import { isLoopbackName } from "#lib/loopback-name";
import { SingleFlight } from "#lib/single-flight";
import type { ExchangeProviderRow, PublicKeySet } from "#storage/exchange-tables";

type KeySet = ReturnType<typeof createLocalJWKSet>;
type Provider = Pick<ExchangeProviderRow, "id" | "issuer" | "definition">;

/** `no-url`: the issuer's metadata names no key set. `unavailable`: the request failed and may succeed later. */
export class IssuerKeysFailure extends Error {
  readonly kind: "no-url" | "unavailable";

  constructor(kind: "no-url" | "unavailable", message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;
/** Keys are fetched again after this time, and used for longer only while the issuer does not respond. */
const FRESH_MS = 10 * 60_000;
const STALE_MS = 60 * 60_000;
/** Tokens with unknown keys are free to create, so they cause one fetch in this time. */
const COOLDOWN_MS = 30_000;
const FAILURE_COOLDOWN_MS = 5_000;
const MAX_PROVIDERS = 1_000;

interface CachedKeys {
  readonly keys: KeySet | undefined;
  /** When `keys` were fetched. */
  readonly fetchedAt: number;
  readonly triedAt: number;
  readonly failure: IssuerKeysFailure | undefined;
}

/** Loaded on first use, because many installations trust no issuer. */
const load = () => loadOnUse(() => import("jose"));

export interface IssuerKeysNeeds {
  readonly request: Egress["request"];
  readonly clock: Clock;
}

/** The public keys of issuers, in memory. All requests use egress and follow no redirect (F40). */
export class IssuerKeys {
  readonly #needs: IssuerKeysNeeds;
  readonly #cache = new Map<string, CachedKeys>();
  readonly #flights = new SingleFlight<CachedKeys>();

  constructor(needs: IssuerKeysNeeds) {
    this.#needs = needs;
  }

  /** Throws an `IssuerKeysFailure` if there are no keys. */
  async current(provider: Provider): Promise<KeySet> {
    const { jwks } = provider.definition;
    const key = cacheKey(provider);
    const cached = this.#cache.get(key);
    if (jwks !== null) return cached?.keys ?? (await this.#storeStatic(key, jwks));
    const age = cached?.keys ? this.#now() - cached.fetchedAt : Number.POSITIVE_INFINITY;
    if (cached?.keys && age < FRESH_MS) return cached.keys;
    const isPaused = cached && this.#now() - cached.triedAt < (cached.keys ? COOLDOWN_MS : FAILURE_COOLDOWN_MS);
    const latest = isPaused ? cached : await this.#fetch(key, provider);
    if (latest.keys && this.#now() - latest.fetchedAt < STALE_MS) return latest.keys;
    throw latest.failure ?? new IssuerKeysFailure("unavailable", "the keys are outdated");
  }

  /** After a token named a key that is not in the current set. Undefined: the keys were fetched a moment ago. */
  async refetched(provider: Provider): Promise<KeySet | undefined> {
    if (provider.definition.jwks !== null) return undefined;
    const key = cacheKey(provider);
    const cached = this.#cache.get(key);
    if (cached && this.#now() - cached.triedAt < COOLDOWN_MS) return undefined;
    const { keys, failure } = await this.#fetch(key, provider);
    return failure ? undefined : keys;
  }

  #now(): number {
    return this.#needs.clock.monotonic();
  }

  async #storeStatic(key: string, jwks: PublicKeySet): Promise<KeySet> {
    const keys = await keySetOf(jwks);
    this.#store(key, { keys, fetchedAt: this.#now(), triedAt: this.#now(), failure: undefined });
    return keys;
  }

  #fetch(key: string, provider: Provider): Promise<CachedKeys> {
    return this.#flights.run(key, async () => {
      const before = this.#cache.get(key);
      const tried = await this.#tryFetch(provider);
      const triedAt = this.#now();
      const fetched =
        tried instanceof IssuerKeysFailure
          ? { keys: before?.keys, fetchedAt: before?.fetchedAt ?? triedAt, triedAt, failure: tried }
          : { keys: tried, fetchedAt: triedAt, triedAt, failure: undefined };
      this.#store(key, fetched);
      return fetched;
    });
  }

  #store(key: string, cached: CachedKeys): void {
    this.#cache.delete(key);
    this.#cache.set(key, cached);
    evictOldest(this.#cache, MAX_PROVIDERS);
  }

  async #tryFetch(provider: Provider): Promise<KeySet | IssuerKeysFailure> {
    try {
      const url = provider.definition.jwks_uri ?? (await this.#discover(provider.issuer));
      const body = await this.#get(url);
      if (!isObject(body)) return new IssuerKeysFailure("unavailable", `${url} is not a JSON Web Key Set`);
      return await keySetOf(body);
    } catch (error) {
      if (error instanceof IssuerKeysFailure) return error;
      return new IssuerKeysFailure("unavailable", messageOf(error), error);
    }
  }

  async #discover(issuer: string): Promise<string> {
    let unavailable: IssuerKeysFailure | undefined;
    for (const url of discoveryUrls(issuer)) {
      try {
        const document = await this.#get(url);
        // OpenID Connect Discovery, 4.3: another issuer's document must not decide about the keys.
        if (!isObject(document) || document.issuer !== issuer) continue;
        const { jwks_uri: found } = document;
        if (typeof found === "string" && isSecureUrl(found)) return found;
      } catch (error) {
        if (error instanceof IssuerKeysFailure && error.kind === "unavailable") unavailable ??= error;
      }
    }
    throw unavailable ?? new IssuerKeysFailure("no-url", "discovery found no jwks_uri for this issuer");
  }

  async #get(url: string): Promise<unknown> {
    const timeouts = { idleMs: TIMEOUT_MS, totalMs: TIMEOUT_MS };
    const headers = { accept: "application/json" };
    const { status, body } = await this.#needs
      .request({ method: "GET", url, headers, maxBytes: MAX_BYTES, timeouts })
      .catch((error: unknown) => {
        throw new IssuerKeysFailure("unavailable", messageOf(error), error);
      });
    if (status === 200) return parse(body);
    const isTemporary = status >= 500 || status === 429;
    throw new IssuerKeysFailure(isTemporary ? "unavailable" : "no-url", `${url} responded with status ${status}`);
  }
}

/** Plain http could be answered by anyone on the way, so it is only for this machine. */
export function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackName(url.hostname));
}

function cacheKey({ id, issuer, definition: { jwks, jwks_uri } }: Provider): string {
  return JSON.stringify([id, jwks_uri ?? issuer, jwks]);
}

/** OpenID Connect Discovery, and RFC 8414, which puts the path at the end. */
function discoveryUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, "");
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

async function keySetOf(set: object): Promise<KeySet> {
  const { createLocalJWKSet, errors } = await load();
  try {
    return createLocalJWKSet(set as Parameters<typeof createLocalJWKSet>[0]); // it checks the shape
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new IssuerKeysFailure("unavailable", "not a JSON Web Key Set", error);
    throw error;
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "the request failed";
}
