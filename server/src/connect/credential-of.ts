import type { CalledServer, CredentialState, ReadyCredential, UpstreamCredentials } from "./upstream-credentials.ts";

export interface CredentialLookup {
  readonly credentials: Pick<UpstreamCredentials, "of">;
  /** Servers as the gateway sees them. */
  readonly holder: {
    current(): { readonly serversById: { get(id: string): CalledServer | undefined } };
  };
}

/** A credential with the URL that it is for (AZ-8). A string: the user has none. */
export type CredentialWithUrl =
  | (ReadyCredential & { readonly url: string | undefined })
  | Exclude<CredentialState, ReadyCredential>;

/** This user's credential for a published server. */
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
