import { Button, Group as Row, Select, Stack } from "@mantine/core";
import { IconSlash, IconX } from "@tabler/icons-react";
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
import { type Command, commandsKey, STATUSES } from "../commands/commands.ts";
import type { Group } from "./groups.ts";

const MOST_COMMANDS = 200;

export function GroupCommands({ group }: { group: Group }) {
  const api = useApi();
  const { changes } = useRights();
  const { remove } = useLinks(group);
  const list = usePages([...commandsKey, "of-group", group.name], async (cursor, signal) => {
    const page = await api.listCommands({ query: { cursor, limit: 100 }, headers: inGroup(group), signal });
    // Without `fields`, the API returns every field.
    return { ...page, data: page.data as Command[] };
  });
  return (
    <Stack gap="md">
      {changes && <AddCommand group={group} />}
      <DataTable
        label="Commands"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/commands/$slug", params: { slug } })}
        {...(changes
          ? {
              rowMenu: ({ slug, name }: Command) => (
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
          <EmptyState icon={IconSlash} title="No commands yet">
            Members get the commands of the group in their MCP clients.
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
    await queries.invalidateQueries({ queryKey: commandsKey });
  };
  const add = useMutation({
    mutationFn: (slug: string) => api.addCommandsToGroup({ path: { name }, body: { slugs: [slug] } }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (slug: string) => api.removeCommandFromGroup({ path: { name }, query: { slug } }),
    onSuccess,
  });
  return { add, remove };
}

function AddCommand({ group }: { group: Group }) {
  const api = useApi();
  const { add } = useLinks(group);
  const [picked, setPicked] = useState<string | null>(null);
  const { data } = useQuery({
    queryKey: [...commandsKey, "of-organization", "with-groups"],
    queryFn: ({ signal }) => api.listCommands({ query: { fields: "slug,name,groups", limit: MOST_COMMANDS }, signal }),
  });
  const others = (data?.data ?? []).filter(({ groups = [] }) => !groups.includes(group.name));
  return (
    <>
      <Row gap="xs" align="flex-end">
        <Select
          aria-label="Command to add"
          placeholder="Add a command"
          data={others.map(asOption)}
          value={picked}
          onChange={setPicked}
          searchable
          nothingFoundMessage="No other commands"
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

function asOption({ slug = "", name = "" }: Schemas["CommandSelection"]) {
  return { value: slug, label: name };
}

const COLUMNS: ReadonlyArray<Column<Command>> = [
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
  {
    key: "arguments",
    header: "Arguments",
    width: "30%",
    hideBelow: "sm",
    render: ({ argument_hint: hint }) => <span className="gh-truncate">{hint || "None"}</span>,
  },
];
