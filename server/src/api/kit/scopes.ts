import type { Role } from "#storage/sign-in-tables";

/** The permission table (D7): what an API token may be allowed, and which scopes each of them includes. */
export const SCOPES = [
  "all",
  "admin:read",
  "admin:write",
  "connect:read",
  "connect:write",
  "connect:exchange-auth",
  "discovery:ingest",
  "agents:invoke",
  "logs:payloads",
] as const;
export type Scope = (typeof SCOPES)[number];
/** What an operation asks for: a scope, or nothing but a valid token. */
export type NeededScope = Scope | "any";

const INCLUDES: Readonly<Record<Scope, readonly Scope[]>> = {
  all: SCOPES,
  "admin:read": ["admin:read"],
  "admin:write": ["admin:write", "admin:read"],
  "connect:read": ["connect:read"],
  "connect:write": ["connect:write", "connect:read", "connect:exchange-auth"],
  "connect:exchange-auth": ["connect:exchange-auth"],
  "discovery:ingest": ["discovery:ingest"],
  "agents:invoke": ["agents:invoke"],
  "logs:payloads": ["logs:payloads"],
};

/** What a person's role allows in their web session. A role that a newer release wrote is not here, and allows nothing. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ["all"],
  admin: ["admin:write", "connect:write", "discovery:ingest", "agents:invoke", "logs:payloads"],
  auditor: ["admin:read"],
  member: [],
};

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Scopes that a newer release wrote and this one does not know grant nothing. */
export function allows(granted: readonly string[], needed: NeededScope): boolean {
  return needed === "any" || granted.some((scope) => isScope(scope) && INCLUDES[scope].includes(needed));
}
