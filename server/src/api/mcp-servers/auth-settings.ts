import { z } from "zod";
import { choice, text, webUrl } from "#api/kit/body-fields";
import { invalid } from "#lib/errors";
import { hasPassthrough } from "#records/auth-exchange";
import {
  isKeyHeaderName,
  isKeyHeaderPrefix,
  MAX_SHARED_HEADERS,
  mergeSharedHeaders,
  type SharedHeadersPatch,
} from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import { AUTH_TYPES, type AuthType, type McpServerRow, type StoredAuthSettings } from "#storage/server-tables";
import type { Vault } from "#storage/vault";
import { sharedHeadersField } from "./shared-headers-field.ts";

/** The fields that decide in which header a user's API key is sent. */
export const keyHeaderFields = {
  headerName: text(100).refine(isKeyHeaderName, { error: "must be a header name that may be set" }),
  headerPrefix: text(100).refine(isKeyHeaderPrefix, { error: "must be plain ASCII text" }),
};

const descriptions = {
  authType:
    "Authentication at the upstream: `none`, OAuth per user (`proxy-oauth`), an API key per user (`proxy-api-key`), or the token that the user exchanged (`exchanged-token`)",
  clientId: "OAuth client ID. If omitted, Gatehouse registers a client",
  authUrl: "OAuth authorization endpoint. Discovered if omitted",
  tokenUrl: "OAuth token endpoint. Discovered if omitted",
  client: "Parameters of the authorization request",
  scope: "OAuth scopes, separated by spaces",
  howtoMarkdown: "Instructions for users who connect, in Markdown",
  registrationUrl: "OAuth registration endpoint. Discovered if omitted",
  issuer:
    "OAuth issuer. Discovered if omitted. With `exchanged-token`: the `iss` of the trusted issuer whose tokens are sent; required",
  resource: "OAuth resource indicator. The upstream's URL if omitted",
  headerName: "Header that carries the user's API key. `Authorization` by default",
  sharedHeaders:
    "Shared credential: headers that the gateway sends with every request to the server, by name. Only with `authType` `none`",
  headerPrefix: "Text before the API key in that header. `Bearer ` by default",
};

/** Spec 2.2 and D6, in the spec's order. */
const fields = {
  authType: choice(["proxy-oauth", "proxy-api-key", "none", "exchanged-token"]),
  clientId: text(512),
  authUrl: webUrl(),
  tokenUrl: webUrl(),
  client: z.object({ scope: text(2_000).nullish().describe(descriptions.scope) }, { error: "must be an object" }),
  howtoMarkdown: text(50_000),
  clientSecret: text(4_000).meta({ writeOnly: true }),
  registrationUrl: webUrl(),
  issuer: webUrl(),
  resource: webUrl(),
  ...keyHeaderFields,
};

/** On create and on update alike, `null` clears a key; an omitted key keeps its value (D6). */
export const AuthSettingsBody = z
  .object(
    {
      authType: fields.authType.nullish().describe(descriptions.authType),
      clientId: fields.clientId.nullish().describe(descriptions.clientId),
      authUrl: fields.authUrl.nullish().describe(descriptions.authUrl),
      tokenUrl: fields.tokenUrl.nullish().describe(descriptions.tokenUrl),
      client: fields.client.nullish().describe(descriptions.client),
      howtoMarkdown: fields.howtoMarkdown.nullish().describe(descriptions.howtoMarkdown),
      clientSecret: fields.clientSecret.nullish().describe("OAuth client secret. Stored encrypted and never returned"),
      registrationUrl: fields.registrationUrl.nullish().describe(descriptions.registrationUrl),
      issuer: fields.issuer.nullish().describe(descriptions.issuer),
      resource: fields.resource.nullish().describe(descriptions.resource),
      headerName: fields.headerName.nullish().describe(descriptions.headerName),
      headerPrefix: fields.headerPrefix.nullish().describe(descriptions.headerPrefix),
      sharedHeaders: sharedHeadersField
        .nullish()
        .describe(
          `${descriptions.sharedHeaders}. Stored encrypted and never returned. Merged by name; a null value removes one header, null removes all`,
        ),
    },
    { error: "must be an object" },
  )
  .meta({ id: "AuthSettings", description: "How users authenticate at the upstream" });

/** The settings in responses: `hasClientSecret` replaces the secret. */
export const AuthSettings = z.object({
  authType: z.enum(AUTH_TYPES).describe(descriptions.authType),
  clientId: z.string().optional().describe(descriptions.clientId),
  authUrl: z.string().optional().describe(descriptions.authUrl),
  tokenUrl: z.string().optional().describe(descriptions.tokenUrl),
  registrationUrl: z.string().optional().describe(descriptions.registrationUrl),
  issuer: z.string().optional().describe(descriptions.issuer),
  resource: z.string().optional().describe(descriptions.resource),
  headerName: z.string().optional().describe(descriptions.headerName),
  headerPrefix: z.string().optional().describe(descriptions.headerPrefix),
  client: z
    .object({ scope: z.string().optional().describe(descriptions.scope) })
    .optional()
    .describe(descriptions.client),
  howtoMarkdown: z.string().optional().describe(descriptions.howtoMarkdown),
  sharedHeaders: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe(`${descriptions.sharedHeaders}. Values are always null, because they are never returned`),
  hasClientSecret: z.boolean().describe("Whether an OAuth client secret is stored"),
});
export type AuthSettingsPatch = z.output<typeof AuthSettingsBody>;

export interface AuthState {
  readonly auth_type: AuthType;
  readonly auth_settings: StoredAuthSettings;
  readonly sealed_client_secret: string | null;
  readonly sealed_shared_headers?: string | null | undefined;
}

/** Merges a patch into the stored settings. The secret is sealed by the vault and stored nowhere else. */
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
    const merged = { ...before.auth_settings.client };
    if (client.scope === null) delete merged.scope;
    else if (client.scope !== undefined) merged.scope = client.scope;
    settings.client = merged;
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

/** Tokens are sent only to servers that an admin declared to accept them, and only those of the named issuer. */
export async function checkExchangedToken(db: MainDb, { auth_type, auth_settings }: AuthState): Promise<void> {
  if (auth_type !== "exchanged-token") return;
  if (auth_settings.issuer === undefined || !(await hasPassthrough(db, auth_settings.issuer)))
    throw invalid("auth_settings.issuer", "must be a trusted issuer with passthrough");
}

function applyKey(settings: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) delete settings[name];
  else if (value !== undefined) settings[name] = value;
}

export function secretPlace(serverId: string) {
  return { table: "mcp_servers", row: serverId, column: "sealed_client_secret" };
}
