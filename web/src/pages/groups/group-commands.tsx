import { IconSlash } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import type { Column } from "../../components/data-table.tsx";
import { type Command, commandsKey } from "../commands/commands.ts";
import { nameColumn, statusColumn } from "../records/publication.tsx";
import { GroupItems } from "./group-items.tsx";
import type { Group } from "./groups.ts";

const FIELDS = "slug,name,groups";

export function GroupCommands({ group }: { group: Group }) {
  const api = useApi();
  const path = { name: group.name };
  return (
    <GroupItems<Command>
      group={group}
      kind="command"
      icon={IconSlash}
      queryKey={commandsKey}
      columns={COLUMNS}
      rowLink={({ slug }) => ({ to: "/commands/$slug", params: { slug } })}
      empty="Members get the commands of the group in their MCP clients."
      list={async (cursor, headers, signal) => {
        const page = await api.listCommands({ query: { cursor, limit: 100 }, headers, signal });
        // Without `fields`, the API returns every field.
        return { ...page, data: page.data as Command[] };
      }}
      all={async (limit, signal) => (await api.listCommands({ query: { fields: FIELDS, limit }, signal })).data}
      add={(slug) => api.addCommandsToGroup({ path, body: { slugs: [slug] } })}
      remove={(slug) => api.removeCommandFromGroup({ path, query: { slug } })}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<Command>> = [
  nameColumn<Command>(({ description }) => description),
  statusColumn,
  {
    key: "arguments",
    header: "Arguments",
    width: "30%",
    hideBelow: "sm",
    render: ({ argument_hint: hint }) => <span className="gh-truncate">{hint || "None"}</span>,
  },
];
