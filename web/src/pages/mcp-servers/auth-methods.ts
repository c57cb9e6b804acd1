import type { Detail, Server } from "./servers.ts";

export type AuthMethod = "none" | "shared" | "proxy-oauth" | "proxy-api-key" | "exchanged-token";

export const AUTH_METHODS: ReadonlyArray<{
  readonly value: AuthMethod;
  readonly label: string;
  readonly description: string;
}> = [
  { value: "none", label: "None", description: "The server accepts requests without a credential." },
  {
    value: "shared",
    label: "Shared credential",
    description: "Gatehouse sends the same headers for all users, such as an API key of your organization.",
  },
  { value: "proxy-oauth", label: "OAuth per user", description: "Each user signs in with their own account." },
  { value: "proxy-api-key", label: "API key per user", description: "Each user enters their own API key." },
  {
    value: "exchanged-token",
    label: "Exchanged token",
    description: "Each call carries the token that the user exchanged, from a trusted issuer with passthrough.",
  },
];

/** A row of the shared headers in the form. The value of a saved header is unknown, so an empty one keeps it. */
export interface HeaderRow {
  readonly name: string;
  readonly value: string;
  readonly isSaved: boolean;
}

type Authenticated = Pick<Server, "auth_type" | "has_shared_credential">;

export function authMethodOf({ auth_type: authType, has_shared_credential: isShared }: Authenticated): AuthMethod {
  return isShared ? "shared" : authType;
}

export function authLabelOf(server: Authenticated): string {
  const method = authMethodOf(server);
  return AUTH_METHODS.find(({ value }) => value === method)?.label ?? "None";
}

/** Whether saving this URL deletes the shared credential, which belongs to one origin. */
export function losesSharedHeaders({ auth_settings, connection }: Detail, url: string): boolean {
  if (!auth_settings.sharedHeaders || connection === null) return false;
  return URL.parse(url.trim())?.origin !== URL.parse(connection.url)?.origin;
}

export function savedHeaders({ auth_settings: { sharedHeaders = {} } }: Detail): HeaderRow[] {
  return Object.keys(sharedHeaders).map((name) => ({ name, value: "", isSaved: true }));
}

/** The change from the saved headers to these rows. */
export function headersPatch(saved: readonly HeaderRow[], rows: readonly HeaderRow[]): Record<string, string | null> {
  const kept = new Set(rows.filter(({ isSaved }) => isSaved).map(({ name }) => name));
  const removed = saved.filter(({ name }) => !kept.has(name)).map(({ name }) => [name, null] as const);
  const set = rows.filter(({ name, value }) => name.trim() !== "" && value !== "");
  return Object.fromEntries([...removed, ...set.map(({ name, value }) => [name.trim(), value.trim()] as const)]);
}

export function headersProblem(rows: readonly HeaderRow[]): string | undefined {
  if (rows.length === 0) return "Add at least one header.";
  const unnamed = rows.find(({ name }) => name.trim() === "");
  if (unnamed) return "Enter a name for each header.";
  const empty = rows.find(({ value, isSaved }) => !isSaved && value.trim() === "");
  if (empty) return `Enter a value for ${empty.name}.`;
  const names = rows.map(({ name }) => name.trim().toLowerCase());
  const repeated = rows.find(({ name }, at) => names.indexOf(name.trim().toLowerCase()) !== at);
  return repeated && `${repeated.name} is listed twice.`;
}

/** "Bearer " belongs to the Authorization header only. */
export function prefixFor(prefix: string, headerBefore: string, headerNow: string): string {
  const [was, is] = [isAuthorization(headerBefore), isAuthorization(headerNow)];
  if (was && !is && prefix === "Bearer ") return "";
  return !was && is && prefix === "" ? "Bearer " : prefix;
}

/** An empty name means the default. */
function isAuthorization(header: string): boolean {
  return /^(authorization)?$/i.test(header.trim());
}
