/** Settings of an agent on another platform. */
import type { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { EgressRefused } from "#egress/egress";
import { invalid } from "#lib/errors";
import { openPlatformSecrets, type PlatformSecrets, sealPlatformSecrets } from "#records/agents";
import type { AgentPlatformConfig, AgentRow } from "#storage/agent-tables";
import type { PlatformConfigBody } from "./bodies.ts";

type Given = z.output<typeof PlatformConfigBody>;
type Stored = Pick<AgentRow, "platform_config" | "sealed_platform">;

/** Omitted fields stay. A different URL needs its secrets again, so that they are not sent elsewhere. */
export function platformOf(
  { vault, assertReachableUrl }: Pick<ApiContext, "vault" | "assertReachableUrl">,
  agent: Pick<AgentRow, "id" | "platform"> & Stored,
  given: Given | undefined,
): Stored {
  const { platform_config: before, sealed_platform: sealed } = agent;
  if (agent.platform === "builtin") {
    if (given !== undefined) throw invalid("platform_config", "must be omitted for the platform builtin");
    return { platform_config: null, sealed_platform: null };
  }
  if (given === undefined && before !== null) return { platform_config: before, sealed_platform: sealed };
  const config = configOf(agent.platform, before, given);
  if (config.url !== null) requireReachable(assertReachableUrl, agent.platform, config.url);
  const kept = before !== null && before.url === config.url ? openPlatformSecrets(vault, agent) : {};
  const secrets = { apiKey: given?.api_key ?? kept.apiKey, secret: given?.secret ?? kept.secret };
  requireComplete(agent.platform, config, secrets);
  return { platform_config: config, sealed_platform: sealPlatformSecrets(vault, agent.id, secrets) };
}

/** The URL has another name for each platform. Stored is one column. */
const URL_FIELD = { webhook: "url", anthropic: "base_url" } as const;
type OtherPlatform = keyof typeof URL_FIELD;

function configOf(platform: OtherPlatform, before: AgentPlatformConfig | null, given: Given = {}): AgentPlatformConfig {
  const other = URL_FIELD[platform === "webhook" ? "anthropic" : "webhook"];
  if (given[other] != null) throw invalid(`platform_config.${other}`, `use ${URL_FIELD[platform]} for ${platform}`);
  const { [URL_FIELD[platform]]: url = before?.url ?? null, environment_id = before?.environment_id ?? null } = given;
  return { url, environment_id, vault_ids: given.vault_ids ?? before?.vault_ids ?? [] };
}

function requireComplete(
  platform: AgentRow["platform"],
  { url }: AgentPlatformConfig,
  { apiKey, secret }: PlatformSecrets,
): void {
  if (platform === "anthropic" && apiKey === undefined) throw invalid("platform_config.api_key", "api_key is required");
  if (platform !== "webhook") return;
  if (url === null) throw invalid("platform_config.url", "url is required");
  if (secret === undefined) throw invalid("platform_config.secret", "secret is required");
}

function requireReachable(
  assertReachableUrl: ApiContext["assertReachableUrl"],
  platform: OtherPlatform,
  url: string,
): void {
  try {
    assertReachableUrl(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid(`platform_config.${URL_FIELD[platform]}`, error.message);
    throw error;
  }
}
