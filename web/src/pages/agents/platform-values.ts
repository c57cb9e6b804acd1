import type { Schemas } from "../../api/client.ts";
import type { Agent } from "./agents.ts";

type PlatformBody = NonNullable<Schemas["UpdateBackgroundAgent"]["platform_config"]>;

export interface PlatformValues extends Record<string, unknown> {
  url: string;
  secret: string;
  api_key: string;
  environment_id: string;
  vault_ids: string[];
}

export const NEW_PLATFORM: PlatformValues = { url: "", secret: "", api_key: "", environment_id: "", vault_ids: [] };

export function platformValues({ platform_config: config }: Agent): PlatformValues {
  const { environment_id: environment, vault_ids: vaults = [] } = config ?? {};
  return { ...NEW_PLATFORM, url: storedUrl(config), environment_id: environment ?? "", vault_ids: [...vaults] };
}

/** The URL has another name for each platform. */
export function storedUrl(config: Agent["platform_config"]): string {
  return config?.url ?? config?.base_url ?? "";
}

export function platformBody(
  platform: Agent["platform"],
  { url, secret, api_key: key, environment_id: environment, vault_ids: vaults }: PlatformValues,
): PlatformBody {
  if (platform === "webhook")
    return { url: url.trim() || null, ...(secret.trim() !== "" && { secret: secret.trim() }) };
  return {
    ...{ base_url: url.trim() || null, environment_id: environment.trim() || null, vault_ids: vaults },
    ...(key.trim() !== "" && { api_key: key.trim() }),
  };
}

/** The field of the form that a field of the body belongs to. */
export function platformField(field: string): string {
  const name = field.replace(/^platform_config\./, "");
  if (name === "base_url") return "url";
  return name.startsWith("vault_ids") ? "vault_ids" : name;
}
