import { isObject } from "#lib/is-object";
import {
  openHookSecrets,
  openPlatformSecrets,
  openProviderSecrets,
  type PlatformSecrets,
  type ProviderSecrets,
} from "#records/agents";
import type { AgentPlatformConfig, AgentRow } from "#storage/agent-tables";
import { recordKind, sortedMembers } from "../kind.ts";

export const agents = recordKind({
  name: "agents",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "status", "platform", "instructions", "model", "provider", "platform_config"],
    ...["toolkit", "skills", "identity", "owner_emails", "limits", "triggers", "notify_url"],
  ],
  fixed: ["platform"],
  sets: ["skills", "owner_emails"],
  operations: {
    list: "listBackgroundAgents",
    get: "getBackgroundAgent",
    create: "createBackgroundAgent",
    update: "updateBackgroundAgent",
    remove: "deleteBackgroundAgent",
  },
  async present({ slug, identity, ...shown }, { db, context: { vault } }) {
    const row = await db.selectFrom("agents").selectAll().where("slug", "=", String(slug)).executeTakeFirst();
    if (!row) return {};
    return {
      provider: providerOf(shown.provider, openProviderSecrets(vault, row.id, row.sealed_provider)),
      platform_config: row.platform_config
        ? platformOf(row.platform, row.platform_config, openPlatformSecrets(vault, row))
        : undefined,
      triggers: {
        schedule: row.schedule,
        webhook: hookOf(row.hook_enabled, openHookSecrets(vault, row)?.current),
      },
      ...(identity === null && { identity: undefined }),
    };
  },
  secrets({ provider, platform_config: platform, triggers }) {
    const { headers, api_key: key } = Object(provider);
    const { webhook } = Object(triggers);
    const names = Object.keys(isObject(headers) ? headers : {}).map((name) => `provider.headers.${name}`);
    return [
      ...(key == null ? [] : ["provider.api_key"]),
      ...names,
      ...["api_key", "secret"].flatMap((name) => (Object(platform)[name] == null ? [] : [`platform_config.${name}`])),
      ...(isObject(webhook) && webhook.secret != null ? ["triggers.webhook.secret"] : []),
    ];
  },
});

/** Null: the default of the installation. */
function providerOf(shown: unknown, { apiKey, headers = {} }: ProviderSecrets): object | null {
  if (shown === null) return null;
  const { has_api_key: _key, headers: _headers, ...rest } = Object(shown);
  const named = Object.keys(headers).length > 0 ? { headers: sortedMembers(headers) } : {};
  return { ...rest, ...(apiKey !== undefined && { api_key: apiKey }), ...named };
}

function platformOf(
  platform: AgentRow["platform"],
  { url, ...config }: AgentPlatformConfig,
  { apiKey, secret }: PlatformSecrets,
): object {
  const named = platform === "webhook" ? { url } : { base_url: url };
  return {
    ...named,
    ...config,
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(secret !== undefined && { secret }),
  };
}

/** Without a secret there is no webhook. */
function hookOf(enabled: boolean, secret: string | undefined): object | null {
  return secret === undefined ? null : { enabled, secret };
}
