import { IconRobot } from "@tabler/icons-react";
import { Initials } from "../../components/initials.tsx";
import type { User } from "./users.ts";

/** A person or a machine user, in the first column of a table. */
export function UserName({ user }: { user: Pick<User, "name" | "email" | "slug"> }) {
  const { name, email, slug } = user;
  return (
    <>
      {slug === undefined ? (
        <Initials name={name} />
      ) : (
        <span className="gh-initials gh-robot" aria-hidden>
          <IconRobot size={15} stroke={1.7} />
        </span>
      )}
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
