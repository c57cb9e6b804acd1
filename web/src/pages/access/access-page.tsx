import { IconUserSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PickUser } from "../users/pick-users.tsx";
import { AccessOf } from "./access-of.tsx";
import { GROUP_PAGES } from "./group-pages.ts";

const route = getRouteApi("/access");

export function AccessPage() {
  const { email, q, tool } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title="Who can call what"
        description="Exactly what the gateway lists for somebody, and the groups that give it. Pick a tool to see every step of the decision."
        siblings={GROUP_PAGES}
      />
      <div className="gh-access-who">
        <PickUser
          label="Person or machine user"
          picked={email}
          onPick={(picked) => void navigate({ search: picked === undefined ? {} : { email: picked } })}
        />
      </div>
      {email === undefined ? (
        <EmptyState icon={IconUserSearch} title="Whose access?">
          Pick a person or a machine user to see every tool that they can call, and why.
        </EmptyState>
      ) : (
        <AccessOf
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
