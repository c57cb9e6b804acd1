import { Button, Group } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatCount } from "../../components/quantities.ts";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { agentsKey, SESSION_STATUSES, type Session, sessionQuery, stepsQuery } from "./agents.ts";
import { Transcript } from "./transcript.tsx";
import "./agents.css";

const route = getRouteApi("/agents/$slug/sessions/$id");

export function SessionPage() {
  const api = useApi();
  const { slug, id } = route.useParams();
  const query = useQuery(sessionQuery(api, slug, id));
  const parent = { label: slug, to: `/agents/${slug}` };
  return (
    <RecordPage query={query} slug={id} parent={parent} icon={IconBolt} kind="Session">
      {(session) => <Detail session={session} parent={parent} />}
    </RecordPage>
  );
}

function Detail({ session, parent }: { session: Session; parent: { label: string; to: string } }) {
  const api = useApi();
  const { data: steps = [], error } = useQuery(stepsQuery(api, session));
  const { usage } = session;
  return (
    <>
      <PageHeader parent={parent} title="Session" actions={<Actions session={session} />} />
      {session.error && <Note tone="bad">{session.error.message}</Note>}
      {session.status === "waiting_approval" && (
        <Note tone="warn">A call waits until an owner or admin approves it. The agent continues then.</Note>
      )}
      <KeyValues
        items={[
          ["Started", <TimeAgo key="at" time={session.started_at} never="Not yet" />],
          ["Started by", session.requested_by],
          ["Steps", formatCount(usage.steps)],
          ["Tool calls", formatCount(usage.tool_calls)],
          ["Tokens", formatCount(usage.input_tokens + usage.output_tokens)],
          ["Version", formatCount(session.agent_version)],
        ]}
      />
      <Section title="Transcript">
        <Transcript session={session} steps={steps} />
        <ErrorNote error={error} />
      </Section>
    </>
  );
}

function Actions({ session }: { session: Session }) {
  const api = useApi();
  const queries = useQueryClient();
  const { changes } = useRights();
  const { tone, label } = SESSION_STATUSES[session.status];
  const path = { slug: session.agent_slug, id: session.id };
  const cancel = useMutation({
    mutationFn: () => api.cancelAgentSession({ path }),
    onSuccess: () => queries.invalidateQueries({ queryKey: agentsKey }),
  });
  return (
    <Group gap="sm">
      <StatusPill tone={tone}>{label}</StatusPill>
      {session.status === "waiting_approval" && (
        <LinkButton to="/approvals" variant="default">
          Approvals
        </LinkButton>
      )}
      <LinkButton to="/logs" search={{ agent_session: session.id }} variant="default">
        Logs
      </LinkButton>
      {changes && session.ended_at === null && (
        <Button variant="default" color="red" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel session
        </Button>
      )}
      <ErrorNote error={cancel.error} />
    </Group>
  );
}
