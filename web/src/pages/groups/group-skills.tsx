import { IconBook2 } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import type { Column } from "../../components/data-table.tsx";
import { nameColumn, statusColumn } from "../records/publication.tsx";
import { type Skill, skillsKey } from "../skills/skills.ts";
import { GroupItems } from "./group-items.tsx";
import type { Group } from "./groups.ts";

const FIELDS = "slug,name,groups";

export function GroupSkills({ group }: { group: Group }) {
  const api = useApi();
  const path = { name: group.name };
  return (
    <GroupItems<Skill>
      group={group}
      kind="skill"
      icon={IconBook2}
      queryKey={skillsKey}
      columns={COLUMNS}
      rowLink={({ slug }) => ({ to: "/skills/$slug", params: { slug } })}
      empty="Members get the skills of the group in their MCP clients."
      list={async (cursor, headers, signal) => {
        const page = await api.listSkills({ query: { cursor, limit: 100 }, headers, signal });
        // Without `fields`, the API returns every field.
        return { ...page, data: page.data as Skill[] };
      }}
      all={async (limit, signal) => (await api.listSkills({ query: { fields: FIELDS, limit }, signal })).data}
      add={(slug) => api.addSkillsToGroup({ path, body: { slugs: [slug] } })}
      remove={(slug) => api.removeSkillFromGroup({ path, query: { slug } })}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<Skill>> = [
  nameColumn<Skill>(({ description }) => description),
  statusColumn,
  {
    key: "version",
    header: "Version",
    width: "6rem",
    align: "right",
    hideBelow: "sm",
    render: ({ version }) => version,
  },
];
