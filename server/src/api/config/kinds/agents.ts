import { isObject } from "#lib/is-object";
import { openProviderSecrets } from "#records/agents";
import { pick, recordKind } from "../kind.ts";

export const agents = recordKind({
  name: "agents",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "status", "platform", "instructions", "model", "provider"],
    ...["toolkit", "skills", "identity", "owner_emails", "limits", "triggers", "notify_url"],
  ],
  operations: {
    list: "listBackgroundAgents",
    get: "getBackgroundAgent",
    create: "createBackgroundAgent",
    update: "updateBackgroundAgent",
    remove: "deleteBackgroundAgent",
  },
  async present({ slug, provider, identity, triggers }, { db, context }) {
    const row = await db.selectFrom("agents").selectAll().where("slug", "=", String(slug)).executeTakeFirst();
    const secrets = row ? openProviderSecrets(context.vault, row.id, row.sealed_provider) : {};
    const { has_api_key: _key, headers: _headers, ...rest } = Object(provider);
    const { apiKey, headers = {} } = secrets;
    const named = Object.keys(headers).length > 0 ? { headers } : {};
    return {
      provider: { ...rest, ...(apiKey !== undefined && { api_key: apiKey }), ...named },
      triggers: { schedule: scheduleOf(triggers) },
      ...(identity === null && { identity: undefined }),
    };
  },
  secrets({ provider }) {
    if (!isObject(provider)) return [];
    const headers = Object.keys(isObject(provider.headers) ? provider.headers : {});
    const key = provider.api_key == null ? [] : ["provider.api_key"];
    return [...key, ...headers.map((name) => `provider.headers.${name}`)];
  },
});

/** Webhook triggers are not included, because their secret is created with them. */
function scheduleOf(triggers: unknown): object | null {
  const schedule = isObject(triggers) ? triggers.schedule : undefined;
  return isObject(schedule) ? pick(schedule, ["cron", "timezone", "input", "enabled"]) : null;
}
