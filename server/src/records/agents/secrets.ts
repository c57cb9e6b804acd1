import { isObject } from "#lib/is-object";
import type { AgentSessionRow } from "#storage/agent-tables";
import type { Vault } from "#storage/vault";

/** The input of a session as it was given, and as it is stored, after redaction by guards. */
export interface SessionInput {
  readonly given: string;
  readonly shown: string;
}

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

/** `null` if guards removed nothing from it. */
export function sealSessionInput(vault: Vault, sessionId: string, input: SessionInput): string | null {
  return input.given === input.shown ? null : vault.seal("agent-secret", inputPlace(sessionId), input.given);
}

/** What the model or the platform gets. */
export function openSessionInput(
  vault: Vault,
  { id, input, sealed_input: sealed }: Pick<AgentSessionRow, "id" | "input" | "sealed_input">,
): string {
  return sealed === null ? input : vault.open("agent-secret", inputPlace(id), sealed);
}

function inputPlace(sessionId: string) {
  return { table: "agent_sessions", row: sessionId, column: "sealed_input" } as const;
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
