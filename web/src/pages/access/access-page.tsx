import { IconUserSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PickUser } from "../users/pick-users.tsx";
import { GROUP_PAGES } from "./group-pages.ts";
import { UserAccess } from "./user-access.tsx";

const route = getRouteApi("/access");

export function AccessPage() {
  const { email, q, tool } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title="Access"
        description="The tools a user can call, and the groups that give access. Select a tool to see each step of the decision."
        siblings={GROUP_PAGES}
      />
      <div className="gh-access-who">
        <PickUser
          label="User or machine user"
          picked={email}
          onPick={(picked) => void navigate({ search: picked === undefined ? {} : { email: picked } })}
        />
      </div>
      {email === undefined ? (
        <EmptyState icon={IconUserSearch} title="Select a user">
          Select a user or machine user to see every tool they can call, and why.
        </EmptyState>
      ) : (
        <UserAccess
          key={email}
          email={email}
          q={q}
          tool={tool}
          onChange={(patch, options) => void navigate({ search: (old) => ({ ...old, ...patch }), ...options })}
        />
      )}
    </>
  );
}
