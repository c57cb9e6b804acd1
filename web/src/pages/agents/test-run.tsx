import { Button, Group, Stack, Textarea } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { StatusPill } from "../../components/status-pill.tsx";
import { type Agent, agentsKey, SESSION_STATUSES } from "./agents.ts";
import { useLiveSession } from "./live-session.ts";
import { Transcript } from "./transcript.tsx";

const route = getRouteApi("/agents/$slug");

interface TestRunProps {
  readonly agent: Agent;
  /** Sections of the editor with unsaved changes. */
  readonly unsaved: readonly string[];
}

/** Runs the agent as it is saved (docs/decisions/0158). The URL names the session, so a reload keeps it. */
export function TestRun({ agent, unsaved }: TestRunProps) {
  const { test } = route.useSearch();
  return (
    <aside className="gh-agent-test" aria-label="Test run">
      <Section title="Test run" description="Runs the saved agent. Tool calls have real effects.">
        <Stack gap="md">
          <TestForm agent={agent} unsaved={unsaved} />
          {test !== undefined && <TestSession slug={agent.slug} id={test} key={test} />}
        </Stack>
      </Section>
    </aside>
  );
}

function TestForm({ agent: { slug, status }, unsaved }: TestRunProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { input: "" },
    validate: ({ input }): { input?: string } => (input.trim() === "" ? { input: "Enter an input" } : {}),
    submit: async ({ input }) => {
      const { data } = await api.invokeBackgroundAgent({ path: { slug }, body: { input } });
      await navigate({ search: (old) => ({ ...old, test: data.id }), replace: true, resetScroll: false });
      await queries.invalidateQueries({ queryKey: [...agentsKey, "sessions", slug] });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <Textarea
          label="Test input"
          placeholder="Triage the issues of today"
          autosize
          minRows={3}
          maxRows={10}
          {...form.getInputProps("input")}
        />
        {unsaved.length > 0 && (
          <Note tone="warn">{`Unsaved changes are not part of the run: ${unsaved.join(", ")}. Save them first.`}</Note>
        )}
        {status !== "active" && <Note>Activate the agent to run it.</Note>}
        <ErrorNote error={error} />
        <Group>
          <Button
            type="submit"
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={isWorking}
            disabled={status !== "active"}
          >
            Run test
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TestSession({ slug, id }: { slug: string; id: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const { session, steps } = useLiveSession(slug, id);
  const cancel = useMutation({
    mutationFn: () => api.cancelAgentSession({ path: { slug, id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: agentsKey }),
  });
  if (!session.data) return <ErrorNote error={session.error} />;
  const { status, error, ended_at: endedAt } = session.data;
  const { tone, label } = SESSION_STATUSES[status];
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <StatusPill tone={tone}>{label}</StatusPill>
        <LinkButton to="/agents/$slug/sessions/$id" params={{ slug, id }} variant="subtle" size="compact-sm">
          Open session
        </LinkButton>
        {endedAt === null && (
          <Button variant="subtle" size="compact-sm" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel session
          </Button>
        )}
      </Group>
      {error && <Note tone="bad">{error.message}</Note>}
      <Transcript session={session.data} steps={steps.data ?? []} />
      <ErrorNote error={steps.error ?? cancel.error} />
    </Stack>
  );
}
