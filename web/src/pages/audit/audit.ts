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

function auditQuery({ actor, kind, target, operation, since }: AuditFilters) {
  const from = since === undefined ? undefined : new Date(Date.now() - Number(since) * DAY_MS).toISOString();
  return { actor, target_type: kind, target, operation, from };
}

export function fetchAudit(api: Api, filters: AuditFilters, cursor: string | undefined, signal: AbortSignal) {
  return api.listAudit({ query: { ...auditQuery(filters), cursor, limit: 100 }, signal });
}

export type ExportFormat = "csv" | "ndjson";

export function exportAudit(api: Api, filters: AuditFilters, format: ExportFormat, signal: AbortSignal): Promise<File> {
  return api.download("/api/audit/export", {
    query: { ...auditQuery(filters), format },
    signal,
    name: `gatehouse-audit.${format}`,
    onBytes: () => undefined,
  });
}

/** Labels of operations whose ID does not read well. */
const LABELS: Readonly<Record<string, string>> = {
  acceptTools: "Accept tool changes",
  applyConfig: "Apply configuration",
  auditProblemFound: "Audit log problem found",
  approveOAuthChange: "Approve OAuth settings",
  addIntegrationsToGroup: "Add servers to group",
  changeMyPassword: "Change password",
  connect: "Connect account",
  connectClient: "Connect MCP client",
  disconnectClient: "Disconnect MCP client",
  discoverOAuth: "Discover OAuth settings",
  endConnection: "Disconnect account",
  endMySessions: "Sign out other sessions",
  endUserSessions: "Sign out user",
  getLog: "View call payload",
  getUserAuthUrl: "Create connect link",
  keepOAuthSettings: "Keep OAuth settings",
  makeSetupLink: "Create setup link",
  noteOAuthChange: "OAuth settings changed",
  redeliverWebhookDelivery: "Redeliver event",
  refreshTokenReused: "Refresh token reused",
  removeIntegrationFromGroup: "Remove server from group",
  revealUserSecret: "Reveal secret",
  rotateUserSecret: "Rotate secret",
  setMyApiKey: "Set API key",
  setUpOwner: "Create owner account",
  setUserApiKey: "Set API key of user",
  signInFailed: "Sign-in failed",
  toolsChanged: "Tools changed",
  updateMcpServerTools: "Update tools",
};

/** The app has other names than the API for some records. */
const RENAMED = { "exchange provider": "trusted issuer", "background agent": "agent" } as const;

/** Turns `updateMcpServer` into "Update MCP server". */
export function operationLabel(operation: string): string {
  return LABELS[operation] ?? asLabel(asNamed(operation.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()));
}

/** Turns `mcp-server` into "MCP server". */
export function kindLabel(kind: string): string {
  return asNamed(kind.replaceAll(/[-_]/g, " ")).replace(/\b(?:mcp|api)\b/g, (name) => name.toUpperCase());
}

export function targetLabel({ name, id }: AuditEntry["target"]): string {
  return name || id;
}

/** The settings exist once, so their kind is also their name. */
export function targetWithKind(target: AuditEntry["target"]): string {
  const [label, kind] = [targetLabel(target), kindLabel(target.type)];
  return label === kind ? label : `${label} (${kind})`;
}

function asNamed(text: string): string {
  return Object.entries(RENAMED).reduce((named, [from, to]) => named.replace(from, to), text);
}

/** Turns `settings.show_draft_mcps` into "Settings / Show draft MCPs". */
export function fieldLabel(path: string): string {
  return path
    .split(".")
    .map((name) => asLabel(name.replaceAll("_", " ")))
    .join(" / ");
}

function asLabel(words: string): string {
  const label = words
    .toLowerCase()
    .replace(/\b(?:api|mcp|mcps|id|ids|url|ip|sso|scim)\b/g, (name) => name.toUpperCase().replace(/S$/, "s"))
    .replace(/\boauth\b/g, "OAuth");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** A changed field. A list shows only the entries that were removed and added. */
export interface Difference {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Fields that differ between before and after. Nested fields are named by their path. */
export function differences({ before, after }: Pick<AuditEntry, "before" | "after">): Difference[] {
  const old = flatten(before ?? {});
  const fresh = flatten(after ?? {});
  const fields = new Set([...old.keys(), ...fresh.keys()]);
  // The entry has the time of the change.
  if (before && after) fields.delete("updated_at");
  return [...fields].flatMap((field) => {
    const [was, is] = [old.get(field), fresh.get(field)];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const isList = Array.isArray(was) && Array.isArray(is);
    return isList
      ? [{ field, before: valueText(without(was, is)), after: valueText(without(is, was)) }]
      : [{ field, before: valueText(was), after: valueText(is) }];
  });
}

function without(list: readonly unknown[], others: readonly unknown[]): unknown[] | undefined {
  const known = new Set(others.map((entry) => JSON.stringify(entry)));
  const rest = list.filter((entry) => !known.has(JSON.stringify(entry)));
  return rest.length === 0 ? undefined : rest;
}

function flatten(value: object, prefix = ""): Map<string, unknown> {
  const flat = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    const isNested = typeof member === "object" && member !== null && !Array.isArray(member);
    if (isNested && Object.keys(member).length > 0) {
      for (const [inner, nested] of flatten(member, path)) flat.set(inner, nested);
    } else flat.set(path, member);
  }
  return flat;
}

function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return "None";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return value.toLocaleString("en");
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "None" : value.map(valueText).join(", ");
  return Object.keys(value).length === 0 ? "None" : JSON.stringify(value);
}
