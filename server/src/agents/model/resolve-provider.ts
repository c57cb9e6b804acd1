import type { DefaultProvider } from "#lib/default-provider";
import { openProviderSecrets } from "#records/agents";
import type { AgentRow } from "#storage/agent-tables";
import type { Vault } from "#storage/vault";
import type { ModelSettings, ProviderType } from "./language-model.ts";
import { isScript } from "./scripted-model.ts";

/** The provider and model that sessions use. */
export interface ResolvedProvider {
  /** `installation`: the operator's default. */
  readonly source: "agent" | "installation";
  readonly type: ProviderType;
  readonly model: string;
  readonly base_url: string | null;
}

/** Undefined: it runs on another platform, or has no provider while the installation has no default. */
export function resolveProvider(
  { platform, provider, model }: Pick<AgentRow, "platform" | "provider" | "model">,
  fallback: DefaultProvider | undefined,
): ResolvedProvider | undefined {
  if (platform !== "builtin") return undefined;
  const { type, base_url } = provider;
  if (type !== "default") return { source: "agent", type, model, base_url };
  if (!fallback) return undefined;
  const { baseUrl = null } = fallback;
  return { source: "installation", type: fallback.type, model: model || fallback.model, base_url: baseUrl };
}

/** The same with credentials. */
export function modelSettings(
  vault: Vault,
  agent: AgentRow,
  fallback: DefaultProvider | undefined,
): ModelSettings | undefined {
  const resolved = resolveProvider(agent, fallback);
  if (!resolved) return undefined;
  const { type, model, base_url, source } = resolved;
  const shared = { type, model, baseUrl: base_url ?? undefined };
  if (source === "installation") return { ...shared, apiKey: fallback?.apiKey };
  const secrets = openProviderSecrets(vault, agent.id, agent.sealed_provider);
  return { ...shared, script: agent.provider.script.filter(isScript), ...secrets };
}
