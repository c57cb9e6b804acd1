/** Rules for fields of an agent that refer to other records or hold secrets. */
import type { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import type { WriteInput } from "#api/kit/operation";
import { EgressRefused } from "#egress/egress";
import { invalid, unknownReferences } from "#lib/errors";
import { openProviderSecrets, type ProviderSecrets, sealProviderSecrets } from "#records/agents";
import { findSkillsBySlug } from "#records/skills";
import { findToolkit } from "#records/toolkits";
import { findUser, insertMachineUser, newUserRow } from "#records/users";
import type { AgentLimits, AgentProvider, AgentRow } from "#storage/agent-tables";
import type { MainDb } from "#storage/database";
import type { Vault } from "#storage/vault";
import type { UpdateAgentBody } from "./bodies.ts";

type Given = z.output<typeof UpdateAgentBody>;

export const DEFAULT_LIMITS: AgentLimits = {
  ...{ max_steps: 25, max_output_tokens: 4_096, max_total_tokens: 200_000, timeout_seconds: 600, max_concurrent: 1 },
};

/** Omitted limits keep their values. */
export function limitsOf(before: AgentLimits, given: Given["limits"]): AgentLimits {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  // The entries are those of limits.
  return { ...before, ...(Object.fromEntries(set) as Partial<AgentLimits>) };
}

type StoredModel = Pick<AgentRow, "model" | "provider" | "sealed_provider">;

/** Another platform has its own models. */
const NO_PROVIDER: Omit<StoredModel, "model"> = {
  provider: { type: "default", base_url: null, has_api_key: false, header_names: [], script: [] },
  sealed_provider: null,
};

/** Omitted fields stay. An agent without a provider uses the installation's, with its own model or the installation's. */
export function modelOf(
  { vault, agents }: Pick<ApiContext, "vault" | "agents">,
  { id, platform }: Pick<AgentRow, "id" | "platform">,
  before: StoredModel | undefined,
  given: Pick<Given, "model" | "provider">,
): StoredModel {
  if (platform !== "builtin" && given.provider)
    throw invalid("provider", `must be omitted for the platform ${platform}`);
  const kept = before ?? { ...NO_PROVIDER, model: "" };
  const model = given.model === undefined ? kept.model : (given.model ?? "");
  const stays = given.provider === null ? NO_PROVIDER : kept;
  const { provider, sealed_provider } = given.provider ? providerOf(vault, id, before, given.provider) : stays;
  const stored = { model, provider, sealed_provider };
  // The operator can have removed the default since. Other fields can still be changed then.
  if (before && given.provider === undefined && given.model === undefined) return stored;
  const isDefault = platform === "builtin" && provider.type === "default";
  if (isDefault && !agents.defaultProvider)
    throw invalid("provider", "provider is required, because this installation has no default provider");
  if (!isDefault && model === "") throw invalid("model", "model is required");
  return stored;
}

export async function checkReferences(db: MainDb, { toolkit, skills = [] }: Given): Promise<void> {
  if (typeof toolkit === "string") {
    const found = await findToolkit(db, toolkit);
    if (!found || found.owner_id !== null) throw unknownReferences("Toolkits", [toolkit]);
  }
  const known = await findSkillsBySlug(db, skills);
  const unknown = skills.filter((slug) => !known.some((skill) => skill.slug === slug));
  if (unknown.length > 0) throw unknownReferences("Skills", unknown);
}

export async function identityOf(db: MainDb, email: string): Promise<string> {
  const user = await findUser(db, email);
  if (!user) throw invalid("identity", `user not found: ${email}`);
  if (!user.is_machine_user) throw invalid("identity", "must be a machine user");
  return user.id;
}

type Creating = Pick<WriteInput<unknown, unknown, unknown, unknown>, "tx" | "trail" | "context">;

/** A machine user without an access key: only sessions of the agent can use it. The agent exists, so its slug is final. */
export async function createIdentity(
  { tx, trail, context }: Creating,
  { slug, name }: Pick<AgentRow, "slug" | "name">,
): Promise<string> {
  const id = context.newId("usr");
  const row = { ...newUserRow(id, name, "", context.clock.now()), is_machine_user: true };
  await insertMachineUser(tx, trail, row, `agent-${slug}`, (wanted) => `${wanted}@machine.${context.orgDomain}`);
  return id;
}

/** Secrets that are omitted stay; null removes one. A different type or URL needs its secrets again. */
function providerOf(
  vault: Vault,
  agentId: string,
  before: StoredModel | undefined,
  given: NonNullable<Given["provider"]>,
): { provider: AgentProvider; sealed_provider: string | null } {
  const base_url = given.base_url ?? null;
  const isSame = before?.provider.type === given.type && before.provider.base_url === base_url;
  const kept: ProviderSecrets = isSame ? openProviderSecrets(vault, agentId, before.sealed_provider) : {};
  const apiKey = given.api_key === undefined ? kept.apiKey : (given.api_key ?? undefined);
  const merged = Object.entries({ ...kept.headers, ...given.headers });
  const headers = Object.fromEntries(merged.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const script = given.script ?? (isSame ? before.provider.script : []);
  return {
    provider: {
      ...{ type: given.type, base_url, script },
      ...{ has_api_key: apiKey !== undefined, header_names: Object.keys(headers).sort() },
    },
    sealed_provider: sealProviderSecrets(vault, agentId, { apiKey, headers }),
  };
}

/** F40: the same rules apply when a session calls the provider. */
export function requireReachableProvider({ context }: Pick<Creating, "context">, { provider }: Given): void {
  if (!provider?.base_url) return;
  try {
    context.assertReachableUrl(provider.base_url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid("provider.base_url", error.message);
    throw error;
  }
}
