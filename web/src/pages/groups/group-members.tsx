import { Button } from "@mantine/core";
import { IconUserPlus, IconX } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { Note } from "../../components/note.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { DisabledPill, UserName } from "../users/user-cells.tsx";
import { fetchUsers, type User, userPageLink, usersKey } from "../users/users.ts";
import { addMembersLabel, type Group } from "./groups.ts";
import { useMembership } from "./membership.ts";

const route = getRouteApi("/groups/$name");

export function GroupMembers({ group, onAdd }: { group: Group; onAdd: () => void }) {
  const api = useApi();
  const { changes } = useRights();
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const { removeUser } = useMembership();
  const filters = { q, group: group.name };
  const list = usePages([...usersKey, "list", filters], (skip, signal) => fetchUsers(api, filters, skip, signal));
  const isManaged = group.provisioned_by === "scim";
  const remove = (user: User) =>
    isManaged && !user.is_machine_user ? null : (
      <RowAction
        icon={IconX}
        label={`Remove ${user.name} from ${group.name}`}
        isWorking={removeUser.isPending && removeUser.variables.email === user.email}
        onClick={() => removeUser.mutate({ group: group.name, email: user.email, name: user.name })}
      />
    );
  return (
    <>
      {isManaged && <Note>Your identity provider manages the people in this group. You can add machine users.</Note>}
      <FilterBar>
        <SearchField
          label="Search members"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Members"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={userPageLink}
        {...(changes ? { rowMenu: remove } : {})}
        empty={
          q === undefined ? (
            <EmptyState
              icon={IconUserPlus}
              title="No members yet"
              actions={changes && <Button onClick={onAdd}>{addMembersLabel(group)}</Button>}
            >
              Members can call the tools of this group's servers.
            </EmptyState>
          ) : (
            <EmptyState icon={IconUserPlus} title="No matching members">
              The search covers names and emails.
            </EmptyState>
          )
        }
      />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<User>> = [
  { key: "name", header: "Name", render: (user) => <UserName user={user} /> },
  {
    key: "type",
    header: "Type",
    width: "9rem",
    hideBelow: "sm",
    render: ({ is_machine_user: isMachine }) => (isMachine ? "Machine user" : "User"),
  },
  {
    key: "used",
    header: "Last call",
    width: "8rem",
    narrowWidth: "6.5rem",
    render: ({ last_used_at: time = null, disabled }) =>
      disabled ? <DisabledPill /> : <TimeAgo time={time} never="No calls" />,
  },
];
