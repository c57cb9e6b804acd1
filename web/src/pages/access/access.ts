import type { Api, Schemas } from "../../api/client.ts";

export type AccessibleTool = Schemas["AccessibleTool"];
export type Explanation = Schemas["AccessExplanation"];

export const accessKey = ["access"] as const;

const PER_REQUEST = 200;
/** Nobody reads more of them; what is beyond is found by its whole name. */
const MOST_TOOLS = 2_000;

export async function fetchAccess(api: Api, email: string, signal: AbortSignal) {
  const ask = (cursor: number) => api.listAccess({ query: { email, cursor, limit: PER_REQUEST }, signal });
  const { data, summary, pagination } = await ask(0);
  const tools = [...data];
  for (let next = pagination.nextCursor; next !== null && tools.length < MOST_TOOLS; ) {
    const page = await ask(next);
    tools.push(...page.data);
    next = page.pagination.nextCursor;
  }
  return { tools, summary };
}

/** The enabled tools of the first servers there are, by their names at the gateway. */
export async function fetchToolNames(api: Api, signal: AbortSignal): Promise<readonly string[]> {
  const query = { fields: "slug,tools(slug)", limit: PER_REQUEST };
  const { data } = await api.listMcpServers({ query, signal });
  return data.flatMap(({ slug, tools }) => (tools ?? []).map((tool) => `${slug}__${tool.slug}`));
}

export interface ReachedServer {
  readonly slug: string;
  readonly draft: boolean;
  readonly why: string;
  readonly tools: readonly AccessibleTool[];
}

/** The tools that hold the text, server by server: the groups that give one of its tools give all. */
export function byServer(tools: readonly AccessibleTool[], q: string | undefined): readonly ReachedServer[] {
  const wanted = q?.toLowerCase() ?? "";
  const found = tools.filter(({ tool }) => tool.toLowerCase().includes(wanted));
  return [...Map.groupBy(found, ({ server }) => server)].map(([slug, listed]) => ({
    slug,
    draft: listed.some(({ draft }) => draft),
    why: listed[0]?.why ?? "",
    tools: listed,
  }));
}

/** A tool's name without its server's, which stands above it. */
export function shortName(tool: string): string {
  return tool.slice(tool.indexOf("__") + "__".length);
}
