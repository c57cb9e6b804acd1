import type { z } from "zod";
import type { McpServerRow } from "#storage/server-tables";
import type { AuthSettings } from "./auth-settings.ts";

/** The settings for responses and audit entries. `hasClientSecret` replaces the secret. */
export function presentSettings(row: McpServerRow): z.input<typeof AuthSettings> {
  const { sharedHeaderNames, ...settings } = row.auth_settings;
  return {
    authType: row.auth_type,
    ...settings,
    ...(sharedHeaderNames ? { sharedHeaders: Object.fromEntries(sharedHeaderNames.map((name) => [name, null])) } : {}),
    hasClientSecret: row.sealed_client_secret !== null,
  };
}

export function presentForAudit(row: McpServerRow) {
  return {
    slug: row.slug,
    name: row.name,
    description: row.description,
    status: row.status,
    connector_id: row.connector_id,
    url: row.upstream_url,
    transport: row.upstream_transport,
    auth_settings: presentSettings(row),
    tool_policy: row.tool_policy,
    pass_instructions: row.pass_instructions !== false,
    result_limit_bytes: row.result_limit_bytes ?? null,
    ...(row.sync_user_id ? { sync_user_id: row.sync_user_id } : {}),
    ...(row.limits ? { limits: row.limits } : {}),
  };
}
