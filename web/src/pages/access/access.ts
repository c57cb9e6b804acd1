import type { Api, Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type AccessibleTool = Schemas["AccessibleTool"];
export type Explanation = Schemas["AccessExplanation"];
export type Caller = Schemas["AccessCaller"];
export type CallersSummary = Schemas["CallersSummary"];
export type Verdict = Explanation["verdict"];

/** A tool by its gateway name, or a server by its slug. */
export type CallTarget =
  | { readonly tool: string; readonly server?: undefined }
  | { readonly server: string; readonly tool?: undefined };

export const accessKey = ["access"] as const;

export const VERDICT_PILLS: Readonly<Record<Verdict, { readonly tone: Tone; readonly label: string }>> = {
  allowed: { tone: "good", label: "Allowed" },
  not_connected: { tone: "warn", label: "Not connected" },
  refused: { tone: "bad", label: "No access" },
};

const PER_REQUEST = 200;
/** Enough to read. Tools beyond this limit are found by their full name. */
const MOST_TOOLS = 2_000;

export async function fetchAccess(api: Api, email: string, signal: AbortSignal) {
  const fetchPage = (cursor: number) => api.listAccess({ query: { email, cursor, limit: PER_REQUEST }, signal });
  const { data, summary, pagination } = await fetchPage(0);
  const tools = [...data];
  for (let next = pagination.nextCursor; next !== null && tools.length < MOST_TOOLS; ) {
    const page = await fetchPage(next);
    tools.push(...page.data);
    next = page.pagination.nextCursor;
  }
  return { tools, summary };
}

/** The gateway names of the enabled tools, for the first 200 servers. */
export async function fetchToolNames(api: Api, signal: AbortSignal): Promise<readonly string[]> {
  const query = { fields: "slug,tools(slug)", limit: PER_REQUEST };
  const { data } = await api.listMcpServers({ query, signal });
  return data.flatMap(({ slug, tools }) => (tools ?? []).map((tool) => gatewayName(slug ?? "", tool.slug ?? "")));
}

export interface AccessibleServer {
  readonly slug: string;
  readonly draft: boolean;
  readonly why: string;
  readonly tools: readonly AccessibleTool[];
}

/** The matching tools by server. Access is per server, so all tools of a server have the same reason. */
export function byServer(tools: readonly AccessibleTool[], q: string | undefined): readonly AccessibleServer[] {
  const wanted = q?.toLowerCase() ?? "";
  const found = tools.filter(({ tool }) => tool.toLowerCase().includes(wanted));
  return [...Map.groupBy(found, ({ server }) => server)].map(([slug, listed]) => ({
    slug,
    draft: listed.some(({ draft }) => draft),
    why: listed[0]?.why ?? "",
    tools: listed,
  }));
}

export function gatewayName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

/** A gateway name without its server. */
export function shortName(tool: string): string {
  return tool.slice(tool.indexOf("__") + "__".length);
}
