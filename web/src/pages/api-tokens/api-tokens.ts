import type { Api, Schemas } from "../../api/client.ts";

export type ApiToken = Schemas["ApiToken"];
export type Scope = Schemas["CreateApiToken"]["scopes"][number];

export const apiTokensKey = ["api-tokens"] as const;

/** What each scope allows. Two more are reserved: no operation asks for them yet. */
export const SCOPES: ReadonlyArray<{ readonly value: Scope; readonly label: string; readonly words: string }> = [
  { value: "admin:read", label: "Read everything", words: "Servers, groups, users, logs and settings" },
  { value: "admin:write", label: "Change everything", words: "What can be read, and changing it" },
  { value: "connect:read", label: "See users' connections", words: "Who is connected to which server" },
  { value: "connect:write", label: "Make users' connections", words: "Keys, links to connect, disconnecting" },
  {
    value: "connect:exchange-auth",
    label: "Exchange identities",
    words: "A credential for the gateway in a user's name",
  },
  { value: "logs:payloads", label: "Read what calls carried", words: "Arguments and results, where they are kept" },
  { value: "all", label: "All of it", words: "Everything there is, and what is added later" },
];

/** Few enough to be read as a whole. */
export async function fetchApiTokens(api: Api, signal: AbortSignal): Promise<ApiToken[]> {
  const tokens: ApiToken[] = [];
  for (;;) {
    const { data, pagination } = await api.listApiTokens({ query: { skip: tokens.length, limit: 200 }, signal });
    tokens.push(...data);
    if (!pagination.hasMore) return tokens;
  }
}

export function isOver({ expires_at: end }: ApiToken, now: number): boolean {
  return end !== null && Date.parse(end) <= now;
}
