import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh, IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { EditDetails } from "../users/edit-details.tsx";
import { UserDanger } from "../users/user-danger.tsx";
import { UserFrame, UserFrameSkeleton } from "../users/user-frame.tsx";
import { UserGroups } from "../users/user-groups.tsx";
import { findMachineUser, type User, usersKey } from "../users/users.ts";
import { EditClient } from "./edit-client.tsx";
import { EditOwners } from "./edit-owners.tsx";
import { EditToolkit } from "./edit-toolkit.tsx";
import { LastRevealed } from "./last-revealed.tsx";
import { MachineSecret } from "./machine-secret.tsx";
import { type IssuedKey, NewAccessKey } from "./new-access-key.tsx";
import { OldSecret } from "./old-secret.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

const route = getRouteApi("/machine-users/$slug");

export function MachineUserPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...usersKey, "machine", slug],
    queryFn: ({ signal }) => findMachineUser(api, slug, signal),
  });
  if (data) return <MachineUserDetail user={data} />;
  if (data === null) return <MachineUserNotFound slug={slug} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <UserFrameSkeleton type="machine" title={slug} />;
}

function MachineUserDetail({ user }: { user: User }) {
  const { changes } = useRights();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isRotating, rotating] = useDisclosure();
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  return (
    <>
      <ManagedNote kind="machine-users" name={user.slug ?? ""} />
      <UserFrame
        user={user}
        actions={
          changes && (
            <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={rotating.open}>
              Rotate secret
            </Button>
          )
        }
        search={search}
        onSearch={(patch, options) => void navigate({ search: (old) => ({ ...old, ...patch }), ...options })}
        overview={<Overview user={user} />}
      />
      <RotateDialog user={user} opened={isRotating} onClose={rotating.close} onIssued={setIssued} />
      <NewAccessKey issued={issued} onClose={() => setIssued(null)} />
    </>
  );
}

function Overview({ user }: { user: User }) {
  const { changes } = useRights();
  const { access_key: key, last_used_at: lastUsed = null, previous_secret_expires_at: oldExpiresAt = null } = user;
  return (
    <>
      <Section title="Access key" description="MCP clients send it to the gateway as <access key>:<secret>.">
        <KeyValues
          items={[
            ["Access key", key === undefined ? null : <CopyText key="key" value={key} label="Copy access key" />],
            ["Secret", changes && key !== undefined ? <MachineSecret key="secret" user={user} /> : undefined],
            [
              "Old secret",
              oldExpiresAt === null ? undefined : <OldSecret key="old" user={user} expiresAt={oldExpiresAt} />,
            ],
            ["Last revealed", <LastRevealed key="revealed" user={user} />],
            ["Last used", <TimeAgo key="used" time={lastUsed} never="Never used" />],
            ["Email", <CopyText key="email" value={user.email} label="Copy email" />],
            ["Created", <TimeAgo key="created" time={user.created_at} />],
          ]}
        />
      </Section>
      <UserGroups user={user} />
      <ManagedArea kind="machine-users" name={user.slug ?? ""}>
        <Section title="Owners" description="Users who are responsible for it and can connect its accounts.">
          <EditOwners user={user} key={(user.owner_ids ?? []).join()} />
        </Section>
        <EditToolkit user={user} />
      </ManagedArea>
      <EditClient user={user} />
      <ManagedArea kind="machine-users" name={user.slug ?? ""}>
        <Details user={user} />
      </ManagedArea>
    </>
  );
}

function Details({ user }: { user: User }) {
  const { changes } = useRights();
  const navigate = route.useNavigate();
  if (!changes) return null;
  return (
    <>
      <Section title="Details">
        <EditDetails user={user} canEditRole={false} />
      </Section>
      <UserDanger user={user} onDeleted={() => navigate({ to: "/machine-users", replace: true })} />
    </>
  );
}

function MachineUserNotFound({ slug }: { slug: string }) {
  return (
    <EmptyState
      isPage
      icon={IconRobot}
      title="Machine user not found"
      actions={
        <LinkButton to="/machine-users" variant="default">
          All machine users
        </LinkButton>
      }
    >
      <title>Machine user not found · Gatehouse</title>
      {`No machine user has the slug ${slug}. It may have been deleted.`}
    </EmptyState>
  );
}
