import { IconTool, IconUserSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { usePendingRequests } from "../requests/pending-requests.ts";
import { ReviewRequests } from "../requests/review-requests.tsx";
import { PickUser } from "../users/pick-users.tsx";
import { PickTool } from "./pick-tool.tsx";
import { ToolAccess } from "./tool-access.tsx";
import { UserAccess } from "./user-access.tsx";
import "./access.css";

const route = getRouteApi("/access");

export function AccessPage() {
  const { tab = "user" } = route.useSearch();
  const pending = usePendingRequests();
  return (
    <>
      <PageHeader title="Access" description="Check which tools a user can call, or who can call a tool, and why." />
      <UrlTabs
        label="Access"
        value={tab}
        tabs={[
          { value: "user", label: "By user" },
          { value: "tool", label: "By tool or server" },
          { value: "requests", label: pending === 0 ? "Requests" : `Requests ${pending}` },
        ]}
      />
      {tab === "user" && <ByUser />}
      {tab === "tool" && <ByTool />}
      {tab === "requests" && <Requests />}
    </>
  );
}

function Requests() {
  const { q, status, open } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ReviewRequests
      q={q}
      status={status}
      open={open}
      onChange={(patch, options) => void navigate({ search: (old) => ({ ...old, ...patch }), ...options })}
    />
  );
}

function ByUser() {
  const { email, q, tool } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <div className="gh-access-picker">
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

function ByTool() {
  const { tool, server, q, verdict, email } = route.useSearch();
  const navigate = route.useNavigate();
  const target = tool === undefined ? server && { server } : { tool };
  return (
    <>
      <div className="gh-access-picker">
        <PickTool picked={tool ?? server} onPick={(picked) => void navigate({ search: { tab: "tool", ...picked } })} />
      </div>
      {target ? (
        <ToolAccess
          key={tool ?? server}
          target={target}
          q={q}
          verdict={verdict}
          email={email}
          onChange={(patch, options) => void navigate({ search: (old) => ({ ...old, ...patch }), ...options })}
        />
      ) : (
        <EmptyState icon={IconTool} title="Select a tool or server">
          Select a tool to see who can call it, through which group, and why others cannot.
        </EmptyState>
      )}
    </>
  );
}
