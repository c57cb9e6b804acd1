import { z } from "zod";
import { choice, text, webUrl } from "#api/http/body-fields";
import type { AuthType, McpServerRow, StoredAuthSettings } from "#storage/tables";
import type { Vault } from "#storage/vault";

/** A field name that we may set on requests of our own; those that frame a message are ours alone (GW-15). */
const FRAMING =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|accept|accept-encoding|cookie|keep-alive|proxy-.*|mcp-.*)$/i;
const headerName = text(100).refine((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !FRAMING.test(name), {
  error: "must be a header name that may be set",
});
const headerPrefix = text(100).refine((prefix) => /^[\x20-\x7e]*$/.test(prefix), { error: "must be plain ASCII text" });

/** Spec 2.2 and D6, in the spec's order. */
const fields = {
  authType: choice(["proxy-oauth", "proxy-api-key", "none"]),
  clientId: text(512),
  authUrl: webUrl(),
  tokenUrl: webUrl(),
  client: z.object({ scope: text(2_000).nullish() }, { error: "must be an object" }),
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
      authType: fields.authType.nullish(),
      clientId: fields.clientId.nullish(),
      authUrl: fields.authUrl.nullish(),
      tokenUrl: fields.tokenUrl.nullish(),
      client: fields.client.nullish(),
      howtoMarkdown: fields.howtoMarkdown.nullish(),
      clientSecret: fields.clientSecret.nullish(),
      registrationUrl: fields.registrationUrl.nullish(),
      issuer: fields.issuer.nullish(),
      resource: fields.resource.nullish(),
      headerName: fields.headerName.nullish(),
      headerPrefix: fields.headerPrefix.nullish(),
    },
    { error: "must be an object" },
  )
  .meta({ id: "AuthSettings" });
export type AuthSettingsPatch = z.output<typeof AuthSettingsBody>;

export interface AuthState {
  readonly auth_type: AuthType;
  readonly auth_settings: StoredAuthSettings;
  readonly sealed_client_secret: string | null;
}

/** The three columns after a patch, key by key. The secret goes into the vault and nowhere else. */
export function mergeAuthSettings(
  before: AuthState & Pick<McpServerRow, "id">,
  patch: AuthSettingsPatch,
  vault: Vault,
): AuthState {
  const { authType, clientSecret, client, ...rest } = patch;
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

function applyKey(settings: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) delete settings[name];
  else if (value !== undefined) settings[name] = value;
}

export function secretPlace(serverId: string) {
  return { table: "mcp_servers", row: serverId, column: "sealed_client_secret" };
}
