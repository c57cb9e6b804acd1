import { saveConnection } from "#records/connections";
import { lockAndCheckReset } from "#records/invitations";
import { findServerById, lockServer } from "#records/mcp-servers";
import { takeFlow } from "#records/oauth-flows";
import { findUserById } from "#records/users";
import type { MainDb, MainTransaction } from "#storage/database";
import type { FlowPlan, OAuthFlowRow } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, writeAndPublish } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { beginFlow, FLOW_MS, hashOf, openVerifier } from "./authorize.ts";
import { deleteUnknownClient, type OAuthClient, usedClient } from "./client.ts";
import { ConnectRefused, DiscoveryFailed, quoted, UnknownClient } from "./fault.ts";
import { type ConnectNeeds, callbackUrl, serverCallbackUrl } from "./needs.ts";
import { requestToken, type Token, TokenRefused, TokenUnavailable } from "./token-endpoint.ts";

export interface Connected {
  readonly user: UserRow;
  readonly server: McpServerRow;
}

export interface Finished extends Connected {
  readonly outcome: "connected";
  /** See `FlowPlan`. */
  readonly isPopup: boolean;
}

/** The browser must sign in again at this URL. */
export interface Again {
  readonly outcome: "again";
  readonly url: string;
}

export interface Answered {
  readonly query: URLSearchParams;
  /** The ID in the redirect URL of a server; undefined for the one that clients of the settings share. */
  readonly serverId: string | undefined;
  /** The browser's cookie. */
  readonly browser: string | undefined;
  readonly requestId: string;
}

const NOT_OURS =
  "This sign-in is not valid in this browser. It expired, was already used, or was started in another browser. Connect again.";

/** `{callback_url}` of Spec 4.6. Throws `ConnectRefused`; for an invalid response before it requests a token. */
export async function finishFlow(needs: ConnectNeeds, answered: Answered): Promise<Finished | Again> {
  const flow = await flowOf(needs, answered);
  const ends = await endsOf(needs.db, flow, await findServerById(needs.db, flow.server_id));
  try {
    return await connect(needs, flow, ends, answered);
  } catch (error) {
    const isRegistered = flow.plan.clientSource.startsWith("cli_");
    if (!(error instanceof UnknownClient) || !isRegistered || flow.plan.isSecondTry) throw error;
    return again(needs, flow, ends, answered);
  }
}

/** Registers again, once for all concurrent callers (OA-10), and restarts the sign-in: the code was for the old client. */
async function again(
  needs: ConnectNeeds,
  { plan }: OAuthFlowRow,
  { user, server }: Connected,
  { requestId, browser = "" }: Answered,
): Promise<Again> {
  await deleteUnknownClient(needs, plan.clientSource);
  const flow = { user, server, browser, isPopup: plan.isPopup, isSecondTry: true };
  try {
    return { outcome: "again", url: await beginFlow(needs, flow, authorOf(user, requestId)) };
  } catch (error) {
    if (!(error instanceof DiscoveryFailed)) throw error;
    throw new ConnectRefused(
      `The server no longer recognizes this client, and registering again failed: ${error.message}`,
    );
  }
}

function authorOf({ id, email }: UserRow, requestId: string): WriteAuthor {
  return { actor: { kind: "user", id, name: email }, requestId };
}

async function connect(
  needs: ConnectNeeds,
  flow: OAuthFlowRow,
  { user, server }: Connected,
  { query, requestId }: Answered,
): Promise<Finished> {
  const { plan } = flow;
  const code = judgeAnswer(plan, query);
  const client = await usedClient(needs, server, plan);
  // A concurrent sign-in may already have replaced an unknown client.
  if (!client) throw new UnknownClient(NOT_OURS);
  const token = await exchange(needs, flow, client, code);
  const author = authorOf(user, requestId);
  await writeAndPublish(needs, author, async (tx, trail) => {
    if (await lockAndCheckReset(tx, flow.user_id, flow.expires_at - FLOW_MS)) throw new ConnectRefused(NOT_OURS);
    // AZ-8: the server's URL may have changed during the token request.
    await saveConnection(tx, trail, {
      ...(await endsOf(tx, flow, await lockPresent(tx, flow.server_id))),
      secret: {
        kind: "oauth",
        serverUrl: plan.upstreamUrl,
        accessToken: token.accessToken,
        ...(token.refreshToken === undefined ? {} : { refreshToken: token.refreshToken }),
        tokenEndpoint: plan.tokenEndpoint,
        ...(plan.revocationEndpoint === undefined ? {} : { revocationEndpoint: plan.revocationEndpoint }),
        clientId: plan.clientId,
        clientSource: plan.clientSource,
      },
      expiresAt: token.expiresInMs === undefined ? null : needs.clock.now() + token.expiresInMs,
      scopes: token.scopes ?? plan.scopes,
      issuer: plan.issuer,
      resource: plan.resource,
      operation: "connect",
      now: needs.clock.now(),
      newId: needs.newId,
      vault: needs.vault,
    });
  });
  needs.connected(server.id, user.id);
  return { outcome: "connected", user, server, isPopup: plan.isPopup ?? false };
}

/** OA-1: the state must be known, unused, unexpired, at its redirect URL, and from the same browser. It can be used once. */
async function flowOf(needs: ConnectNeeds, { query, serverId, browser }: Answered): Promise<OAuthFlowRow> {
  const { db, clock } = needs;
  const [state, ...more] = query.getAll("state");
  if (!state || more.length > 0) throw new ConnectRefused(NOT_OURS);
  const flow = await takeFlow(db, hashOf(state));
  if (!flow || flow.expires_at <= clock.now()) throw new ConnectRefused(NOT_OURS);
  if (browser === undefined || hashOf(browser) !== flow.browser_hash) throw new ConnectRefused(NOT_OURS);
  const cameBackTo = serverId === undefined ? callbackUrl(needs) : serverCallbackUrl(needs, { id: serverId });
  if (cameBackTo !== flow.plan.redirectUri) throw new ConnectRefused(NOT_OURS);
  return flow;
}

/** OA-3, RFC 9207: rejects a response of a different issuer without showing it. Returns the code. */
export function judgeAnswer(plan: Pick<FlowPlan, "issuer" | "namesIssuer">, query: URLSearchParams): string {
  for (const name of ["iss", "code", "error", "error_description"]) {
    if (query.getAll(name).length > 1) throw new ConnectRefused("The server's response contains a parameter twice.");
  }
  const issuer = query.get("iss");
  if (issuer === null ? plan.namesIssuer : issuer !== plan.issuer) {
    throw new ConnectRefused("The response came from a different authorization server.");
  }
  const error = query.get("error");
  if (error === "access_denied") throw new ConnectRefused("You declined access, so nothing was connected.");
  if (error !== null) {
    const said = quoted(`${error} ${query.get("error_description") ?? ""}`);
    const Refused = error === "invalid_client" || error === "unauthorized_client" ? UnknownClient : ConnectRefused;
    throw new Refused(`The server rejected the sign-in: ${said}`);
  }
  const code = query.get("code");
  if (!code) throw new ConnectRefused("The server's response contains no authorization code.");
  return code;
}

/** Checks that user and server have not changed during the sign-in, so that nothing else is connected. */
async function endsOf(db: MainDb, flow: OAuthFlowRow, server: McpServerRow | undefined): Promise<Connected> {
  const user = await findUserById(db, flow.user_id);
  if (!user || user.disabled || !server || !isAsPlanned(server, flow.plan)) {
    throw new ConnectRefused("The server's settings changed during the sign-in. Connect again.");
  }
  return { user, server };
}

/** A change of the server's OAuth settings invalidates the plan. */
function isAsPlanned({ auth_type, upstream_url, discovered_oauth: found }: McpServerRow, plan: FlowPlan): boolean {
  return (
    auth_type === "proxy-oauth" &&
    upstream_url === plan.upstreamUrl &&
    found?.issuer === plan.issuer &&
    found.tokenEndpoint === plan.tokenEndpoint &&
    found.resource === plan.resource
  );
}

async function lockPresent(tx: MainTransaction, serverId: string): Promise<McpServerRow | undefined> {
  const present = await findServerById(tx, serverId);
  return present && lockServer(tx, present.slug);
}

/** Spec 4.6 row 4. */
async function exchange(needs: ConnectNeeds, flow: OAuthFlowRow, client: OAuthClient, code: string): Promise<Token> {
  const { plan } = flow;
  try {
    return await requestToken(needs.egress, plan.tokenEndpoint, client, {
      grant_type: "authorization_code",
      code,
      redirect_uri: plan.redirectUri,
      code_verifier: openVerifier(needs, flow),
      resource: plan.resource,
    });
  } catch (error) {
    if (error instanceof TokenUnavailable) {
      throw new ConnectRefused(`The server could not issue a token: ${error.message}. Try again later.`);
    }
    if (!(error instanceof TokenRefused)) throw error;
    const Refused = error.code === "invalid_client" ? UnknownClient : ConnectRefused;
    throw new Refused(`The server did not issue a token: ${error.message}`);
  }
}
