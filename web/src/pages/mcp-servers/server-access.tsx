import { Box, Button, Select } from "@mantine/core";
import { IconUsersGroup, IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useRights } from "../../api/context.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { TextLink } from "../../components/links.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { GrantedTools } from "../groups/granted-tools.tsx";
import { type Grant, useGrants } from "../groups/grants.ts";
import { type Group, useAllGroups } from "../groups/groups.ts";
import { useMembership } from "../groups/membership.ts";
import { SelectToolsDialog } from "../groups/select-tools-dialog.tsx";
import type { Detail } from "./servers.ts";

export function ServerAccess({ server }: { server: Detail }) {
  const { changes } = useRights();
  const groups = useAllGroups();
  const { removeServer } = useMembership();
  const { slug, name } = server;
  const grants = useGrants({ server: slug });
  const grantOf = (name: string) => grants?.find(({ group }) => group === name);
  const [selecting, setSelecting] = useState<string>();
  const withServer = (groups ?? []).filter((group) => server.groups.includes(group.name));
  const list = { ...allRows(withServer), isPending: groups === undefined };
  const remove = ({ name: group }: Group) => (
    <RowAction
      icon={IconX}
      label={`Remove ${name} from ${group}`}
      isWorking={removeServer.isPending && removeServer.variables.group === group}
      onClick={() => removeServer.mutate({ group, slug, name })}
    />
  );
  return (
    <>
      {changes && <AddGroup server={server} groups={groups ?? []} />}
      <DataTable
        label="Groups with access"
        list={list}
        columns={columnsFor(server, grantOf, ({ group }) => setSelecting(group))}
        rowKey={({ id }) => id}
        rowLink={({ name: group }) => ({ to: "/groups/$name", params: { name: group } })}
        {...(changes ? { rowMenu: remove } : {})}
        empty={
          <EmptyState icon={IconUsersGroup} title="Not in any group">
            Add the server to a group above. All members of the group, including machine users, can then use its enabled
            tools, or those that you select.
          </EmptyState>
        }
      />
      <SelectToolsDialog
        grant={selecting === undefined ? undefined : grantOf(selecting)}
        onClose={() => setSelecting(undefined)}
      />
      <TextLink to="/access" search={{ tab: "tool", server: slug }} size="sm" mt="md" display="inline-block">
        Who can call its tools
      </TextLink>
    </>
  );
}

function AddGroup({ server, groups }: { server: Detail; groups: readonly Group[] }) {
  const { addServers } = useMembership();
  const [chosen, setChosen] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: (group: string) => addServers(group, [server.slug]),
    onSuccess: () => setChosen(null),
    onError: notifyFailure,
  });
  const others = groups.filter(({ name }) => !server.groups.includes(name)).map(({ name }) => name);
  return (
    <FilterBar>
      <Select
        aria-label="Group"
        placeholder="Choose a group"
        data={others}
        value={chosen}
        onChange={setChosen}
        searchable
        nothingFoundMessage="No matching group"
      />
      <Button disabled={chosen === null} loading={add.isPending} onClick={() => chosen !== null && add.mutate(chosen)}>
        Add to group
      </Button>
    </FilterBar>
  );
}

function columnsFor(
  { status }: Detail,
  grantOf: (group: string) => Grant | undefined,
  onSelect: (grant: Grant) => void,
): ReadonlyArray<Column<Group>> {
  const accessOf = ({ settings }: Group) =>
    status === "active" || settings.show_draft_mcps
      ? ({ label: "Allowed", tone: "good" } as const)
      : ({ label: "Hidden while draft", tone: "quiet" } as const);
  return [
    {
      key: "name",
      header: "Group",
      render: (group) => (
        <span className="gh-two-lines">
          <span className="gh-truncate">{group.name}</span>
          <Box component="span" className="gh-truncate" hiddenFrom="sm">
            {accessOf(group).label}
          </Box>
        </span>
      ),
    },
    {
      key: "reach",
      header: "Access",
      width: "12rem",
      hideBelow: "sm",
      render: (group) => {
        const { label, tone } = accessOf(group);
        return <StatusPill tone={tone}>{label}</StatusPill>;
      },
    },
    {
      key: "tools",
      header: "Tools",
      width: "10rem",
      narrowWidth: "7rem",
      render: ({ name }) => <GrantedTools grant={grantOf(name)} onSelect={onSelect} />,
    },
    {
      key: "users",
      header: "Members",
      width: "7rem",
      align: "right",
      hideBelow: "sm",
      render: ({ users_count: count }) => count,
    },
  ];
}
