import { openSharedHeaders } from "#records/mcp-servers";
import type { McpServerRow } from "#storage/server-tables";
import type { Vault } from "#storage/vault";
import type { Trial } from "./needs.ts";
import { TokenUnavailable } from "./token-endpoint.ts";
import type { CalledServer, CredentialState, ReadyCredential, UpstreamCredentials } from "./upstream-credentials.ts";

export interface TryConnectionNeeds {
  readonly credentials: Pick<UpstreamCredentials, "of" | "refused">;
  readonly sync: { tryHeaders(server: McpServerRow, headers: readonly string[]): Promise<Trial> };
  readonly vault: Vault;
  /** Servers as the gateway sees them. */
  readonly holder: {
    current(): { readonly serversById: { get(id: string): CalledServer | undefined } };
  };
}

/** A string: there is no credential to try. */
export type ConnectionTrial = Trial | Exclude<CredentialState, ReadyCredential>;

/**
 * Does what a call of this user does: a rejected token is renewed once. If that fails, the user must reconnect.
 */
export async function tryConnection(
  needs: TryConnectionNeeds,
  server: McpServerRow,
  userId: string,
): Promise<ConnectionTrial> {
  if (server.auth_type === "none") return needs.sync.tryHeaders(server, openSharedHeaders(needs.vault, server));
  const called = needs.holder.current().serversById.get(server.id);
  // AZ-8: the credential is for the URL in the snapshot.
  if (!called?.upstream || called.upstream.url !== server.upstream_url)
    return { verdict: "unknown", cause: "unreachable", reason: "was changed just now. Try again" };
  try {
    return await tryTwice(needs, called, server, userId);
  } catch (error) {
    if (!(error instanceof TokenUnavailable)) throw error;
    return { verdict: "unknown", cause: "unreachable", reason: `could not renew the sign-in: ${error.message}` };
  }
}

async function tryTwice(
  { credentials, sync }: TryConnectionNeeds,
  called: CalledServer,
  server: McpServerRow,
  userId: string,
): Promise<ConnectionTrial> {
  let credential = await credentials.of(called, userId);
  for (const again of [false, true]) {
    if (typeof credential === "string") return credential;
    const trial = await sync.tryHeaders(server, credential.headers);
    if (trial.verdict !== "refused") return trial;
    credential = await credentials.refused(called, userId, credential, again);
  }
  return typeof credential === "string" ? credential : "reconnect_needed";
}
