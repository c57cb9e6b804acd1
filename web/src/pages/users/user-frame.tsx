import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { AccessOf } from "../access/access-of.tsx";
import { DisabledPill, UserMark, UserState } from "./user-cells.tsx";
import { UserConnections } from "./user-connections.tsx";
import type { User, UserType } from "./users.ts";

const WORDS = {
  person: { tabs: "Person", access: "What they can call", parent: { label: "People", to: "/users" } },
  machine: {
    tabs: "Machine user",
    access: "What it can call",
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
  /** Of people only: machine users sign in nowhere. */
  readonly sessions?: ReactNode;
}

/** The page of a person or of a machine user: who it is, and the tabs that both have. */
export function UserFrame({ user, actions, search, onSearch, overview, sessions }: UserFrameProps) {
  const { tab = "overview", q, tool } = search;
  const words = WORDS[user.is_machine_user ? "machine" : "person"];
  return (
    <>
      <PageHeader
        parent={words.parent}
        mark={<UserMark user={user} size={28} />}
        title={user.name}
        aside={user.is_machine_user ? user.disabled && <DisabledPill /> : <UserState user={user} />}
        description={user.email}
        actions={actions}
      />
      <UrlTabs
        label={words.tabs}
        value={tab}
        tabs={[
          { value: "overview", label: "Overview" },
          { value: "connections", label: "Connections" },
          { value: "access", label: words.access },
          ...(sessions === undefined ? [] : [{ value: "sessions", label: "Sessions and clients" } as const]),
        ]}
      />
      {tab === "overview" && overview}
      {tab === "connections" && <UserConnections user={user} />}
      {tab === "access" && <AccessOf email={user.email} q={q} tool={tool} onChange={onSearch} />}
      {tab === "sessions" && sessions}
    </>
  );
}

/** Before anything is known but the address. */
export function UserFrameSkeleton({ type, title }: { type: UserType; title: string }) {
  return (
    <div aria-busy="true">
      <PageHeader
        parent={WORDS[type].parent}
        mark={<Skeleton circle={type === "person"} width={28} height={28} />}
        title={title}
      />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}
