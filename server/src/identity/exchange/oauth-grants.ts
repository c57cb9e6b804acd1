/** The grants of the token endpoint that exchange a token of another issuer (RFC 8693, RFC 7523). */
import { EXCHANGE_REFRESH_PREFIX, EXCHANGE_TOKEN_PREFIX } from "#lib/tokens";
import type { Databases } from "#storage/database";
import { issuerOf } from "../oauth-server/metadata.ts";
import { onlyPath, resourcePath, serverIdAt } from "../oauth-server/resources.ts";
import type { AuthExchange, ExchangeOutcome, ExchangeRequest } from "./auth-exchange.ts";
import type { ExchangeCaller } from "./exchange-context.ts";
import { JWT_BEARER, TOKEN_EXCHANGE } from "./grant-types.ts";
import type { IssuedTokens } from "./issue.ts";
import { ID_JAG, parseToken, typeOf } from "./parse-token.ts";
import { isExchangeRefreshToken, refreshCredential, revokeExchangeToken } from "./refresh.ts";
import { REFUSAL_ANSWERS } from "./refusals.ts";

const TOKEN_TYPE = "urn:ietf:params:oauth:token-type:";
const ACCESS_TOKEN = `${TOKEN_TYPE}access_token`;
const SUBJECT_TYPES: ReadonlySet<string> = new Set(
  ["jwt", "id_token", "access_token"].map((name) => TOKEN_TYPE + name),
);

export interface OAuthAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The token that was presented is wrong, which counts against the limit of the address. */
  readonly isWrongToken?: boolean;
}

export interface GrantNeeds {
  readonly exchange: AuthExchange;
  readonly databases: Pick<Databases, "main">;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
}

/** An error as RFC 6749 defines it. */
export function oauthError(error: string, description: string, status = 400): OAuthAnswer {
  return { status, body: { error, error_description: description } };
}

function wrongToken(error: string, description: string, status?: number): OAuthAnswer {
  return { ...oauthError(error, description, status), isWrongToken: true };
}

/** Undefined: another grant, or an identity assertion, which needs an authenticated client. */
export async function answerExchangeGrant(
  needs: GrantNeeds,
  params: URLSearchParams,
  caller: ExchangeCaller,
): Promise<OAuthAnswer | undefined> {
  const grant = params.get("grant_type");
  if (grant === TOKEN_EXCHANGE) return exchangeSubjectToken(needs, params, caller);
  if (grant === "refresh_token") {
    const token = params.get("refresh_token") ?? "";
    return isExchangeRefreshToken(token) ? refresh(needs, token, caller) : undefined;
  }
  if (grant !== JWT_BEARER) return undefined;
  const assertion = params.get("assertion");
  if (params.getAll("assertion").length !== 1 || !assertion)
    return oauthError("invalid_request", "assertion is required");
  const parsed = parseToken(assertion);
  if (parsed && typeOf(parsed) === ID_JAG) return undefined;
  return exchangeFor(needs, params, { token: assertion, caller }, "invalid_grant");
}

async function exchangeSubjectToken(
  needs: GrantNeeds,
  params: URLSearchParams,
  caller: ExchangeCaller,
): Promise<OAuthAnswer> {
  const token = params.get("subject_token");
  const repeated = ["grant_type", "subject_token", "subject_token_type"].find((name) => params.getAll(name).length > 1);
  if (repeated !== undefined) return oauthError("invalid_request", `${repeated} must be given once`);
  if (!token) return oauthError("invalid_request", "subject_token is required");
  if (!SUBJECT_TYPES.has(params.get("subject_token_type") ?? "")) {
    return oauthError("invalid_request", `subject_token_type must be one of ${[...SUBJECT_TYPES].join(", ")}`);
  }
  if (params.has("actor_token")) return oauthError("invalid_request", "actor_token is not supported");
  const requested = params.get("requested_token_type") ?? ACCESS_TOKEN;
  if (requested !== ACCESS_TOKEN) return oauthError("invalid_request", `requested_token_type must be ${ACCESS_TOKEN}`);
  const answer = await exchangeFor(needs, params, { token, caller }, "invalid_request");
  return answer.status === 200 ? { ...answer, body: { ...answer.body, issued_token_type: ACCESS_TOKEN } } : answer;
}

async function exchangeFor(
  needs: GrantNeeds,
  params: URLSearchParams,
  request: Pick<ExchangeRequest, "token" | "caller">,
  refusedAs: "invalid_request" | "invalid_grant",
): Promise<OAuthAnswer> {
  const path = requestedPath(needs, params);
  if (path === undefined) return oauthError("invalid_target", "the requested resource or audience is not this gateway");
  const target = await targetAt(needs, path, undefined);
  const outcome = await needs.exchange.exchange({ ...request, target });
  return outcome.kind === "issued"
    ? { status: 200, body: tokenBody(needs, outcome.tokens) }
    : errorOf(outcome, refusedAs);
}

/** RFC 8707: the gateway path of `resource`. `audience` can also be the issuer of the OAuth server. */
function requestedPath({ gatewayUrl, baseUrl }: GrantNeeds, params: URLSearchParams): string | undefined {
  const own = [issuerOf(baseUrl), baseUrl];
  const audiences = params.getAll("audience").filter((audience) => !own.includes(audience));
  const wanted = new Set([...params.getAll("resource"), ...audiences]);
  if (wanted.size === 0) return "/mcp";
  const [first = ""] = wanted;
  return wanted.size === 1 ? resourcePath(gatewayUrl, first) : undefined;
}

async function targetAt({ databases }: GrantNeeds, path: string, clientId: string | undefined) {
  return { path: onlyPath(path), serverId: await serverIdAt(databases.main, path), clientId };
}

/** An identity assertion (ID-JAG) that this authenticated client presents. */
export async function exchangeAssertion(
  needs: GrantNeeds,
  presented: { readonly assertion: string; readonly clientId: string; readonly resource: string | undefined },
  caller: ExchangeCaller,
): Promise<OAuthAnswer> {
  const { gatewayUrl, baseUrl } = needs;
  const { assertion, clientId, resource } = presented;
  const claimed = parseToken(assertion)?.claims.resource;
  const path = typeof claimed === "string" ? resourcePath(gatewayUrl, claimed) : undefined;
  if (resource !== undefined && resourcePath(gatewayUrl, resource) !== path) {
    return oauthError("invalid_target", "the requested resource is not the one of the assertion");
  }
  const outcome = await needs.exchange.exchange({
    token: assertion,
    target: await targetAt(needs, path ?? "/mcp", clientId),
    assertion: {
      issuer: issuerOf(baseUrl),
      clientId,
      isOwnResource: (each) => resourcePath(gatewayUrl, each) !== undefined,
    },
    caller,
  });
  return outcome.kind === "issued"
    ? { status: 200, body: tokenBody(needs, outcome.tokens) }
    : errorOf(outcome, "invalid_grant");
}

async function refresh(needs: GrantNeeds, token: string, caller: ExchangeCaller): Promise<OAuthAnswer> {
  const refreshed = await refreshCredential(needs.exchange.context, token, caller);
  if (!refreshed) return wrongToken("invalid_grant", "the refresh token is invalid, expired or was used before");
  return { status: 200, body: tokenBody(needs, refreshed.tokens) };
}

/** RFC 7009. Undefined: not a token of an exchange. */
export async function revokeAtEndpoint(
  { exchange }: GrantNeeds,
  token: string,
  caller: ExchangeCaller,
): Promise<OAuthAnswer | undefined> {
  if (!token.startsWith(EXCHANGE_TOKEN_PREFIX) && !token.startsWith(EXCHANGE_REFRESH_PREFIX)) return undefined;
  const isKnown = await revokeExchangeToken(exchange.context, token, caller);
  return { status: 200, body: {}, isWrongToken: !isKnown };
}

function tokenBody({ exchange }: GrantNeeds, tokens: IssuedTokens): OAuthAnswer["body"] {
  const seconds = Math.floor((tokens.expiresAt - exchange.context.clock.now()) / 1000);
  return {
    access_token: tokens.accessToken,
    token_type: "Bearer",
    expires_in: Math.max(1, seconds),
    scope: tokens.scopes.join(" "),
    ...(tokens.refreshToken !== undefined && { refresh_token: tokens.refreshToken }),
  };
}

function errorOf(
  outcome: Exclude<ExchangeOutcome, { kind: "issued" }>,
  refusedAs: "invalid_request" | "invalid_grant",
): OAuthAnswer {
  if (!("refusal" in outcome)) return wrongToken("invalid_client", "an API token in x-api-key is required", 401);
  const { message } = REFUSAL_ANSWERS[outcome.refusal];
  if (outcome.refusal === "keys-unavailable") return oauthError("temporarily_unavailable", message, 503);
  return wrongToken(refusedAs, outcome.refusal === "no-provider" ? `${message} ${outcome.issuer}` : message);
}
