import { Button, Group as Row, Select, Stack } from "@mantine/core";
import { IconTools, IconX } from "@tabler/icons-react";
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
import { STATUSES, type Toolkit, toolkitsKey } from "../toolkits/toolkits.ts";
import type { Group } from "./groups.ts";

const MOST_TOOLKITS = 200;

export function GroupToolkits({ group }: { group: Group }) {
  const api = useApi();
  const { changes } = useRights();
  const { remove } = useLinks(group);
  const list = usePages([...toolkitsKey, "of-group", group.name], async (cursor, signal) => {
    const page = await api.listToolkits({ query: { cursor, limit: 100 }, headers: inGroup(group), signal });
    // Without `fields`, the API returns every field.
    return { ...page, data: page.data as Toolkit[] };
  });
  return (
    <Stack gap="md">
      {changes && <AddToolkit group={group} />}
      <DataTable
        label="Toolkits"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/toolkits/$slug", params: { slug } })}
        {...(changes
          ? {
              rowMenu: ({ slug, name }: Toolkit) => (
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
          <EmptyState icon={IconTools} title="No toolkits yet">
            A toolkit gives members only the tools of one task, or restricts the servers of this group.
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
    await queries.invalidateQueries({ queryKey: toolkitsKey });
  };
  const add = useMutation({
    mutationFn: (slug: string) => api.addToolkitsToGroup({ path: { name }, body: { slugs: [slug] } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (slug: string) => api.removeToolkitFromGroup({ path: { name }, query: { slug } }),
    onSuccess,
  });
  return { add, remove };
}

function AddToolkit({ group }: { group: Group }) {
  const api = useApi();
  const { add } = useLinks(group);
  const [picked, setPicked] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: [...toolkitsKey, "of-organization", "with-groups"],
    queryFn: ({ signal }) =>
      api.listToolkits({ query: { owner: "none", fields: "slug,name,groups", limit: MOST_TOOLKITS }, signal }),
  });
  const others = (data?.data ?? []).filter(({ groups = [] }) => !groups.includes(group.name));
  return (
    <>
      <Row gap="xs" align="flex-end">
        <Select
          aria-label="Toolkit to add"
          placeholder="Add a toolkit"
          data={others.map(asOption)}
          value={picked}
          onChange={setPicked}
          searchable
          nothingFoundMessage="No other toolkits"
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

function asOption({ slug = "", name = "" }: Schemas["ToolkitSelection"]) {
  return { value: slug, label: name };
}

const COLUMNS: ReadonlyArray<Column<Toolkit>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, slug }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <code className="gh-truncate">{slug}</code>
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
  { key: "tools", header: "Tools", width: "6rem", align: "right", render: ({ tools_count: count }) => count },
  {
    key: "applies",
    header: "Applies",
    width: "10rem",
    hideBelow: "md",
    render: ({ least_privilege: isDefault }) => (
      <span className="gh-dim">{isDefault ? "By default" : "When selected"}</span>
    ),
  },
];
