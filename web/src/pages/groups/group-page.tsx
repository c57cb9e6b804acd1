import { Button, Skeleton } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { ScimPill } from "../users/scim-managed.tsx";
import { AddMembersDialog } from "./add-members-dialog.tsx";
import { AddServersDialog } from "./add-servers-dialog.tsx";
import { GroupCommands } from "./group-commands.tsx";
import { GroupMembers } from "./group-members.tsx";
import { GroupPlugins } from "./group-plugins.tsx";
import { GroupServers } from "./group-servers.tsx";
import { GroupSettings } from "./group-settings.tsx";
import { GroupSkills } from "./group-skills.tsx";
import { GroupToolkits } from "./group-toolkits.tsx";
import { addMembersLabel, findGroup, type Group, groupsKey } from "./groups.ts";

const route = getRouteApi("/groups/$name");
/** What files can declare of a group, by the tab that changes it. Toolkits and others declare their groups. */
const FIELDS_OF_TAB: Readonly<Record<string, readonly string[]>> = {
  members: ["members"],
  servers: ["servers"],
  settings: ["name", "settings", "limits"],
};
const PARENT = { label: "Groups", to: "/groups" };

export function GroupPage() {
  const api = useApi();
  const { name } = route.useParams();
  const { tab = "members" } = route.useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: [...groupsKey, "one", name],
    queryFn: ({ signal }) => findGroup(api, name, signal),
  });
  if (data) {
    return (
      <ManagedArea kind="groups" name={data.name} fields={FIELDS_OF_TAB[tab] ?? []}>
        <GroupDetail group={data} />
      </ManagedArea>
    );
  }
  if (data === null) return <GroupNotFound name={name} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} title={name} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function GroupDetail({ group }: { group: Group }) {
  const { changes } = useRights();
  const { tab = "members", add } = route.useSearch();
  const navigate = route.useNavigate();
  const openAdd = (what: "members" | "servers" | undefined) =>
    void navigate({ search: (old) => ({ ...old, add: what }) });
  const canAdd = changes && (tab === "members" || tab === "servers");
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={group.name}
        aside={group.provisioned_by === "scim" && <ScimPill />}
        actions={
          canAdd && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd(tab)}>
              {tab === "members" ? addMembersLabel(group) : "Add servers"}
            </Button>
          )
        }
      />
      <ManagedNote kind="groups" name={group.name} />
      <UrlTabs
        label="Group"
        value={tab}
        tabs={[
          { value: "members", label: `Members ${group.users_count}` },
          { value: "servers", label: `Servers ${group.integrations_count}` },
          { value: "toolkits", label: "Toolkits" },
          { value: "skills", label: "Skills" },
          { value: "commands", label: "Commands" },
          { value: "plugins", label: "Plugins" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "members" && <GroupMembers group={group} onAdd={() => openAdd("members")} />}
      {tab === "servers" && <GroupServers group={group} onAdd={() => openAdd("servers")} />}
      {tab === "toolkits" && <GroupToolkits group={group} />}
      {tab === "skills" && <GroupSkills group={group} />}
      {tab === "commands" && <GroupCommands group={group} />}
      {tab === "plugins" && <GroupPlugins group={group} />}
      {tab === "settings" && <GroupSettings group={group} />}
      <AddMembersDialog group={group} opened={add === "members"} onClose={() => openAdd(undefined)} />
      <AddServersDialog group={group} opened={add === "servers"} onClose={() => openAdd(undefined)} />
    </>
  );
}

function GroupNotFound({ name }: { name: string }) {
  return (
    <EmptyState
      isPage
      icon={IconUsersGroup}
      title="Group not found"
      actions={
        <LinkButton to="/groups" variant="default">
          All groups
        </LinkButton>
      }
    >
      <title>Group not found · Gatehouse</title>
      {`No group is named ${name}. It may have been renamed or deleted.`}
    </EmptyState>
  );
}
