import { createHash } from "node:crypto";
import type { Configuration, IDToken } from "openid-client";
import type { EgressFetch } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { loadOnUse } from "#lib/load-on-use";
import { type RandomBytes, randomBase62 } from "#lib/random";
import type { IdentityProviderRow } from "#records/identity-provider";

/** The person as reported by the identity provider. */
export interface SsoPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  /** All claims, of the ID token and of the userinfo endpoint. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** When the person last authenticated at the provider; undefined: not reported. */
  readonly authenticatedAt: number | undefined;
}

/** Known only to us and to the browser that started the sign-in. */
export interface SsoAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Requests that the provider authenticates the person again. */
  readonly fresh: boolean;
}

export type SsoProvider = Pick<IdentityProviderRow, "issuer" | "client_id"> & {
  readonly secret: string | undefined;
};

export interface SsoClient {
  /** Returns the provider's URL for the browser. */
  begin(provider: SsoProvider, attempt: SsoAttempt): Promise<URL>;
  /** Returns the person from the query of the callback. Throws if the callback is invalid. */
  finish(provider: SsoProvider, attempt: SsoAttempt, query: string): Promise<SsoPerson>;
}

export interface SsoClientNeeds {
  readonly fetch: EgressFetch;
  readonly baseUrl: string;
  readonly clock: Clock;
}

const CACHE_MS = 5 * 60 * 1000;
const TIMEOUT_SECONDS = 10;
/** Maximum age of a requested authentication. */
const FRESH_SECONDS = 300;

const SECRET_LENGTH = 43;

export function newSsoAttempt(random: RandomBytes, fresh: boolean): SsoAttempt {
  const secret = () => randomBase62(random, SECRET_LENGTH);
  return { state: secret(), nonce: secret(), codeVerifier: secret(), fresh };
}

/** Loaded on first use, because many installations do not use single sign-on. */
const load = () => loadOnUse(() => import("openid-client"));

/** OpenID Connect with PKCE, state, nonce, and issuer checks (OA-1). All requests use egress. */
export function createSsoClient({ fetch, baseUrl, clock }: SsoClientNeeds): SsoClient {
  const callback = `${baseUrl}/sso-callback`;
  let cached: { readonly key: string; readonly readAt: number; readonly config: Configuration } | undefined;
  /** Caches the provider's configuration for a few minutes. Errors are not cached. */
  const configured = async (provider: SsoProvider): Promise<Configuration> => {
    const key = JSON.stringify([provider.issuer, provider.client_id, provider.secret]);
    const readAt = clock.monotonic();
    if (cached?.key === key && readAt - cached.readAt < CACHE_MS) return cached.config;
    const config = await configure(provider, fetch);
    cached = { key, readAt, config };
    return config;
  };
  return {
    async begin(provider, attempt) {
      const openid = await load();
      const config = await configured(provider);
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: "openid email profile",
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: createHash("sha256").update(attempt.codeVerifier).digest("base64url"),
        code_challenge_method: "S256",
        // Some providers support only one of the two.
        ...(attempt.fresh ? { max_age: "0", prompt: "login" } : {}),
      });
      // OA-8: the URL comes from the provider and must not be a script URL.
      if (url.protocol !== "https:" && url.protocol !== "http:")
        throw new Error("the provider's authorization endpoint is not an http or https URL");
      return url;
    },
    async finish(provider, attempt, query) {
      // Checked first, so a callback with a wrong state causes no request.
      const states = new URLSearchParams(query).getAll("state");
      if (states.length !== 1 || states[0] !== attempt.state) throw new Error("the state does not match");
      const config = await configured(provider);
      try {
        return await exchange(config, attempt, new URL(`${callback}${query}`));
      } catch (error) {
        // The provider may have changed its keys or endpoints.
        cached = undefined;
        throw error;
      }
    },
  };
}

async function exchange(config: Configuration, attempt: SsoAttempt, callback: URL): Promise<SsoPerson> {
  const openid = await load();
  const tokens = await openid.authorizationCodeGrant(config, callback, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.codeVerifier,
    idTokenExpected: true,
    ...(attempt.fresh ? { maxAge: FRESH_SECONDS } : {}),
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("the provider sent no ID token");
  const more = config.serverMetadata().userinfo_endpoint
    ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
    : {};
  return personOf({ ...more, ...claims }, claims);
}

async function configure({ issuer, client_id, secret }: SsoProvider, fetch: EgressFetch): Promise<Configuration> {
  const openid = await load();
  // Egress decides which addresses are allowed. http is for a provider on the same network.
  const execute = issuer.startsWith("http:") ? [openid.allowInsecureRequests] : [];
  return openid.discovery(new URL(issuer), client_id, secret, secret === undefined ? openid.None() : undefined, {
    [openid.customFetch]: (url, options) => fetch(url, options as RequestInit), // the library passes a subset of RequestInit
    execute,
    timeout: TIMEOUT_SECONDS,
  });
}

function personOf(claims: Readonly<Record<string, unknown>>, { iss, sub, auth_time }: IDToken): SsoPerson {
  return {
    issuer: iss,
    subject: sub,
    email: textOf(claims.email),
    emailVerified: claims.email_verified === true,
    name: textOf(claims.name),
    claims,
    authenticatedAt: auth_time === undefined ? undefined : auth_time * 1000,
  };
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" && claim.trim() !== "" ? claim.trim() : undefined;
}
