import { Button } from "@mantine/core";
import { IconPlus, IconUsers } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { GroupChoice } from "../groups/group-choice.tsx";
import { type Group, namesOf, useAllGroups } from "../groups/groups.ts";
import { AddPersonDialog } from "./add-person-dialog.tsx";
import { type Invited, InviteLink } from "./invite-link.tsx";
import { RiskScore } from "./risk-score.tsx";
import { ROLE_LABELS, ROLES } from "./roles.ts";
import { Names, UserName, UserState } from "./user-cells.tsx";
import { UserMenu } from "./user-menu.tsx";
import { fetchUsers, type User, userPageLink, usersKey } from "./users.ts";

const route = getRouteApi("/users");
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: ROLE_LABELS[value].label }));

export function UsersPage() {
  const api = useApi();
  const { changes } = useRights();
  const { add, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const groups = useAllGroups();
  const [invited, setInvited] = useState<Invited | null>(null);
  const requested = { ...filters, type: "person" } as const;
  const list = usePages([...usersKey, "list", requested], (skip, signal) => fetchUsers(api, requested, skip, signal));
  const hasScores = list.rows.some((user) => user.risk_score !== null);
  const choose = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const openAdd = (what: "person" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  return (
    <>
      <PageHeader
        title="Users"
        description="People who sign in or connect an MCP client. Groups determine which tools they can call, roles what they can manage."
        actions={
          changes && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("person")}>
              Add user
            </Button>
          )
        }
      />
      <FilterBar>
        <SearchField label="Search users" value={filters.q} onChange={(q) => choose({ q })} />
        <Choice
          label="Role"
          any="Any role"
          value={filters.role}
          options={ROLE_OPTIONS}
          onChange={(role) => choose({ role })}
        />
        <GroupChoice groups={groups} value={filters.group} onChange={(group) => choose({ group })} />
      </FilterBar>
      <DataTable
        label="Users"
        list={list}
        columns={columnsWith(groups, hasScores)}
        rowKey={({ id }) => id}
        rowLink={userPageLink}
        {...(changes ? { rowMenu: (user: User) => <UserMenu user={user} onInvited={setInvited} /> } : {})}
        empty={
          <EmptyState
            icon={IconUsers}
            title="No matching users"
            actions={
              <Button variant="default" onClick={() => void navigate({ search: {} })}>
                Clear filters
              </Button>
            }
          >
            The search covers names and emails.
          </EmptyState>
        }
      />
      <AddPersonDialog
        opened={add === "person"}
        onClose={() => openAdd(undefined)}
        onInvited={(invitation) => {
          setInvited(invitation);
          openAdd(undefined);
        }}
      />
      <InviteLink invited={invited} onClose={() => setInvited(null)} />
    </>
  );
}

/** Shows the risk column only if a user has a score. */
function columnsWith(groups: readonly Group[] | undefined, hasScores: boolean): ReadonlyArray<Column<User>> {
  const risk: Column<User> = {
    key: "risk",
    header: "Risk",
    width: "6.5rem",
    hideBelow: "md",
    render: ({ risk_score: score }) => <RiskScore score={score} />,
  };
  return [
    { key: "name", header: "Name", render: (user) => <UserName user={user} /> },
    {
      key: "state",
      header: "Sign-in",
      width: "8.5rem",
      narrowWidth: "7.75rem",
      render: (user) => <UserState user={user} />,
    },
    { key: "role", header: "Role", width: "5.5rem", hideBelow: "sm", render: ({ role }) => ROLE_LABELS[role].label },
    {
      key: "groups",
      header: "Groups",
      width: "18%",
      hideBelow: "md",
      render: ({ group_ids: ids }) => <Names names={namesOf(groups, ids)} none="None" />,
    },
    {
      key: "connections",
      header: "Connections",
      width: "6.5rem",
      align: "right",
      hideBelow: "lg",
      render: ({ connections_count: count = 0 }) => count,
    },
    ...(hasScores ? [risk] : []),
    {
      key: "seen",
      header: "Last active",
      width: "7rem",
      hideBelow: "lg",
      render: ({ last_seen_at: seen, last_used_at: used }) => <TimeAgo time={later(seen, used)} never="–" />,
    },
  ];
}

/** The later of the last app activity and the last call. */
function later(a: string | null = null, b: string | null = null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
