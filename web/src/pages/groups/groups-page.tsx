import { Button } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ScimPill } from "../users/scim-managed.tsx";
import { CreateGroupDialog } from "./create-group-dialog.tsx";
import { GroupMenu } from "./group-menu.tsx";
import { fetchGroups, type Group, groupsKey } from "./groups.ts";
import { GROUP_SETTINGS } from "./setting-labels.ts";

const route = getRouteApi("/groups");

export function GroupsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, add } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...groupsKey, "list", q], (skip, signal) => fetchGroups(api, q, skip, signal));
  const openAdd = (what: "group" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  return (
    <>
      <PageHeader
        title="Groups"
        description="Groups give users and machine users access to MCP servers. Users without a group have no access."
        actions={changes && <CreateButton onClick={() => openAdd("group")} />}
      />
      <FilterBar>
        <SearchField
          label="Search groups"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Groups"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ name }) => ({ to: "/groups/$name", params: { name } })}
        {...(changes ? { rowMenu: (group: Group) => <GroupMenu group={group} /> } : {})}
        empty={
          <EmptyState
            icon={IconUsersGroup}
            title={q === undefined ? "No groups yet" : "No matching groups"}
            actions={
              q === undefined ? (
                changes && <CreateButton onClick={() => openAdd("group")} />
              ) : (
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear search
                </Button>
              )
            }
          >
            {q === undefined
              ? "Create a group for each team, then add its servers and members."
              : "The search covers group names."}
          </EmptyState>
        }
      />
      <CreateGroupDialog opened={add === "group"} onClose={() => openAdd(undefined)} />
    </>
  );
}

function CreateButton({ onClick }: { onClick: () => void }) {
  return (
    <Button leftSection={<IconPlus size={16} />} onClick={onClick}>
      Create group
    </Button>
  );
}

const COLUMNS: ReadonlyArray<Column<Group>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, provisioned_by: provisioner }) => (
      <>
        <span className="gh-truncate">{name}</span>
        {provisioner === "scim" && <ScimPill />}
      </>
    ),
  },
  {
    key: "members",
    header: "Members",
    width: "6rem",
    narrowWidth: "4.75rem",
    align: "right",
    render: ({ users_count: count }) => count.toLocaleString("en"),
  },
  {
    key: "servers",
    header: "Servers",
    width: "6rem",
    narrowWidth: "4.75rem",
    align: "right",
    render: ({ integrations_count: count }) => count.toLocaleString("en"),
  },
  {
    key: "settings",
    header: "Settings",
    width: "30%",
    hideBelow: "sm",
    render: ({ settings }) => {
      const on = GROUP_SETTINGS.filter(({ key }) => settings[key]).map(({ short }) => short);
      return <span className="gh-dim">{on.length === 0 ? "–" : on.join(" · ")}</span>;
    },
  },
  {
    key: "created",
    header: "Created",
    width: "8rem",
    hideBelow: "md",
    render: ({ created_at: time }) => <TimeAgo time={time} />,
  },
];
