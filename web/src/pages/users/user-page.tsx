import { IconUser } from "@tabler/icons-react";
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
import { useCanManage } from "./can-manage.ts";
import { EditDetails } from "./edit-details.tsx";
import { type Invited, InviteLink } from "./invite-link.tsx";
import { InviteButton } from "./invite-user.tsx";
import { RiskScore } from "./risk-score.tsx";
import { ROLE_LABELS } from "./roles.ts";
import { UserDanger } from "./user-danger.tsx";
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
  if (data === null) return <UserNotFound email={email} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <UserFrameSkeleton type="person" title={email} />;
}

function UserDetail({ user }: { user: User }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [invited, setInvited] = useState<Invited | null>(null);
  return (
    <>
      <UserFrame
        user={user}
        actions={<InviteButton user={user} onInvited={setInvited} />}
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
  const { canManage, isOwner } = useCanManage(user);
  const navigate = route.useNavigate();
  const { last_used_at: used = null, last_seen_at: seen = null, sign_in_methods: methods = [] } = user;
  return (
    <>
      <Section title="User">
        <KeyValues
          items={[
            ["Email", <CopyText key="email" value={user.email} label="Copy email" />],
            // The form below shows it to those who can change it.
            ["Role", canManage && isOwner ? undefined : ROLE_LABELS[user.role].label],
            ["Risk score", user.risk_score === null ? undefined : <RiskScore key="risk" score={user.risk_score} />],
            ["Invitation", user.invited ? <PendingInvitation key="invitation" user={user} /> : undefined],
            ["Sign-in", methods.length === 0 ? "Never signed in" : methods.map((each) => METHODS[each]).join(", ")],
            ["Last active in the app", <TimeAgo key="seen" time={seen} never="Not active in the last 7 days" />],
            ["Last call", <TimeAgo key="used" time={used} never="No calls" />],
            ["Created", <TimeAgo key="created" time={user.created_at} />],
          ]}
        />
      </Section>
      <UserGroups user={user} />
      {canManage ? (
        <>
          <Section title="Details">
            <EditDetails user={user} canEditRole={isOwner} />
          </Section>
          <UserDanger user={user} onDeleted={() => navigate({ to: "/users", replace: true })} />
        </>
      ) : (
        <Note>Only owners can change, disable, or delete owners and admins.</Note>
      )}
    </>
  );
}

function PendingInvitation({ user }: { user: User }) {
  const { invited_by: creator, invitation_expires_at: expires = null, invitation_email: email } = user;
  return (
    <>
      {creator ? `Created by ${creator}, expires ` : "Expires "}
      <TimeAgo time={expires} />
      {email && <div>{EMAIL_TEXTS[email.status](user.email, email.error)}</div>}
    </>
  );
}

const EMAIL_TEXTS: Readonly<
  Record<NonNullable<User["invitation_email"]>["status"], (recipient: string, error: string | null) => string>
> = {
  pending: (recipient, error) =>
    error === null ? `Being emailed to ${recipient}` : `Not emailed to ${recipient} yet, will be retried: ${error}`,
  sent: (recipient) => `Emailed to ${recipient}`,
  failed: (recipient, error) => `Could not be emailed to ${recipient}: ${error ?? "unknown error"}`,
  canceled: () => "Not emailed",
};

const METHODS = { password: "Password", sso: "Single sign-on" } as const;

function UserNotFound({ email }: { email: string }) {
  return (
    <EmptyState
      isPage
      icon={IconUser}
      title="User not found"
      actions={
        <LinkButton to="/users" variant="default">
          All users
        </LinkButton>
      }
    >
      <title>User not found · Gatehouse</title>
      {`No user has the email ${email}. The user may have been deleted.`}
    </EmptyState>
  );
}
