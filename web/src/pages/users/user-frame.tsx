import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { UserAccess } from "../access/user-access.tsx";
import { ScimPill } from "./scim-managed.tsx";
import { DisabledPill, UserMark, UserState } from "./user-cells.tsx";
import { UserConnections } from "./user-connections.tsx";
import type { User, UserType } from "./users.ts";

const TEXT = {
  person: { tabs: "User", parent: { label: "Users", to: "/users" } },
  machine: {
    tabs: "Machine user",

    parent: { label: "Machine users", to: "/machine-users" },
  },
} as const;

interface UserSearch {
  readonly tab?: "overview" | "connections" | "access" | "sessions" | undefined;
  readonly q?: string | undefined;
  readonly tool?: string | undefined;
}

interface UserFrameProps {
  readonly user: User;
  readonly actions: ReactNode;
  readonly search: UserSearch;
  onSearch(patch: Omit<UserSearch, "tab">, options?: { replace: boolean }): void;
  readonly overview: ReactNode;
  /** Users only: machine users do not sign in. */
  readonly sessions?: ReactNode;
}

/** The header and tabs that the pages of users and machine users share. */
export function UserFrame({ user, actions, search, onSearch, overview, sessions }: UserFrameProps) {
  const { tab = "overview", q, tool } = search;
  const text = TEXT[user.is_machine_user ? "machine" : "person"];
  return (
    <>
      <PageHeader
        parent={text.parent}
        mark={<UserMark user={user} size={28} />}
        title={user.name}
        aside={
          user.is_machine_user ? (
            user.disabled && <DisabledPill />
          ) : (
            <>
              <UserState user={user} />
              {user.provisioned_by === "scim" && <ScimPill />}
            </>
          )
        }
        description={user.email}
        actions={actions}
      />
      <UrlTabs
        label={text.tabs}
        value={tab}
        tabs={[
          { value: "overview", label: "Overview" },
          { value: "connections", label: "Connections" },
          { value: "access", label: "Access" },
          ...(sessions === undefined ? [] : [{ value: "sessions", label: "Sessions and clients" } as const]),
        ]}
      />
      {tab === "overview" && overview}
      {tab === "connections" && <UserConnections user={user} />}
      {tab === "access" && <UserAccess email={user.email} q={q} tool={tool} onChange={onSearch} />}
      {tab === "sessions" && sessions}
    </>
  );
}

/** Shown while the user loads. */
export function UserFrameSkeleton({ type, title }: { type: UserType; title: string }) {
  return (
    <div aria-busy="true">
      <PageHeader
        parent={TEXT[type].parent}
        mark={<Skeleton circle={type === "person"} width={28} height={28} />}
        title={title}
      />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}
