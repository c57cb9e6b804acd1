import { IconPuzzle } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import type { Column } from "../../components/data-table.tsx";
import { type Plugin, pluginsKey } from "../plugins/plugins.ts";
import { nameColumn, statusColumn } from "../records/publication.tsx";
import { GroupItems } from "./group-items.tsx";
import type { Group } from "./groups.ts";

const FIELDS = "slug,name,groups";

export function GroupPlugins({ group }: { group: Group }) {
  const api = useApi();
  const path = { name: group.name };
  return (
    <GroupItems<Plugin>
      group={group}
      kind="plugin"
      icon={IconPuzzle}
      queryKey={pluginsKey}
      columns={COLUMNS}
      rowLink={({ slug }) => ({ to: "/plugins/$slug", params: { slug } })}
      empty="Members install the plugins of the group from the marketplace."
      list={async (cursor, headers, signal) => {
        const page = await api.listPlugins({ query: { cursor, limit: 100 }, headers, signal });
        // Without `fields`, the API returns every field.
        return { ...page, data: page.data as Plugin[] };
      }}
      all={async (limit, signal) => (await api.listPlugins({ query: { fields: FIELDS, limit }, signal })).data}
      add={(slug) => api.addPluginsToGroup({ path, body: { slugs: [slug] } })}
      remove={(slug) => api.removePluginFromGroup({ path, query: { slug } })}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<Plugin>> = [
  nameColumn<Plugin>(({ description, slug }) => description || slug),
  statusColumn,
  {
    key: "version",
    header: "Version",
    width: "20%",
    hideBelow: "sm",
    render: ({ latest_version: version }) => <span className="gh-dim">{version ?? "Not published"}</span>,
  },
];
