import { IconRobot } from "@tabler/icons-react";
import { Initials } from "../../components/initials.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import type { User } from "./users.ts";

/** The name cell of a user or machine user. */
export function UserName({ user }: { user: Pick<User, "name" | "email" | "slug"> }) {
  const { name, email, slug } = user;
  return (
    <>
      <UserMark user={user} />
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        {slug === undefined ? (
          <span className="gh-truncate">{email}</span>
        ) : (
          <code className="gh-truncate">{slug}</code>
        )}
      </span>
    </>
  );
}

/** Round for users, square for machine users. */
export function UserMark({ user: { name, slug }, size = 24 }: { user: Pick<User, "name" | "slug">; size?: number }) {
  if (slug === undefined) return <Initials name={name} size={size} />;
  return (
    <span className="gh-initials gh-robot" style={{ width: size, height: size }} aria-hidden>
      <IconRobot size={size * 0.65} stroke={1.7} />
    </span>
  );
}

export function DisabledPill() {
  return <StatusPill tone="bad">Disabled</StatusPill>;
}

/** How a user signs in, or why they cannot. */
export function UserState({ user }: { user: User }) {
  const { disabled, suspended, invited, sign_in_methods: methods = [] } = user;
  if (suspended) return <StatusPill tone="bad">Suspended</StatusPill>;
  if (disabled) return <DisabledPill />;
  if (methods.length > 0)
    return <StatusPill tone="good">{methods.includes("sso") ? "Single sign-on" : "Password"}</StatusPill>;
  return invited ? <StatusPill tone="info">Invited</StatusPill> : <StatusPill tone="quiet">Never signed in</StatusPill>;
}

/** A comma-separated list of names. */
export function Names({ names, none }: { names: readonly string[]; none: string }) {
  if (names.length === 0) return <span className="gh-dim">{none}</span>;
  const all = names.join(", ");
  return <span title={all}>{all}</span>;
}
