import type { McpServerRow } from "#storage/server-tables";
import { type Vault, VaultFault } from "#storage/vault";

/** A change to a server's shared headers, by name. A null value removes one header, null removes all. */
export type SharedHeadersPatch = ReadonlyMap<string, string | null> | null;

type HeaderColumns = Pick<McpServerRow, "id" | "sealed_shared_headers">;

export const MAX_SHARED_HEADERS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 8192;
/** Hop-by-hop headers, headers that frame a message, and headers that the gateway sets itself (GW-15). */
const RESERVED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept|accept-encoding|user-agent|last-event-id|traceparent|tracestate|mcp-.*)$/i;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PLACEHOLDER = /\$\{(?:input|env):[^}]*\}/;

/** Why this header cannot be sent with every request; undefined: it can. */
export function sharedHeaderNameFault(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return `header names must be at most ${MAX_NAME_LENGTH} characters`;
  if (!TOKEN.test(name)) return `${JSON.stringify(name)} is not a valid header name`;
  return RESERVED.test(name) ? `${name} cannot be set, because the gateway sets or removes it itself` : undefined;
}

/** The message never contains the value. */
export function sharedHeaderValueFault(value: string): string | undefined {
  if (value.length > MAX_VALUE_LENGTH) return `must be at most ${MAX_VALUE_LENGTH} characters`;
  if (value === "") return "must not be empty";
  if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(value)) return "must be one line of Latin-1 text";
  if (value.trim() !== value) return "must not start or end with a space";
  return PLACEHOLDER.test(value) ? "contains a placeholder; enter the value itself" : undefined;
}

export interface MergedHeaders {
  readonly names: readonly string[];
  readonly sealed: string | null;
}

/** Names are compared without regard to case; the spelling given last is sent. */
export function mergeSharedHeaders(vault: Vault, before: HeaderColumns, patch: SharedHeadersPatch): MergedHeaders {
  const entries = mergeEntries(vault, before, patch);
  if (entries.length === 0) return { names: [], sealed: null };
  const sealed = vault.seal("server-secret", placeOf(before.id), JSON.stringify(entries));
  return { names: entries.map(([name]) => name), sealed };
}

/** What would be sent after the patch, as a flat list of names and values. */
export function openMergedHeaders(vault: Vault, before: HeaderColumns, patch: SharedHeadersPatch): readonly string[] {
  return mergeEntries(vault, before, patch).flat();
}

function mergeEntries(vault: Vault, before: HeaderColumns, patch: SharedHeadersPatch): (readonly [string, string])[] {
  const headers = new Map<string, readonly [string, string]>();
  if (patch !== null && before.sealed_shared_headers) {
    for (const entry of readSealed(vault, before.id, before.sealed_shared_headers))
      headers.set(entry[0].toLowerCase(), entry);
  }
  for (const [name, value] of patch ?? []) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), [name, value]);
  }
  return [...headers.values()];
}

/**
 * The shared headers as a flat list of names and values, ready to be sent. Empty when they cannot be opened: the vault
 * has logged that, and the server rejects requests without them.
 */
export function openSharedHeaders(
  vault: Vault,
  { id, sealed_shared_headers: sealed }: HeaderColumns,
): readonly string[] {
  if (!sealed) return [];
  try {
    return readSealed(vault, id, sealed).flat();
  } catch (error) {
    if (error instanceof VaultFault) return [];
    throw error;
  }
}

function readSealed(vault: Vault, serverId: string, sealed: string): [string, string][] {
  // `mergeSharedHeaders` wrote it, and the vault proved that it is unchanged.
  return JSON.parse(vault.open("server-secret", placeOf(serverId), sealed)) as [string, string][];
}

function placeOf(serverId: string) {
  return { table: "mcp_servers", row: serverId, column: "sealed_shared_headers" };
}
