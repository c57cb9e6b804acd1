import type { Api } from "../api/client.ts";

export interface Hit {
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly href: string;
  readonly logoUrl?: string | undefined;
}

const MOST = 5;

/** What is called that, noun by noun. */
export async function findNouns(api: Api, search: string, signal: AbortSignal) {
  const query = { search, limit: MOST };
  const [servers, groups, users] = await Promise.all([
    api.listMcpServers({ query: { ...query, fields: "slug,name,logo_url" }, signal }),
    api.listGroups({ query, signal }),
    api.listUsers({ query, signal }),
  ]);
  return [
    {
      title: "MCP servers",
      hits: servers.data.map(({ slug = "", name = "", logo_url: logoUrl }): Hit => {
        return { key: `server ${slug}`, label: name, description: slug, href: `/mcp-servers/${slug}`, logoUrl };
      }),
    },
    {
      title: "Groups",
      hits: groups.data.map(
        ({ id, name }): Hit => ({ key: id, label: name, href: `/groups/${encodeURIComponent(name)}` }),
      ),
    },
    {
      title: "Users",
      hits: users.data.map(({ id, name, email, slug }): Hit => {
        const href = slug === undefined ? `/users/${encodeURIComponent(email)}` : `/machine-users/${slug}`;
        return { key: id, label: name, description: email, href };
      }),
    },
  ];
}
