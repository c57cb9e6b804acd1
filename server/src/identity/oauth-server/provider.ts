import { generateKeyPairSync } from "node:crypto";
import type { EventEmitter } from "node:events";
import type Provider from "oidc-provider";
import type { ClientMetadata, Configuration, interactionPolicy, JWK, KoaContextWithOIDC } from "oidc-provider";
import { scopedCookieName } from "#lib/cookie-name";
import { loadOnUse } from "#lib/load-on-use";
import { newGatewayToken } from "#lib/tokens";
import { findUserById } from "#records/users";
import type { ExchangeCaller } from "../exchange/exchange-context.ts";
import { createAdapters } from "./adapter.ts";
import { registerAssertionGrant } from "./assertion-grant.ts";
import { INTERACTION_MS, isLoopbackRedirect, isSafeRedirect } from "./clients.ts";
import { isUnreachable } from "./document-reachability.ts";
import { IDLE_GRANT_MS } from "./grants.ts";
import { CLIENT_AUTH_METHODS, issuerOf, SIGNING_ALGORITHMS } from "./metadata.ts";
import type { Errors, OAuthServerContext } from "./oauth-server-context.ts";
import { resourcePath, resourceUrl, SCOPE } from "./resources.ts";
import { limitWrongCredentials } from "./wrong-credentials.ts";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** The client ID is logged with each call. */
const MAX_CLIENT_ID_LENGTH = 512;

/** Renders an error for the browser when it cannot be redirected to the client. */
export type ErrorPage = (error: {
  readonly status: number;
  readonly sentence: string;
  readonly document?: DocumentProblem | undefined;
}) => {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Why a client that is identified by a metadata document cannot connect. */
export interface DocumentProblem {
  readonly url: string;
  /** Why it could not be fetched; undefined: the setting does not allow it. */
  readonly reason: string | undefined;
}

/** Of the request that the library handles. */
export interface CurrentRequest {
  caller(): ExchangeCaller | undefined;
  countWrong(): number | undefined;
}

/** Loads the library on first use, because it is large and not every installation needs it. */
export async function createProvider(
  context: OAuthServerContext,
  errorPage: ErrorPage,
  current: CurrentRequest,
): Promise<Provider> {
  const library = await loadOnUse(() => import("oidc-provider"));
  const policy = alwaysConsent(library.interactionPolicy);
  const provider = new library.default(
    issuerOf(context.baseUrl),
    configuration(context, library.errors, policy, errorPage),
  );
  // Host and scheme come from BASE_URL (see `requestFor`), not from the caller's headers.
  provider.proxy = true;
  const failed = (error: unknown) => context.logger.error({ err: error }, "OAuth server failed");
  provider.on("server_error", (_context, error) => failed(error));
  provider.on("authorization.error", keepErrorHere);
  // Otherwise Koa would print errors.
  const emitter: EventEmitter = provider;
  emitter.on("error", failed);
  // The library's types omit this method, which creates the ID of each model.
  Object.assign(provider.AccessToken.prototype, {
    generateTokenId(this: { format?: string }) {
      this.format = "opaque";
      return newGatewayToken(context.random, "oauth").token;
    },
  });
  registerAssertionGrant(provider, library.errors, context, current.caller);
  limitWrongCredentials(provider, current.countWrong);
  return provider;
}

/**
 * Anyone can register a client, so a link to our URL must not lead to a site of their choice (RFC 9700, 4.11): until the
 * person has decided, errors are shown on our page. Clients on the person's machine still receive them.
 */
function keepErrorHere({ oidc }: KoaContextWithOIDC, error: { allow_redirect: boolean }): void {
  const redirectUri = oidc.params?.redirect_uri;
  const isDecided = oidc.entities.Interaction?.result !== undefined;
  if (!isDecided && !(typeof redirectUri === "string" && isLoopbackRedirect(redirectUri))) error.allow_redirect = false;
}

/** Earlier consent does not count, because a different client may use the same name. */
function alwaysConsent({ base, Check, Prompt }: typeof interactionPolicy): Configuration["interactions"] {
  const policy = base();
  policy.clear();
  const isMissing = ({ oidc }: KoaContextWithOIDC) => oidc.result?.consent?.grantId === undefined;
  const check = new Check("consent_required", "the user has not consented yet", "consent_required", isMissing);
  policy.add(new Prompt({ name: "consent", requestable: true }, check));
  return { policy };
}

function configuration(
  context: OAuthServerContext,
  errors: Errors,
  interactions: Configuration["interactions"],
  errorPage: ErrorPage,
): Configuration {
  const basePath = new URL(issuerOf(context.baseUrl)).pathname.replace(/\/$/, "");
  return {
    adapter: createAdapters({ ...context, errors }),
    interactions: { ...interactions, url: (_context, { uid }) => `${basePath}/oauth/consent/${uid}` },
    findAccount: async (_context, id) => {
      const user = await findUserById(context.databases.main, id);
      if (!user || user.disabled || user.is_machine_user) return undefined;
      return { accountId: user.id, claims: () => ({ sub: user.id }) };
    },
    features: features(context, errors),
    routes: {
      authorization: "/oauth/authorize",
      token: "/oauth/token",
      registration: "/oauth/register",
      revocation: "/oauth/revoke",
    },
    // The library requires a key but does not use it: tokens are opaque, and no ID tokens are issued.
    jwks: { keys: [signingKey()] },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"], clientAuthSigningAlgValues: [...SIGNING_ALGORITHMS] },
    scopes: [SCOPE],
    claims: {},
    responseTypes: ["code"],
    clientAuthMethods: [...CLIENT_AUTH_METHODS],
    clientDefaults: {
      application_type: "native",
      grant_types: ["authorization_code", "refresh_token"],
      id_token_signed_response_alg: "ES256",
    } satisfies Partial<ClientMetadata>,
    pkce: { required: () => true },
    cookies: { names: cookieNames(context.baseUrl) },
    expiresWithSession: () => false,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
    rotateRefreshToken: true,
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    clientBasedCORS: () => false,
    fetch: context.documents.fetch as typeof globalThis.fetch, // The library passes a URL and plain options.
    renderError(context, { error, error_description }, cause) {
      const sentence = `${error_description ?? error}`;
      // The library has the status of a redirect for some errors, whose place this page takes.
      if (context.status < 400) context.status = 400;
      const { headers, body } = errorPage({
        status: context.status,
        sentence,
        document: documentProblem(context, sentence, cause),
      });
      context.set(headers);
      context.body = body;
    },
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: MINUTE_S,
      RefreshToken: IDLE_GRANT_MS / 1000,
      Grant: 365 * DAY_S,
      Interaction: INTERACTION_MS / 1000,
      Session: HOUR_S,
    },
  };
}

/** Undefined: the error has another reason. */
function documentProblem(
  { oidc }: KoaContextWithOIDC,
  sentence: string,
  { cause }: { readonly cause?: unknown },
): DocumentProblem | undefined {
  const url = oidc.params?.client_id;
  if (typeof url !== "string") return undefined;
  if (isUnreachable(cause)) return { url, reason: cause.message };
  return DOCUMENTS_OFF.has(sentence) ? { url, reason: undefined } : undefined;
}

/** The library's descriptions when `allowFetch` or `allowClient` returned false. */
const DOCUMENTS_OFF = new Set(["client_id metadata document fetch not allowed", "client is not allowed"]);

/** The library limits its cookies to paths, which a `__Host-` cookie cannot have. */
function cookieNames(baseUrl: string) {
  const scoped = (name: string) => (baseUrl.startsWith("https:") ? name : scopedCookieName(baseUrl, name));
  return {
    interaction: scoped("gatehouse-oauth"),
    resume: scoped("gatehouse-oauth-resume"),
    session: scoped("gatehouse-oauth-session"),
  };
}

function features({ gatewayUrl, newId, documents }: OAuthServerContext, errors: Errors): Configuration["features"] {
  const off = { enabled: false };
  return {
    devInteractions: off,
    userinfo: off,
    rpInitiatedLogout: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
    registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: () => newId("cli") },
    clientIdMetadataDocument: {
      enabled: true,
      ack: "draft-02",
      allowFetch: async () => (await documents.status()).mode !== "off",
      allowClient: async (_context, { clientId, redirectUris = [] }) => {
        if (clientId.length > MAX_CLIENT_ID_LENGTH || !redirectUris.every(isSafeRedirect)) {
          throw new errors.InvalidClient("the client ID is too long, or a redirect URI is not secure");
        }
        return (await documents.status()).mode !== "off";
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resourceUrl(gatewayUrl),
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => {
        const path = resourcePath(gatewayUrl, resource);
        if (path === undefined) throw new errors.InvalidTarget();
        return { scope: SCOPE, audience: resourceUrl(gatewayUrl, path), accessTokenFormat: "opaque" };
      },
    },
  };
}

function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  // The export of an EC key is a JWK.
  return { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256" } as JWK;
}
