import { SegmentedControl, Skeleton } from "@mantine/core";
import { IconChecklist } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { parseVerbatim } from "#openapi/json";
import { ApiError } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { bytes } from "../logs/call-labels.ts";
import { APPROVAL_STATUSES, type Approval, approvalsKey, effectOf, type MyApproval } from "./approvals.ts";
import { DecideApproval } from "./decide-approval.tsx";
import "./approvals.css";

const route = getRouteApi("/approvals/$id");
const PARENT = { label: "Approvals", to: "/approvals" };
/** While it is pending, another admin may decide, or the call may end. */
const REFRESH_MS = 3_000;

export function ApprovalPage() {
  const { administers } = useRights();
  return administers ? <AdminApproval /> : <CallerApproval />;
}

function AdminApproval() {
  const api = useApi();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...approvalsKey, "one", id],
    queryFn: async ({ signal }) => (await api.getApproval({ path: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === "pending" ? REFRESH_MS : false),
  });
  if (data)
    return (
      <>
        <Head approval={data} parent={PARENT} reason={`${data.reason}.`} />
        <Arguments approval={data} />
        {data.status === "pending" && data.may_decide && <DecideApproval key={id} approval={data} />}
        {data.status === "pending" && !data.may_decide && <Note tone="info">{data.cannot_decide_because}.</Note>}
        <Details approval={data} />
      </>
    );
  if (error instanceof ApiError && error.status === 404) return <ApprovalNotFound />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Loading />;
}

/** Callers see the status of their calls. */
function CallerApproval() {
  const api = useApi();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [...approvalsKey, "mine", id],
    queryFn: async ({ signal }) => (await api.listMyApprovals({ query: { id, limit: 1 }, signal })).data[0] ?? null,
    refetchInterval: REFRESH_MS,
  });
  if (data)
    return (
      <>
        <Head approval={data} />
        <Section title="Call">
          <KeyValues items={[...callItems(data), ...decisionItems(data)]} />
        </Section>
      </>
    );
  if (data === null) return <ApprovalNotFound />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Loading />;
}

interface HeadProps {
  readonly approval: MyApproval;
  readonly parent?: typeof PARENT;
  readonly reason?: string;
}

function Head({ approval, parent, reason = "" }: HeadProps) {
  const { tone, label } = APPROVAL_STATUSES[approval.status];
  return (
    <PageHeader
      {...(parent && { parent })}
      title={`${approval.server_name}: ${approval.tool}`}
      aside={<StatusPill tone={tone}>{label}</StatusPill>}
      description={`${effectOf(approval)} ${reason}`}
    />
  );
}

function callItems({ user_email: user, server_name: server, tool, guard_name: guard }: MyApproval) {
  return [
    ["User", user],
    ["Server", server],
    ["Tool", tool],
    ["Held by guard", guard],
  ] as const;
}

const UNTIL = { pending: "Expires", expired: "Expired", approved: "Valid until", denied: "Valid until" } as const;

function decisionItems({ created_at: createdAt, expires_at: expiresAt, ...approval }: MyApproval) {
  const { status, decided_at: decidedAt, used_at: usedAt, note } = approval;
  return [
    ["Requested", <TimeAgo key="requested" time={createdAt} />],
    [UNTIL[status], <TimeAgo key="expires" time={expiresAt} />],
    ["Decided", decidedAt === null ? undefined : <TimeAgo key="decided" time={decidedAt} />],
    ["Used", usedAt === null ? undefined : <TimeAgo key="used" time={usedAt} />],
    ["Note", note ?? undefined],
  ] as const;
}

function Details({ approval }: { approval: Approval }) {
  const { user_email: email, server_slug: slug, server_name: server, guard_slug: guardSlug } = approval;
  return (
    <Section title="Call">
      <KeyValues
        items={[
          ["User", email],
          [
            "Server",
            <TextLink key="server" to="/mcp-servers/$slug" params={{ slug }} inherit>
              {server}
            </TextLink>,
          ],
          ["Tool", approval.tool],
          [
            "Held by guard",
            <TextLink key="guard" to="/guards/$slug" params={{ slug: guardSlug }} inherit>
              {approval.guard_name}
            </TextLink>,
          ],
          ["Checks", approval.check_names.length === 0 ? undefined : approval.check_names.join(", ")],
          ...decisionItems(approval),
          ["Decided by", approval.decided_by ?? undefined],
          [
            "Log",
            <TextLink key="call" to="/logs" search={{ request_id: approval.request_id, range: "30d" }} inherit>
              Show the call
            </TextLink>,
          ],
          ["Approval ID", <CopyText key="id" value={approval.id} label="Copy approval ID" />],
        ]}
      />
    </Section>
  );
}

function Arguments({
  approval: { arguments_json: text, arguments_bytes: size, may_decide: mayDecide },
}: {
  approval: Approval;
}) {
  const [view, setView] = useState("formatted");
  const choice = (
    <SegmentedControl
      aria-label="Show arguments"
      size="xs"
      data={[
        { value: "formatted", label: "Formatted" },
        { value: "exact", label: "Exact text" },
      ]}
      value={view}
      onChange={setView}
    />
  );
  if (text === null)
    return (
      <Section title="Arguments" description={`${bytes(size)}, encrypted at rest`}>
        <Note>
          {mayDecide
            ? "The arguments were deleted 30 days after the decision."
            : "Only owners and admins who may decide about this call can see its arguments."}
        </Note>
      </Section>
    );
  return (
    <Section title="Arguments" description={`${bytes(size)}, as the server would receive them`} actions={choice}>
      {view === "formatted" ? (
        <JsonView value={parseVerbatim(text)} label="Arguments" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <pre className="gh-exact-arguments" tabIndex={0}>
          {text}
        </pre>
      )}
    </Section>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <PageHeader title="Approval" />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function ApprovalNotFound() {
  const { administers } = useRights();
  return (
    <>
      <PageHeader title="Approval" />
      <EmptyState
        icon={IconChecklist}
        title="Approval not found"
        actions={
          administers && (
            <LinkButton to="/approvals" variant="default">
              All approvals
            </LinkButton>
          )
        }
      >
        {administers
          ? "It does not exist, or it was deleted with old entries of the audit log."
          : "It does not exist, or it belongs to someone else. Only owners and admins see the calls of others."}
      </EmptyState>
    </>
  );
}
