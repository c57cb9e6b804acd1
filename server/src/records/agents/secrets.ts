import { isObject } from "#lib/is-object";
import type { Vault } from "#storage/vault";

/** Credentials for the provider of a model. */
export interface ProviderSecrets {
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function placeOf(agentId: string) {
  return { table: "agents", row: agentId, column: "sealed_provider" } as const;
}

/** Null if there are none. */
export function sealProviderSecrets(vault: Vault, agentId: string, secrets: ProviderSecrets): string | null {
  if (secrets.apiKey === undefined && Object.keys(secrets.headers ?? {}).length === 0) return null;
  return vault.seal("agent-secret", placeOf(agentId), JSON.stringify(secrets));
}

export function openProviderSecrets(vault: Vault, agentId: string, sealed: string | null): ProviderSecrets {
  if (sealed === null) return {};
  const value: unknown = JSON.parse(vault.open("agent-secret", placeOf(agentId), sealed));
  // Written by sealProviderSecrets.
  return isObject(value) ? (value as ProviderSecrets) : {};
}

/** Credentials for a platform: the key of its API, or the secret that signs requests in both directions. */
export interface PlatformSecrets {
  readonly apiKey?: string | undefined;
  readonly secret?: string | undefined;
}

export function sealPlatformSecrets(vault: Vault, agentId: string, secrets: PlatformSecrets): string {
  return vault.seal("agent-secret", platformPlace(agentId), JSON.stringify(secrets));
}

export function openPlatformSecrets(
  vault: Vault,
  { id, sealed_platform: sealed }: { readonly id: string; readonly sealed_platform: string | null },
): PlatformSecrets {
  if (sealed === null) return {};
  const value: unknown = JSON.parse(vault.open("agent-secret", platformPlace(id), sealed));
  // Written by sealPlatformSecrets.
  return isObject(value) ? (value as PlatformSecrets) : {};
}

function platformPlace(agentId: string) {
  return { table: "agents", row: agentId, column: "sealed_platform" } as const;
}
