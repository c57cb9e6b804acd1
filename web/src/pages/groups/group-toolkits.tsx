import { IconTools } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import type { Column } from "../../components/data-table.tsx";
import { nameColumn, statusColumn } from "../records/publication.tsx";
import { appliesColumn } from "../toolkits/applies-column.tsx";
import { type Toolkit, toolkitsKey } from "../toolkits/toolkits.ts";
import { GroupItems } from "./group-items.tsx";
import type { Group } from "./groups.ts";

const FIELDS = "slug,name,groups";

export function GroupToolkits({ group }: { group: Group }) {
  const api = useApi();
  const path = { name: group.name };
  return (
    <GroupItems<Toolkit>
      group={group}
      kind="toolkit"
      icon={IconTools}
      queryKey={toolkitsKey}
      columns={COLUMNS}
      rowLink={({ slug }) => ({ to: "/toolkits/$slug", params: { slug } })}
      empty="A toolkit gives members only the tools of one task, or restricts the servers of this group."
      list={async (cursor, headers, signal) => {
        const page = await api.listToolkits({ query: { cursor, limit: 100 }, headers, signal });
        // Without `fields`, the API returns every field.
        return { ...page, data: page.data as Toolkit[] };
      }}
      all={async (limit, signal) =>
        (await api.listToolkits({ query: { owner: "none", fields: FIELDS, limit }, signal })).data
      }
      add={(slug) => api.addToolkitsToGroup({ path, body: { slugs: [slug] } })}
      remove={(slug) => api.removeToolkitFromGroup({ path, query: { slug } })}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<Toolkit>> = [
  nameColumn<Toolkit>(({ slug }) => slug),
  statusColumn,
  { key: "tools", header: "Tools", width: "6rem", align: "right", render: ({ tools_count: count }) => count },
  appliesColumn,
];
