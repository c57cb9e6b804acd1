import { Button, Group as Row, Select, Stack } from "@mantine/core";
import { IconBook2, IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { type Skill, STATUSES, skillsKey } from "../skills/skills.ts";
import type { Group } from "./groups.ts";

const MOST_SKILLS = 200;

export function GroupSkills({ group }: { group: Group }) {
  const api = useApi();
  const { changes } = useRights();
  const { remove } = useLinks(group);
  const list = usePages([...skillsKey, "of-group", group.name], async (cursor, signal) => {
    const page = await api.listSkills({ query: { cursor, limit: 100 }, headers: inGroup(group), signal });
    // Without `fields`, the API returns every field.
    return { ...page, data: page.data as Skill[] };
  });
  return (
    <Stack gap="md">
      {changes && <AddSkill group={group} />}
      <DataTable
        label="Skills"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/skills/$slug", params: { slug } })}
        {...(changes
          ? {
              rowMenu: ({ slug, name }: Skill) => (
                <RowAction
                  icon={IconX}
                  label={`Remove ${name} from ${group.name}`}
                  isWorking={remove.isPending && remove.variables === slug}
                  onClick={() => remove.mutate(slug)}
                />
              ),
            }
          : {})}
        empty={
          <EmptyState icon={IconBook2} title="No skills yet">
            Members get the skills of the group in their MCP clients.
          </EmptyState>
        }
      />
    </Stack>
  );
}

function inGroup({ name }: Group) {
  return { "x-service-group": name };
}

function useLinks({ name }: Group) {
  const api = useApi();
  const queries = useQueryClient();
  const onSuccess = async () => {
    notifyDone("Saved");
    await queries.invalidateQueries({ queryKey: skillsKey });
  };
  const add = useMutation({
    mutationFn: (slug: string) => api.addSkillsToGroup({ path: { name }, body: { slugs: [slug] } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (slug: string) => api.removeSkillFromGroup({ path: { name }, query: { slug } }),
    onSuccess,
  });
  return { add, remove };
}

function AddSkill({ group }: { group: Group }) {
  const api = useApi();
  const { add } = useLinks(group);
  const [picked, setPicked] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: [...skillsKey, "of-organization", "with-groups"],
    queryFn: ({ signal }) => api.listSkills({ query: { fields: "slug,name,groups", limit: MOST_SKILLS }, signal }),
  });
  const others = (data?.data ?? []).filter(({ groups = [] }) => !groups.includes(group.name));
  return (
    <>
      <Row gap="xs" align="flex-end">
        <Select
          aria-label="Skill to add"
          placeholder="Add a skill"
          data={others.map(asOption)}
          value={picked}
          onChange={setPicked}
          searchable
          nothingFoundMessage="No other skills"
        />
        <Button
          variant="default"
          disabled={picked === null}
          loading={add.isPending}
          onClick={() => picked !== null && add.mutate(picked, { onSuccess: () => setPicked(null) })}
        >
          Add
        </Button>
      </Row>
      <ErrorNote error={add.error} />
    </>
  );
}

function asOption({ slug = "", name = "" }: Schemas["SkillSelection"]) {
  return { value: slug, label: name };
}

const COLUMNS: ReadonlyArray<Column<Skill>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, description }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">{description}</span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ status }) => <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill>,
  },
  { key: "version", header: "Version", width: "6rem", align: "right", render: ({ version }) => version },
];
