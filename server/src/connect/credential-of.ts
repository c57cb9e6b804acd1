import type { CalledServer, CredentialState, ReadyCredential, UpstreamCredentials } from "./upstream-credentials.ts";

export interface CredentialLookup {
  readonly credentials: Pick<UpstreamCredentials, "of">;
  /** Servers as the gateway sees them. */
  readonly holder: {
    current(): { readonly serversById: { get(id: string): CalledServer | undefined } };
  };
}

/** A credential with the URL of the server that it is for (AZ-8). A text: the user has none. */
export type CredentialWithUrl =
  | (ReadyCredential & { readonly url: string | undefined })
  | Exclude<CredentialState, ReadyCredential>;

/** What this user presents to a server that the gateway knows. */
export async function credentialOf(
  { credentials, holder }: CredentialLookup,
  serverId: string,
  userId: string,
): Promise<CredentialWithUrl> {
  const server = holder.current().serversById.get(serverId);
  if (!server) return "not_connected";
  const found = await credentials.of(server, userId);
  return typeof found === "object" ? { ...found, url: server.upstream?.url } : found;
}
