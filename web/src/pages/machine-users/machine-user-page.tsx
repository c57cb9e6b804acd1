import { Button, Skeleton } from "@mantine/core";
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
import { PageHeader } from "../../components/page-header.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { AccessOf } from "../access/access-of.tsx";
import { DisabledPill, UserMark } from "../users/user-cells.tsx";
import { UserConnections } from "../users/user-connections.tsx";
import { UserDanger } from "../users/user-danger.tsx";
import { EditName, EditRisk } from "../users/user-edits.tsx";
import { UserGroups } from "../users/user-groups.tsx";
import { findMachineUser, type User, usersKey } from "../users/users.ts";
import { EditOwners } from "./edit-owners.tsx";
import { type IssuedKey, KeyOnce } from "./key-once.tsx";
import { LastRevealed } from "./last-revealed.tsx";
import { MachineSecret } from "./machine-secret.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";

const route = getRouteApi("/machine-users/$slug");
const PARENT = { label: "Machine users", to: "/machine-users" };

export function MachineUserPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...usersKey, "machine", slug],
    queryFn: ({ signal }) => findMachineUser(api, slug, signal),
  });
  if (data) return <MachineUserDetail user={data} />;
  if (data === null) return <NoSuchMachineUser slug={slug} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} mark={<Skeleton width={28} height={28} />} title={slug} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function MachineUserDetail({ user }: { user: User }) {
  const { changes } = useRights();
  const { tab = "overview", q, tool } = route.useSearch();
  const navigate = route.useNavigate();
  const [isRotating, rotating] = useDisclosure();
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  return (
    <>
      <PageHeader
        parent={PARENT}
        mark={<UserMark user={user} size={28} />}
        title={user.name}
        aside={user.disabled && <DisabledPill />}
        actions={
          changes && (
            <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={rotating.open}>
              Rotate secret
            </Button>
          )
        }
      />
      <UrlTabs
        label="Machine user"
        value={tab}
        tabs={[
          { value: "overview", label: "Overview" },
          { value: "connections", label: "Connections" },
          { value: "access", label: "What it can call" },
        ]}
      />
      {tab === "overview" && <Overview user={user} />}
      {tab === "connections" && <UserConnections user={user} />}
      {tab === "access" && (
        <AccessOf
          email={user.email}
          q={q}
          tool={tool}
          onChange={(patch, options) => void navigate({ search: (old) => ({ ...old, ...patch }), ...options })}
        />
      )}
      <RotateDialog user={user} opened={isRotating} onClose={rotating.close} onIssued={setIssued} />
      <KeyOnce issued={issued} onClose={() => setIssued(null)} />
    </>
  );
}

function Overview({ user }: { user: User }) {
  const { changes } = useRights();
  const navigate = route.useNavigate();
  const { access_key: key, last_used_at: lastUsed = null } = user;
  return (
    <>
      <Section title="Key" description="What its programs send to the gateway: the access key, a colon, the secret.">
        <KeyValues
          items={[
            ["Access key", key === undefined ? null : <CopyText key="key" value={key} label="Copy access key" />],
            ["Secret", changes ? <MachineSecret key="secret" user={user} /> : undefined],
            ["Last revealed", <LastRevealed key="revealed" user={user} />],
            ["Last used", <TimeAgo key="used" time={lastUsed} />],
            ["Address", <CopyText key="email" value={user.email} label="Copy address" />],
            ["Created", <TimeAgo key="created" time={user.created_at} />],
          ]}
        />
      </Section>
      <UserGroups user={user} />
      <Section title="Owners" description="The people who answer for it, and who may connect it to servers.">
        <EditOwners user={user} key={(user.owner_ids ?? []).join()} />
      </Section>
      {changes && (
        <Section title="Details">
          <EditName user={user} key={user.name} />
          <EditRisk user={user} key={`risk ${user.risk_score}`} />
        </Section>
      )}
      {changes && <UserDanger user={user} onDeleted={() => navigate({ to: "/machine-users", replace: true })} />}
    </>
  );
}

function NoSuchMachineUser({ slug }: { slug: string }) {
  return (
    <EmptyState
      isPage
      icon={IconRobot}
      title="There is no such machine user"
      actions={
        <LinkButton to="/machine-users" variant="default">
          All machine users
        </LinkButton>
      }
    >
      <title>No such machine user · Gatehouse</title>
      {`No machine user has the slug ${slug}. It may have been deleted.`}
    </EmptyState>
  );
}
