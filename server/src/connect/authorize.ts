import { createHash } from "node:crypto";
import { findConnection } from "#records/connections";
import { insertFlow } from "#records/oauth-flows";
import type { DiscoveredOAuth, FlowPlan } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteAuthor } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { NO_CLIENT, type OAuthClient, redirectUriOf } from "./client.ts";
import { scopesIn } from "./discover.ts";
import { DiscoveryFailed } from "./fault.ts";
import type { ConnectNeeds } from "./needs.ts";
import { prepare } from "./prepare.ts";

/** OA-1. */
export const FLOW_MS = 10 * 60 * 1000;
const VERIFIER = { table: "oauth_flows", column: "sealed_verifier" };

export interface Flow {
  readonly user: Pick<UserRow, "id">;
  readonly server: McpServerRow;
  /** The value of this browser's cookie. Only this browser can complete the flow. */
  readonly browser: string;
  readonly isPopup?: boolean | undefined;
  readonly isSecondTry?: boolean;
}

/** Spec 4.6 row 3. Returns the URL of the sign-in. Throws `DiscoveryFailed`. */
export async function beginFlow(needs: ConnectNeeds, flow: Flow, author: WriteAuthor): Promise<string> {
  const { user, server, browser } = flow;
  const { found, client, steps } = await prepare(needs, server, author, "user");
  if (!client) throw new DiscoveryFailed(NO_CLIENT, steps);
  const scopes = await wantedScopes(needs, flow, found);
  const [state, verifier] = [randomText(needs), randomText(needs)];
  const id = needs.newId("flw");
  const plan = planOf(redirectUriOf(needs, server, client), server, found, client, scopes);
  await insertFlow(needs.db, {
    id,
    state_hash: hashOf(state),
    browser_hash: hashOf(browser),
    user_id: user.id,
    server_id: server.id,
    sealed_verifier: needs.vault.seal("connection", { ...VERIFIER, row: id }, verifier),
    plan: {
      ...plan,
      ...(flow.isPopup ? { isPopup: true } : {}),
      ...(flow.isSecondTry ? { isSecondTry: true } : {}),
    },
    expires_at: needs.clock.now() + FLOW_MS,
  });
  return authorizationUrl(found, plan, { state, verifier });
}

export function openVerifier({ vault }: ConnectNeeds, flow: { id: string; sealed_verifier: string }): string {
  return vault.open("connection", { ...VERIFIER, row: flow.id }, flow.sealed_verifier);
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** 256 bits in the encoding of RFC 7636. */
function randomText({ random }: ConnectNeeds): string {
  return Buffer.from(random(32)).toString("base64url");
}

/**
 * The scopes of the settings, else those of the server. After a call that lacked scopes, also these and all scopes granted
 * before, so that nothing is lost.
 */
async function wantedScopes({ db }: ConnectNeeds, { user, server }: Flow, found: DiscoveredOAuth): Promise<string[]> {
  const set = server.auth_settings.client?.scope;
  const wanted = set === undefined ? found.scopes : scopesIn(set);
  const connection = await findConnection(db, user.id, server.id);
  if (!connection?.needed_scopes) return [...new Set(wanted)];
  const given = connection.issuer === found.issuer ? (connection.scopes ?? []) : [];
  return [...new Set([...wanted, ...given, ...connection.needed_scopes])];
}

/** OA-4: the callback is checked against the state at the start of the sign-in. */
function planOf(
  redirectUri: string,
  server: McpServerRow,
  found: DiscoveredOAuth,
  client: OAuthClient,
  scopes: string[],
): FlowPlan {
  return {
    upstreamUrl: server.upstream_url ?? "",
    issuer: found.issuer,
    namesIssuer: found.namesIssuer ?? false,
    tokenEndpoint: found.tokenEndpoint,
    ...(found.revocationEndpoint === undefined ? {} : { revocationEndpoint: found.revocationEndpoint }),
    redirectUri,
    resource: found.resource,
    scopes,
    clientId: client.clientId,
    clientSource: client.source,
  };
}

function authorizationUrl(
  found: DiscoveredOAuth,
  { clientId, redirectUri, scopes }: FlowPlan,
  { state, verifier }: { state: string; verifier: string },
): string {
  const url = new URL(found.authorizationEndpoint);
  const parameters: Record<string, string> = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: found.resource,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    // OpenID Connect issues refresh tokens only after consent.
    ...(scopes.includes("offline_access") ? { prompt: "consent" } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
