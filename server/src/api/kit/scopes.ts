import type { Role } from "#storage/sign-in-tables";

/** The permission table (D7): the scopes of API tokens, and which scopes each of them includes. */
export const SCOPES = [
  "all",
  "admin:read",
  "admin:write",
  "admin:scim",
  "connect:read",
  "connect:write",
  "connect:exchange-auth",
  "discovery:ingest",
  "agents:invoke",
  "logs:payloads",
] as const;
export type Scope = (typeof SCOPES)[number];

/** The scope that an operation requires, or "any" for any valid token. */
export type NeededScope = Scope | "any";

const INCLUDES: Readonly<Record<Scope, readonly Scope[]>> = {
  all: SCOPES,
  "admin:read": ["admin:read"],
  "admin:write": ["admin:write", "admin:read", "admin:scim", "agents:invoke"],
  "admin:scim": ["admin:scim"],
  "connect:read": ["connect:read"],
  "connect:write": ["connect:write", "connect:read", "connect:exchange-auth"],
  "connect:exchange-auth": ["connect:exchange-auth"],
  "discovery:ingest": ["discovery:ingest"],
  "agents:invoke": ["agents:invoke"],
  "logs:payloads": ["logs:payloads"],
};

/** The scopes of a person's role in a web session. A role from a newer release is not listed and has no scopes. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ["all"],
  admin: ["admin:write", "connect:write", "discovery:ingest", "agents:invoke", "logs:payloads"],
  auditor: ["admin:read"],
  member: [],
};

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Scopes from a newer release that this release does not know grant nothing. */
export function allows(granted: readonly string[], needed: NeededScope): boolean {
  return needed === "any" || granted.some((scope) => isScope(scope) && INCLUDES[scope].includes(needed));
}
