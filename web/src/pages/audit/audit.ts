import type { Api, Schemas } from "../../api/client.ts";

export type AuditEntry = Schemas["AuditEntry"];

export interface AuditFilters {
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  readonly target?: string | undefined;
  readonly operation?: string | undefined;
  /** Days. */
  readonly since?: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export async function fetchAudit(api: Api, filters: AuditFilters, cursor: string | undefined, signal: AbortSignal) {
  const { actor, kind, target, operation, since } = filters;
  const from = since === undefined ? undefined : new Date(Date.now() - Number(since) * DAY_MS).toISOString();
  return api.listAudit({ query: { actor, target_type: kind, target, operation, from, cursor, limit: 100 }, signal });
}

/** Turns `updateMcpServer` into "Update MCP server". */
export function operationLabel(operation: string): string {
  const words = operation
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\b(?:api|mcp)\b/g, (name) => name.toUpperCase())
    .replace(/\boauth\b/g, "OAuth");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface Difference {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Fields that differ between before and after. Nested fields are named by their path. */
export function differences({ before, after }: Pick<AuditEntry, "before" | "after">): Difference[] {
  const old = flatten(before ?? {});
  const fresh = flatten(after ?? {});
  const fields = [...new Set([...old.keys(), ...fresh.keys()])];
  return fields
    .map((field) => ({ field, before: old.get(field), after: fresh.get(field) }))
    .filter((difference) => difference.before !== difference.after);
}

function flatten(value: object, prefix = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    if (typeof member !== "object" || member === null || Array.isArray(member)) flat.set(path, shown(member));
    else for (const [inner, text] of flatten(member, path)) flat.set(inner, text);
  }
  return flat;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
