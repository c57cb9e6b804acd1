import { z } from "zod";
import { choice, text, webUrl } from "#api/kit/body-fields";
import { invalid } from "#lib/errors";
import {
  isKeyHeaderName,
  isKeyHeaderPrefix,
  MAX_SHARED_HEADERS,
  mergeSharedHeaders,
  type SharedHeadersPatch,
} from "#records/mcp-servers";
import type { AuthType, McpServerRow, StoredAuthSettings } from "#storage/server-tables";
import type { Vault } from "#storage/vault";
import { sharedHeadersField } from "./shared-headers-field.ts";

const headerName = text(100).refine(isKeyHeaderName, { error: "must be a header name that may be set" });
const headerPrefix = text(100).refine(isKeyHeaderPrefix, { error: "must be plain ASCII text" });

const words = {
  authType: "What each user needs towards the upstream: nothing, an OAuth sign-in, or a key of their own",
  clientId: "OAuth client id; without one, the service registers itself",
  authUrl: "OAuth authorization endpoint; without it, discovered",
  tokenUrl: "OAuth token endpoint; without it, discovered",
  client: "What is asked for at the authorization endpoint",
  scope: "OAuth scopes, separated by spaces",
  howtoMarkdown: "Markdown that tells users how to get their key",
  registrationUrl: "OAuth registration endpoint; without it, discovered",
  issuer: "OAuth issuer; without it, discovered",
  resource: "OAuth resource indicator; without it, the upstream's address",
  headerName: "Header in which a user's key goes upstream; `Authorization` unless given",
  sharedHeaders:
    "Shared credential: headers that the gateway sends with every request to the server, by name. Only with `authType` `none`",
  headerPrefix: "Text in front of a user's key in that header; `Bearer ` unless given",
};

/** Spec 2.2 and D6, in the spec's order. */
const fields = {
  authType: choice(["proxy-oauth", "proxy-api-key", "none"]),
  clientId: text(512),
  authUrl: webUrl(),
  tokenUrl: webUrl(),
  client: z.object({ scope: text(2_000).nullish().describe(words.scope) }, { error: "must be an object" }),
  howtoMarkdown: text(50_000),
  clientSecret: text(4_000).meta({ writeOnly: true }),
  registrationUrl: webUrl(),
  issuer: webUrl(),
  resource: webUrl(),
  headerName,
  headerPrefix,
};

/** On create and on update alike, `null` clears a key; an omitted key keeps its value (D6). */
export const AuthSettingsBody = z
  .object(
    {
      authType: fields.authType.nullish().describe(words.authType),
      clientId: fields.clientId.nullish().describe(words.clientId),
      authUrl: fields.authUrl.nullish().describe(words.authUrl),
      tokenUrl: fields.tokenUrl.nullish().describe(words.tokenUrl),
      client: fields.client.nullish().describe(words.client),
      howtoMarkdown: fields.howtoMarkdown.nullish().describe(words.howtoMarkdown),
      clientSecret: fields.clientSecret.nullish().describe("OAuth client secret; kept sealed and never shown again"),
      registrationUrl: fields.registrationUrl.nullish().describe(words.registrationUrl),
      issuer: fields.issuer.nullish().describe(words.issuer),
      resource: fields.resource.nullish().describe(words.resource),
      headerName: fields.headerName.nullish().describe(words.headerName),
      headerPrefix: fields.headerPrefix.nullish().describe(words.headerPrefix),
      sharedHeaders: sharedHeadersField
        .nullish()
        .describe(
          `${words.sharedHeaders}. Stored encrypted and never returned. Merged by name; a null value removes one header, null removes all`,
        ),
    },
    { error: "must be an object" },
  )
  .meta({ id: "AuthSettings", description: "How users authenticate towards the upstream" });

/** The same on its way out: the secret shows only as being there. */
export const AuthSettings = z.object({
  authType: z.enum(["none", "proxy-oauth", "proxy-api-key"]).describe(words.authType),
  clientId: z.string().optional().describe(words.clientId),
  authUrl: z.string().optional().describe(words.authUrl),
  tokenUrl: z.string().optional().describe(words.tokenUrl),
  registrationUrl: z.string().optional().describe(words.registrationUrl),
  issuer: z.string().optional().describe(words.issuer),
  resource: z.string().optional().describe(words.resource),
  headerName: z.string().optional().describe(words.headerName),
  headerPrefix: z.string().optional().describe(words.headerPrefix),
  client: z
    .object({ scope: z.string().optional().describe(words.scope) })
    .optional()
    .describe(words.client),
  howtoMarkdown: z.string().optional().describe(words.howtoMarkdown),
  sharedHeaders: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe(`${words.sharedHeaders}. Values are always null, because they are never returned`),
  hasClientSecret: z.boolean().describe("Whether an OAuth client secret is kept"),
});
export type AuthSettingsPatch = z.output<typeof AuthSettingsBody>;

export interface AuthState {
  readonly auth_type: AuthType;
  readonly auth_settings: StoredAuthSettings;
  readonly sealed_client_secret: string | null;
  readonly sealed_shared_headers?: string | null | undefined;
}

/** The columns after a patch, key by key. Secrets are sealed and stored nowhere else; `withSharedHeaders` sets theirs. */
export function mergeAuthSettings(
  before: AuthState & Pick<McpServerRow, "id">,
  patch: AuthSettingsPatch,
  vault: Vault,
): AuthState {
  const { authType, clientSecret, client, sharedHeaders: _separate, ...rest } = patch;
  const settings: Record<string, unknown> = { ...before.auth_settings };
  for (const [name, value] of Object.entries(rest)) applyKey(settings, name, value);
  if (client === null) delete settings.client;
  else if (client) {
    const scopes = { ...before.auth_settings.client };
    if (client.scope === null) delete scopes.scope;
    else if (client.scope !== undefined) scopes.scope = client.scope;
    settings.client = scopes;
  }
  return {
    auth_type: authType === undefined ? before.auth_type : (authType ?? "none"),
    // Each key was validated by AuthSettingsBody, whose keys are StoredAuthSettings' keys.
    auth_settings: settings as StoredAuthSettings,
    sealed_client_secret:
      clientSecret === undefined
        ? before.sealed_client_secret
        : clientSecret === null
          ? null
          : vault.seal("server-secret", secretPlace(before.id), clientSecret),
  };
}

interface SharedHeadersChange {
  readonly patch: SharedHeadersPatch | undefined;
  /** Whether the stored headers must not be used any more. */
  readonly dropsStored: boolean;
}

/** The server with its shared headers after a change. */
export function withSharedHeaders(
  row: McpServerRow,
  { patch, dropsStored }: SharedHeadersChange,
  vault: Vault,
): McpServerRow {
  if (row.auth_type !== "none" && patch && [...patch.values()].some((value) => value !== null))
    throw invalid("auth_settings.sharedHeaders", "only for servers without per-user authentication");
  if (patch === undefined && !dropsStored) return row;
  const before = { id: row.id, sealed_shared_headers: dropsStored ? null : row.sealed_shared_headers };
  const { names, sealed } = mergeSharedHeaders(vault, before, patch ?? null);
  if (names.length > MAX_SHARED_HEADERS)
    throw invalid("auth_settings.sharedHeaders", `must have at most ${MAX_SHARED_HEADERS} headers`);
  const { sharedHeaderNames: _before, ...settings } = row.auth_settings;
  const auth_settings = names.length === 0 ? settings : { ...settings, sharedHeaderNames: names };
  return { ...row, auth_settings, sealed_shared_headers: sealed };
}

function applyKey(settings: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) delete settings[name];
  else if (value !== undefined) settings[name] = value;
}

export function secretPlace(serverId: string) {
  return { table: "mcp_servers", row: serverId, column: "sealed_client_secret" };
}
