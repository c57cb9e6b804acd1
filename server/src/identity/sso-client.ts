import { createHash } from "node:crypto";
import type { Configuration, IDToken } from "openid-client";
import type { EgressFetch } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { type RandomBytes, randomBase62 } from "#lib/random";
import type { IdentityProviderRow } from "#records/identity-provider";

/** What the organization's provider says of whoever signed in there. */
export interface SsoPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  readonly groups: readonly string[];
  /** When the person last proved to the provider who they are; undefined: it does not say. */
  readonly authenticatedAt: number | undefined;
}

/** What is known only here and in the browser that began. */
export interface SsoAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The provider is asked to prove the person anew. */
  readonly fresh: boolean;
}

export type SsoProvider = Pick<IdentityProviderRow, "issuer" | "client_id" | "groups_claim"> & {
  readonly secret: string | undefined;
};

export interface SsoClient {
  /** Where to send the browser. */
  begin(provider: SsoProvider, attempt: SsoAttempt): Promise<URL>;
  /** Who came back, by the query of the callback. Throws where anything about it is not as it must be. */
  finish(provider: SsoProvider, attempt: SsoAttempt, query: string): Promise<SsoPerson>;
}

export interface SsoClientNeeds {
  readonly fetch: EgressFetch;
  readonly baseUrl: string;
  readonly clock: Clock;
}

const KEPT_MS = 5 * 60 * 1000;
const TIMEOUT_SECONDS = 10;
/** Of an authentication that is asked for anew. */
const FRESH_SECONDS = 300;

const SECRET_LENGTH = 43;

export function newSsoAttempt(random: RandomBytes, fresh: boolean): SsoAttempt {
  const secret = () => randomBase62(random, SECRET_LENGTH);
  return { state: secret(), nonce: secret(), codeVerifier: secret(), fresh };
}

/** Loaded when it is first needed: most processes sign nobody in that way. */
const load = () => import("openid-client");

/** OpenID Connect with PKCE, state, nonce and issuer checks (OA-1); every request goes by way of egress. */
export function createSsoClient({ fetch, baseUrl, clock }: SsoClientNeeds): SsoClient {
  const callback = `${baseUrl}/sso-callback`;
  let kept: { readonly key: string; readonly readAt: number; readonly config: Configuration } | undefined;
  /** What the provider said of itself, for some minutes; never what it failed to say. */
  const configured = async (provider: SsoProvider): Promise<Configuration> => {
    const key = JSON.stringify([provider.issuer, provider.client_id, provider.secret]);
    const readAt = clock.monotonic();
    if (kept?.key === key && readAt - kept.readAt < KEPT_MS) return kept.config;
    const config = await configure(provider, fetch);
    kept = { key, readAt, config };
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
        // Both, because providers exist that know only one of them.
        ...(attempt.fresh ? { max_age: "0", prompt: "login" } : {}),
      });
      // OA-8: the provider's own word on where it is must not become a script.
      if (url.protocol !== "https:" && url.protocol !== "http:") throw new Error("the provider names no web address");
      return url;
    },
    async finish(provider, attempt, query) {
      // Before anything is asked: an answer to another question costs no request.
      const states = new URLSearchParams(query).getAll("state");
      if (states.length !== 1 || states[0] !== attempt.state) throw new Error("the answer is to another sign-in");
      const config = await configured(provider);
      try {
        return await exchange(config, provider, attempt, new URL(`${callback}${query}`));
      } catch (error) {
        // It may have changed its keys or addresses.
        kept = undefined;
        throw error;
      }
    },
  };
}

async function exchange(
  config: Configuration,
  { groups_claim }: SsoProvider,
  attempt: SsoAttempt,
  callback: URL,
): Promise<SsoPerson> {
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
  return personOf({ ...more, ...claims }, claims, groups_claim);
}

async function configure({ issuer, client_id, secret }: SsoProvider, fetch: EgressFetch): Promise<Configuration> {
  const openid = await load();
  // Egress itself decides which addresses may be reached; http is for a provider beside us.
  const execute = issuer.startsWith("http:") ? [openid.allowInsecureRequests] : [];
  return openid.discovery(new URL(issuer), client_id, secret, secret === undefined ? openid.None() : undefined, {
    [openid.customFetch]: (url, options) => fetch(url, options as RequestInit), // the library's own subset of it
    execute,
    timeout: TIMEOUT_SECONDS,
  });
}

function personOf(
  claims: Readonly<Record<string, unknown>>,
  { iss, sub, auth_time }: IDToken,
  groupsClaim: string | null,
): SsoPerson {
  const groups = groupsClaim === null ? [] : [claims[groupsClaim] ?? []].flat();
  return {
    issuer: iss,
    subject: sub,
    email: textOf(claims.email),
    emailVerified: claims.email_verified === true,
    name: textOf(claims.name),
    groups: groups.filter((group) => typeof group === "string"),
    authenticatedAt: auth_time === undefined ? undefined : auth_time * 1000,
  };
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" && claim.trim() !== "" ? claim.trim() : undefined;
}
