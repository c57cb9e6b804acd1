import { Button } from "@mantine/core";
import { IconMail, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useInvite } from "./invite.ts";
import { type Invited, InviteLink } from "./invite-link.tsx";
import { useMayManage } from "./manages.ts";
import { RiskScore } from "./risk-score.tsx";
import { ROLE_WORDS } from "./roles.ts";
import { UserDanger } from "./user-danger.tsx";
import { EditName, EditRisk, EditRole } from "./user-edits.tsx";
import { UserFrame, UserFrameSkeleton } from "./user-frame.tsx";
import { UserGroups } from "./user-groups.tsx";
import { UserSessions } from "./user-sessions.tsx";
import { findPerson, type User, usersKey } from "./users.ts";

const route = getRouteApi("/users/$email");

export function UserPage() {
  const api = useApi();
  const { email } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...usersKey, "person", email],
    queryFn: ({ signal }) => findPerson(api, email, signal),
  });
  if (data) return <UserDetail user={data} />;
  if (data === null) return <NoSuchPerson email={email} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <UserFrameSkeleton type="person" title={email} />;
}

function UserDetail({ user }: { user: User }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { manages } = useMayManage(user);
  const [invited, setInvited] = useState<Invited | null>(null);
  const invite = useInvite(user, setInvited);
  return (
    <>
      <UserFrame
        user={user}
        actions={
          manages &&
          !user.disabled && (
            <Button
              variant="default"
              leftSection={<IconMail size={16} />}
              loading={invite.isPending}
              onClick={() => invite.mutate()}
            >
              Invitation link
            </Button>
          )
        }
        search={search}
        onSearch={(patch, options) => void navigate({ search: (old) => ({ ...old, ...patch }), ...options })}
        overview={<Overview user={user} />}
        sessions={<UserSessions user={user} />}
      />
      <InviteLink invited={invited} onClose={() => setInvited(null)} />
    </>
  );
}

function Overview({ user }: { user: User }) {
  const { manages, isOwner } = useMayManage(user);
  const navigate = route.useNavigate();
  const { last_used_at: used = null, last_seen_at: seen = null, sign_in_methods: methods = [] } = user;
  return (
    <>
      <Section title="Person">
        <KeyValues
          items={[
            ["E-mail", <CopyText key="email" value={user.email} label="Copy e-mail" />],
            ["Role", manages && isOwner ? undefined : ROLE_WORDS[user.role].label],
            ["Risk score", manages ? undefined : <RiskScore key="risk" score={user.risk_score} />],
            ["Signs in by", methods.length === 0 ? "Has not yet" : methods.map((each) => METHODS[each]).join(", ")],
            ["Last in the app", <TimeAgo key="seen" time={seen} never="Not within a week" />],
            ["Last call", <TimeAgo key="used" time={used} />],
            ["Created", <TimeAgo key="created" time={user.created_at} />],
          ]}
        />
      </Section>
      <UserGroups user={user} />
      {manages ? (
        <>
          <Section title="Details">
            <EditName user={user} key={user.name} />
            {isOwner && <EditRole user={user} key={user.role} />}
            <EditRisk user={user} key={`risk ${user.risk_score}`} />
          </Section>
          <UserDanger user={user} onDeleted={() => navigate({ to: "/users", replace: true })} />
        </>
      ) : (
        <Note>Only an owner changes, disables or deletes somebody who manages this installation.</Note>
      )}
    </>
  );
}

const METHODS = { password: "password", sso: "single sign-on" } as const;

function NoSuchPerson({ email }: { email: string }) {
  return (
    <EmptyState
      isPage
      icon={IconUser}
      title="There is no such person"
      actions={
        <LinkButton to="/users" variant="default">
          All people
        </LinkButton>
      }
    >
      <title>No such person · Gatehouse</title>
      {`Nobody has the address ${email}. They may have been deleted.`}
    </EmptyState>
  );
}
