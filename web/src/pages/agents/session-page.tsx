import { Button, Group, Stack, Textarea } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatCount } from "../../components/quantities.ts";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { duration } from "../logs/call-labels.ts";
import { RecordPage } from "../records/record-page.tsx";
import { agentQuery, agentsKey, platformLabel, SESSION_STATUSES, type Session, type Step, TRIGGERS } from "./agents.ts";
import { useLiveSession } from "./live-session.ts";
import { Transcript } from "./transcript.tsx";
import "./agents.css";

const route = getRouteApi("/agents/$slug/sessions/$id");

export function SessionPage() {
  const api = useApi();
  const { slug, id } = route.useParams();
  const { session: query, steps } = useLiveSession(slug, id);
  const { data: agent } = useQuery(agentQuery(api, slug));
  const parent = { label: agent?.name ?? slug, to: `/agents/${slug}` };
  return (
    <RecordPage query={query} slug={id} parent={parent} icon={IconBolt} kind="Session">
      {(session) => <Detail session={session} steps={steps.data ?? []} error={steps.error} parent={parent} />}
    </RecordPage>
  );
}

interface DetailProps {
  readonly session: Session;
  readonly steps: readonly Step[];
  readonly error: unknown;
  readonly parent: { readonly label: string; readonly to: string };
}

function Detail({ session, steps, error, parent }: DetailProps) {
  const { changes } = useRights();
  const { tone, label } = SESSION_STATUSES[session.status];
  return (
    <>
      <PageHeader
        parent={parent}
        title="Session"
        aside={<StatusPill tone={tone}>{label}</StatusPill>}
        actions={<Actions session={session} />}
      />
      {session.error && <Note tone="bad">{`${session.error.message} (${session.error.code})`}</Note>}
      <Facts session={session} />
      <Section title="Transcript">
        <Transcript session={session} steps={steps} />
        <ErrorNote error={error} />
      </Section>
      {changes && session.ended_at !== null && session.platform === "builtin" && <FollowUp session={session} />}
    </>
  );
}

/** A new session that knows this one. */
function FollowUp({ session: { agent_slug: slug, id } }: { session: Session }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { input: "" },
    validate: ({ input }): { input?: string } => (input.trim() === "" ? { input: "Enter an input" } : {}),
    submit: async ({ input }) => {
      const { data } = await api.sendAgentMessage({ path: { slug, id }, body: { input } });
      await queries.invalidateQueries({ queryKey: [...agentsKey, "sessions", slug] });
      await navigate({ to: "/agents/$slug/sessions/$id", params: { slug, id: data.id } });
    },
  });
  return (
    <Section title="Follow up" description="Starts a new session with the inputs and outputs so far.">
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm" maw={560}>
          <Textarea label="Input" autosize minRows={2} maxRows={10} {...form.getInputProps("input")} />
          <ErrorNote error={error} />
          <Group>
            <Button type="submit" variant="default" loading={isWorking}>
              Send follow-up
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Facts({ session }: { session: Session }) {
  const { usage, started_at: start, ended_at: end, parent_session_id: previous, agent_slug: slug } = session;
  const tookMs = start !== null && end !== null ? Date.parse(end) - Date.parse(start) : undefined;
  const facts: [string, ReactNode][] = [
    ["Started", <TimeAgo key="at" time={start} never="Not yet" />],
    ...(tookMs === undefined ? [] : [["Duration", duration(tookMs)] satisfies [string, ReactNode]]),
    ["Trigger", TRIGGERS[session.trigger]],
    ["Started by", session.requested_by],
    ["Steps", formatCount(usage.steps)],
    ["Tool calls", formatCount(usage.tool_calls)],
    ["Tokens", formatCount(usage.input_tokens + usage.output_tokens)],
    ["Agent version", formatCount(session.agent_version)],
    ...(session.platform === "builtin"
      ? []
      : [["Platform", platformLabel(session.platform)] satisfies [string, ReactNode]]),
    ...(session.platform_session_id === null
      ? []
      : [["Remote session", session.platform_session_id] satisfies [string, ReactNode]]),
  ];
  return (
    <dl className="gh-session-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {previous !== null && (
        <div>
          <dt>Follows up</dt>
          <dd>
            <TextLink to="/agents/$slug/sessions/$id" params={{ slug, id: previous }} size="sm">
              Previous session
            </TextLink>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Actions({ session }: { session: Session }) {
  const api = useApi();
  const queries = useQueryClient();
  const { changes } = useRights();
  const path = { slug: session.agent_slug, id: session.id };
  const cancel = useMutation({
    mutationFn: () => api.cancelAgentSession({ path }),
    onSuccess: () => queries.invalidateQueries({ queryKey: agentsKey }),
  });
  return (
    <Group gap="sm">
      {session.approval_id !== null && (
        <LinkButton to="/approvals/$id" params={{ id: session.approval_id }}>
          Review call
        </LinkButton>
      )}
      <LinkButton to="/logs" search={{ agent_session: session.id }} variant="default">
        Logs
      </LinkButton>
      {changes && session.ended_at === null && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel session
        </Button>
      )}
      <ErrorNote error={cancel.error} />
    </Group>
  );
}
