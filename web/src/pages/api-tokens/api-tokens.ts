import type { Api, Schemas } from "../../api/client.ts";

export type ApiToken = Schemas["ApiToken"];
export type Scope = Schemas["CreateApiToken"]["scopes"][number];

export const apiTokensKey = ["api-tokens"] as const;

export const SCOPES: ReadonlyArray<{ readonly value: Scope; readonly label: string; readonly description: string }> = [
  { value: "admin:read", label: "Read", description: "Read servers, groups, users, logs, and settings" },
  {
    value: "admin:write",
    label: "Read and write",
    description: "Read and change servers, groups, users, and settings",
  },
  {
    value: "admin:scim",
    label: "SCIM provisioning",
    description: "Let an identity provider manage people and groups through SCIM",
  },
  { value: "connect:read", label: "Read connections", description: "Read which users are connected to which servers" },
  {
    value: "connect:write",
    label: "Manage connections",
    description: "Set users' API keys, create connect links, and disconnect users",
  },
  {
    value: "connect:exchange-auth",
    label: "Exchange tokens",
    description: "Exchange tokens of trusted issuers for gateway tokens",
  },
  {
    value: "discovery:ingest",
    label: "Report discovered AI tools",
    description: "For the scan agent on devices: send reports and read the policy of a device, nothing else",
  },
  {
    value: "logs:payloads",
    label: "Read call payloads",
    description: "Read the stored arguments and results of calls",
  },
  { value: "all", label: "All", description: "Full access, including future permissions" },
];

/** All tokens. Organizations have few. */
export async function fetchApiTokens(api: Api, signal: AbortSignal): Promise<ApiToken[]> {
  const tokens: ApiToken[] = [];
  for (;;) {
    const { data, pagination } = await api.listApiTokens({ query: { skip: tokens.length, limit: 200 }, signal });
    tokens.push(...data);
    if (!pagination.hasMore) return tokens;
  }
}

export function isExpired({ expires_at: end }: ApiToken, now: number): boolean {
  return end !== null && Date.parse(end) <= now;
}
