import { deleteOAuthClient, findOAuthClient, findOAuthClientById, putOAuthClient } from "#records/oauth-clients";
import type { ClientAuthMethod, ClientSource, DiscoveredOAuth, OAuthClientRow } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import type { StepLog } from "./fault.ts";
import { type ConnectNeeds, callbackUrl, clientName, installationName, serverCallbackUrl } from "./needs.ts";
import { bindingKey, chooseAuthMethod, registerClient } from "./register.ts";
import { runOnce } from "./run-once.ts";

/** Our client at an authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly authMethod: ClientAuthMethod;
  readonly source: ClientSource;
}

/** A client as stored with a sign-in or a connection. */
export interface UsedClient {
  readonly clientId: string;
  readonly clientSource?: ClientSource | undefined;
}

const SECRET = { table: "oauth_clients", column: "sealed_client_secret" };
const EXPIRY_MARGIN_MS = 60_000;

/**
 * In this order: the settings, our metadata document, a registration. Undefined: an admin must enter a client ID. A
 * registration older than `registeredSince` is replaced once a new one succeeds.
 */
export async function findClient(
  needs: ConnectNeeds,
  server: McpServerRow,
  found: DiscoveredOAuth,
  log: StepLog,
  registeredSince = 0,
): Promise<OAuthClient | undefined> {
  const set = configuredClient(needs, server, found.authMethods);
  if (set) {
    log.add("the server's settings", "a client ID is set", "no registration is needed");
    return set;
  }
  if (found.readsClientDocuments) {
    log.add("client_id_metadata_document_supported", "true", `the client ID is ${clientDocumentUrl(needs, server)}`);
    return documentClient(clientDocumentUrl(needs, server));
  }
  const { registrationEndpoint } = found;
  if (registrationEndpoint !== undefined) {
    return registeredClient(needs, server, { ...found, registrationEndpoint }, log, registeredSince);
  }
  log.add("registration_endpoint", "none", NO_CLIENT);
  return undefined;
}

/** Spec 4.6 row 1. */
export const NO_CLIENT =
  "the server has no registration_endpoint: enter a client id under the advanced settings of Proxy OAuth";

/** The client of an existing sign-in or connection (OA-4). Undefined: it no longer exists. */
export async function usedClient(
  needs: ConnectNeeds,
  server: McpServerRow,
  used: UsedClient,
): Promise<OAuthClient | undefined> {
  const client = await clientOfSource(needs, server, used);
  return client?.clientId === used.clientId ? client : undefined;
}

async function clientOfSource(
  needs: ConnectNeeds,
  server: McpServerRow,
  { clientId, clientSource: source }: UsedClient,
): Promise<OAuthClient | undefined> {
  if (source === "settings") return configuredClient(needs, server, server.discovered_oauth?.authMethods);
  if (source === "document") {
    // Connections of earlier releases use the document that all servers shared.
    return [clientDocumentUrl(needs, server), sharedDocumentUrl(needs)].includes(clientId)
      ? documentClient(clientId)
      : undefined;
  }
  // The machine user's own client, not ours.
  if (source === "machine" || source === undefined) return undefined;
  const row = await findOAuthClientById(needs.db, source);
  return row?.server_id === server.id ? openClient(needs, row) : undefined;
}

/** The redirect URL that the client is registered with. An admin registered a client of the settings for all servers. */
export function redirectUriOf(needs: ConnectNeeds, server: McpServerRow, { source }: OAuthClient): string {
  return source === "settings" ? callbackUrl(needs) : serverCallbackUrl(needs, server);
}

/** The authorization server no longer recognizes the client, so the next sign-in registers again. */
export async function deleteUnknownClient({ db }: ConnectNeeds, source: ClientSource): Promise<void> {
  if (source.startsWith("cli_")) await deleteOAuthClient(db, source);
}

function configuredClient(
  { vault }: ConnectNeeds,
  server: McpServerRow,
  offered: readonly string[] | undefined,
): OAuthClient | undefined {
  const { clientId } = server.auth_settings;
  if (clientId === undefined) return undefined;
  const sealed = server.sealed_client_secret;
  if (sealed === null) return { clientId, clientSecret: undefined, authMethod: "none", source: "settings" };
  const place = { table: "mcp_servers", row: server.id, column: "sealed_client_secret" };
  const authMethod = chooseAuthMethod(offered?.filter((method) => method !== "none"));
  const clientSecret = vault.open("server-secret", place, sealed);
  return {
    clientId,
    clientSecret,
    authMethod: authMethod === "none" ? "client_secret_basic" : authMethod,
    source: "settings",
  };
}

type Installation = Pick<ConnectNeeds, "baseUrl" | "orgName">;

function clientDocumentUrl({ baseUrl }: Pick<ConnectNeeds, "baseUrl">, { id }: Pick<McpServerRow, "id">): string {
  return `${baseUrl}/oauth/clients/${id}.json`;
}

function sharedDocumentUrl({ baseUrl }: Pick<ConnectNeeds, "baseUrl">): string {
  return `${baseUrl}/oauth/client-metadata.json`;
}

/** The client metadata document of a server, for authorization servers that read it instead of registering clients. */
export function clientDocument(needs: Installation, server: Pick<McpServerRow, "id" | "name">): object {
  return documentOf(needs, {
    client_id: clientDocumentUrl(needs, server),
    client_name: clientName(needs, server),
    redirect_uris: [serverCallbackUrl(needs, server)],
  });
}

/** The document of earlier releases, with which people's connections are still renewed. No sign-in uses it. */
export function sharedClientDocument(needs: Installation): object {
  return documentOf(needs, {
    client_id: sharedDocumentUrl(needs),
    client_name: installationName(needs),
    redirect_uris: [callbackUrl(needs)],
  });
}

interface DocumentMembers {
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uris: readonly string[];
}

function documentOf({ baseUrl }: Installation, members: DocumentMembers): object {
  return {
    ...members,
    client_uri: baseUrl,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "web",
  };
}

function documentClient(clientId: string): OAuthClient {
  return { clientId, clientSecret: undefined, authMethod: "none", source: "document" };
}

/** One registration for all users who connect concurrently, on all replicas (OA-10). */
async function registeredClient(
  needs: ConnectNeeds,
  server: McpServerRow,
  found: DiscoveredOAuth & { registrationEndpoint: string },
  log: StepLog,
  registeredSince: number,
): Promise<OAuthClient> {
  const key = bindingKey(found, serverCallbackUrl(needs, server));
  const find = async () => {
    const row = await findOAuthClient(needs.db, server.id, key);
    if (!row || row.created_at < registeredSince || hasEnded(row, needs.clock.now())) return undefined;
    return openClient(needs, row);
  };
  const before = await find();
  if (before) {
    log.add("registration", "already registered", "the existing client is used");
    return before;
  }
  return runOnce(needs, `oauth-register ${server.id} ${key}`, {
    find,
    work: () => register(needs, server, found, key, log),
  });
}

async function register(
  needs: ConnectNeeds,
  server: McpServerRow,
  found: DiscoveredOAuth & { registrationEndpoint: string },
  key: string,
  log: StepLog,
): Promise<OAuthClient> {
  const { db, vault, clock, newId } = needs;
  const ours = { callbackUrl: serverCallbackUrl(needs, server), clientName: clientName(needs, server) };
  const made = await registerClient(needs.egress, found, ours, log);
  const id = newId("cli");
  const { clientSecret: secret } = made;
  const row: OAuthClientRow = {
    id,
    server_id: server.id,
    binding_key: key,
    client_id: made.clientId,
    auth_method: made.authMethod,
    sealed_client_secret: secret === undefined ? null : vault.seal("server-secret", { ...SECRET, row: id }, secret),
    secret_expires_at: made.secretExpiresAt,
    created_at: clock.now(),
  };
  await db.transaction().execute((tx) => putOAuthClient(tx, row));
  return openClient(needs, row);
}

function hasEnded({ secret_expires_at: at }: OAuthClientRow, now: number): boolean {
  return at !== null && at - EXPIRY_MARGIN_MS <= now;
}

function openClient({ vault }: ConnectNeeds, row: OAuthClientRow): OAuthClient {
  const sealed = row.sealed_client_secret;
  const clientSecret = sealed === null ? undefined : vault.open("server-secret", { ...SECRET, row: row.id }, sealed);
  // All ids of this table have this prefix.
  return { clientId: row.client_id, clientSecret, authMethod: row.auth_method, source: row.id as ClientSource };
}
