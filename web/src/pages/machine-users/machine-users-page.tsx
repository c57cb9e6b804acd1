import { Button } from "@mantine/core";
import { IconPlus, IconRobot } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { CopyText } from "../../components/copy-text.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { GroupChoice } from "../groups/group-choice.tsx";
import { type Group, namesOf, useAllGroups } from "../groups/groups.ts";
import { DisabledPill, Names, UserName } from "../users/user-cells.tsx";
import { fetchUsers, type User, userPageLink, usersKey } from "../users/users.ts";
import { CreateMachineUserDialog } from "./create-machine-user-dialog.tsx";
import { MachineSecret } from "./machine-secret.tsx";
import { MachineUserMenu } from "./machine-user-menu.tsx";
import { type IssuedKey, NewAccessKey } from "./new-access-key.tsx";

const route = getRouteApi("/machine-users");

export function MachineUsersPage() {
  const api = useApi();
  const { changes } = useRights();
  const { add, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useAllGroups();
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const requested = { ...filters, type: "machine" } as const;
  const list = usePages([...usersKey, "list", requested], (skip, signal) => fetchUsers(api, requested, skip, signal));
  const choose = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const openAdd = (what: "machine-user" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("machine-user")}>
      Create machine user
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Machine users"
        description="Agents, scripts, and jobs that call tools with an access key. Groups determine which tools they can call."
        actions={changes && create}
      />
      <FilterBar>
        <SearchField label="Search machine users" value={filters.q} onChange={(q) => choose({ q })} />
        <GroupChoice groups={groups} value={filters.group} onChange={(group) => choose({ group })} />
      </FilterBar>
      <DataTable
        label="Machine users"
        list={list}
        columns={columnsWith(groups, changes)}
        rowKey={({ id }) => id}
        rowLink={userPageLink}
        {...(changes ? { rowMenu: (user: User) => <MachineUserMenu user={user} onIssued={setIssued} /> } : {})}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconRobot}
              title="No matching machine users"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear filters
                </Button>
              }
            >
              The search covers names and emails.
            </EmptyState>
          ) : (
            <EmptyState icon={IconRobot} title="No machine users yet" actions={changes && create}>
              Create a machine user for each agent, script, or job that calls tools. Each one has its own access key,
              groups, and log entries.
            </EmptyState>
          )
        }
      />
      <CreateMachineUserDialog
        opened={add === "machine-user"}
        onClose={() => openAdd(undefined)}
        onIssued={(key) => {
          setIssued(key);
          openAdd(undefined);
        }}
      />
      <NewAccessKey issued={issued} onClose={() => setIssued(null)} />
    </>
  );
}

function columnsWith(groups: readonly Group[] | undefined, changes: boolean): ReadonlyArray<Column<User>> {
  const secret: Column<User> = {
    key: "secret",
    header: "Secret",
    width: "8.5rem",
    hideBelow: "md",
    // Machine users of agents have no access key.
    render: (user) =>
      user.access_key === undefined ? <span className="gh-dim">–</span> : <MachineSecret user={user} />,
  };
  return [
    { key: "name", header: "Name", render: (user) => <UserName user={user} /> },
    {
      key: "key",
      header: "Access key",
      width: "9rem",
      hideBelow: "sm",
      render: ({ access_key: key }) =>
        key === undefined ? <span className="gh-dim">–</span> : <CopyText value={key} label="Copy access key" />,
    },
    ...(changes ? [secret] : []),
    {
      key: "groups",
      header: "Groups",
      width: "14%",
      hideBelow: "md",
      render: ({ group_ids: ids }) => <Names names={namesOf(groups, ids)} none="None" />,
    },
    {
      key: "owners",
      header: "Owners",
      width: "12%",
      hideBelow: "lg",
      render: ({ owners = [] }) => <Names names={owners.map(({ name }) => name)} none="None" />,
    },
    {
      key: "used",
      header: "Last used",
      width: "6.5rem",
      render: ({ last_used_at: time = null, disabled }) =>
        disabled ? <DisabledPill /> : <TimeAgo time={time} never="Never used" />,
    },
    {
      key: "created",
      header: "Created",
      width: "6.5rem",
      hideBelow: "lg",
      render: ({ created_at: time }) => <TimeAgo time={time} />,
    },
  ];
}
