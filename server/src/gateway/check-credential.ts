/** Authenticates a request at the gateway, and rejects it if its credential is not valid. */
import type { FailedAttempts } from "#lib/failed-attempts";
import { LIBRARY_PATH } from "#lib/gateway-paths";
import { errorBody, INTERNAL_ERROR, INVALID_TOKEN_BODY } from "./envelope/errors.ts";
import type { Exchange } from "./exchange.ts";
import { bearerFromBasic, isPluginPath } from "./own/plugins/plugin-paths.ts";
import { isSkillPath } from "./own/skills/download-skills.ts";
import type { CredentialRefresh, SecretVerifier } from "./ports.ts";
import { type GatewayContext, JSON_HEADERS } from "./request.ts";
import { type Authentication, authenticate, type Principal } from "./snapshot/authenticate.ts";
import { GATEWAY_PATH, pathOf, slugOf } from "./snapshot/scope.ts";

export interface CredentialNeeds extends Pick<GatewayContext, "holder" | "clock"> {
  readonly verifier: SecretVerifier;
  readonly credentialRefresh: CredentialRefresh;
  /** Called for each rejected credential, for metrics. */
  readonly credentialRefused?: (() => void) | undefined;
  /** Limits what wrong credentials of an address can cost. */
  readonly wrongCredentials: FailedAttempts;
  /**
   * RFC 9728: the base URL of the metadata that tells clients how to get a token, for the host that the caller used.
   */
  readonly resourceMetadataUrl: (host: string | undefined) => string;
}

/** Git asks its user for a name and a password. */
const BASIC_CHALLENGE = 'Basic realm="Gatehouse plugins", charset="UTF-8"';

/** From the snapshot; never waits. */
export function identify(exchange: Exchange, { holder, verifier, clock }: CredentialNeeds): Authentication {
  const snapshot = holder.current();
  let verdict = authenticate(exchange.authorization, snapshot, verifier, clock.now());
  // After the attempt, because most requests are for `/mcp`, which accepts no HTTP Basic.
  if (verdict.kind === "invalid" && isPluginPath(pathOf(exchange.target)))
    verdict = authenticate(bearerFromBasic(exchange.authorization), snapshot, verifier, clock.now());
  if (verdict.kind !== "principal" || verdict.principal.path === undefined) return verdict;
  const { path, serverId } = verdict.principal;
  if (path === LIBRARY_PATH) return isDownload(pathOf(exchange.target)) ? verdict : { kind: "invalid" };
  const isMeant = path === gatewayPathOf(exchange) && snapshot.serverIdBySlug.get(slugOf(path)) === serverId;
  return isMeant ? verdict : { kind: "invalid" };
}

/** A key that this process does not know is looked up in the database once, unless the address is limited. */
export function refuseUnlessKnown<Needs extends CredentialNeeds>(
  exchange: Exchange,
  verdict: Exclude<Authentication, { kind: "principal" }>,
  needs: Needs,
  admit: (exchange: Exchange, principal: Principal, needs: Needs) => void,
): void {
  if (verdict.kind !== "unknown-key" || isLimited(exchange, needs)) return refuseCredential(exchange, needs);
  needs.credentialRefresh.refresh(verdict.accessKey, verdict.secret).then(
    (wasChecked) => {
      const retried = identify(exchange, needs);
      if (retried.kind === "principal") admit(exchange, retried.principal, needs);
      else if (wasChecked) refuseCredential(exchange, needs);
      else refuseUnchecked(exchange);
    },
    () => refuseCredential(exchange, needs),
  );
}

/** A client that gets 401 discards its credential, which may be valid: the process may have an old snapshot. */
function refuseUnchecked(exchange: Exchange): void {
  const message = "The credential cannot be checked at the moment; try again";
  exchange.answer(503, [...JSON_HEADERS, "retry-after", "1"], [errorBody(undefined, INTERNAL_ERROR, message)]);
}

/** Skills and plugins need the same credential as `/mcp`. */
function gatewayPathOf({ target }: Exchange): string {
  const path = pathOf(target);
  return isDownload(path) ? GATEWAY_PATH : path;
}

function isDownload(path: string): boolean {
  return isSkillPath(path) || isPluginPath(path);
}

/**
 * After too many wrong credentials from an address, only the snapshot decides, without a lookup in the database. The
 * snapshot is at most half a second old, and a caller whose credential it knows is never limited.
 */
function isLimited(exchange: Exchange, { wrongCredentials }: CredentialNeeds): boolean {
  return wrongCredentials.retryAfter(exchange.address) !== undefined;
}

/** Spec 5.3, AUTH-4: the same response for every invalid credential. Interactive clients read its header. */
function refuseCredential(
  exchange: Exchange,
  { credentialRefused, wrongCredentials, resourceMetadataUrl }: CredentialNeeds,
): void {
  credentialRefused?.();
  const seconds = exchange.header("authorization") === undefined ? undefined : countWrong(exchange, wrongCredentials);
  const metadata = `resource_metadata="${resourceMetadataUrl(exchange.header("host"))}${gatewayPathOf(exchange)}"`;
  const isGit = isPluginPath(pathOf(exchange.target));
  const challenge = ["www-authenticate", isGit ? BASIC_CHALLENGE : `Bearer error="invalid_token", ${metadata}`];
  const wait = seconds === undefined ? [] : ["retry-after", String(seconds)];
  exchange.answer(401, [...JSON_HEADERS, ...challenge, ...wait], [INVALID_TOKEN_BODY]);
}

/** Returns the seconds until the address is no longer limited; undefined if it was not limited before this request. */
function countWrong({ address }: Exchange, wrongCredentials: FailedAttempts): number | undefined {
  const seconds = wrongCredentials.retryAfter(address);
  wrongCredentials.failed(address);
  return seconds;
}
