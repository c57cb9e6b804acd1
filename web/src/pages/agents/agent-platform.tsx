import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import type { Tone } from "../../components/tone.ts";
import { type Agent, agentsKey } from "./agents.ts";

const SYNC: Readonly<Record<Agent["sync"]["status"], { readonly label: string; readonly tone: Tone }>> = {
  never: { label: "Never synced", tone: "quiet" },
  synced: { label: "Synced", tone: "good" },
  drift: { label: "Differs", tone: "warn" },
  error: { label: "Failed", tone: "bad" },
};

/** Where sessions run, if not in Gatehouse, and how the platform differs. */
export function AgentPlatform({ agent }: { agent: Agent }) {
  if (agent.platform === "builtin") return null;
  return agent.platform === "anthropic" ? <Managed agent={agent} /> : <External agent={agent} />;
}

function External({ agent: { platform_config: config } }: { agent: Agent }) {
  return (
    <Section title="Platform" description="Sessions run at another service, which reports what happens.">
      <KeyValues items={[["Runner", config?.url ?? null]]} />
    </Section>
  );
}

function Managed({ agent }: { agent: Agent }) {
  const api = useApi();
  const queries = useQueryClient();
  const { changes } = useRights();
  const sync = useMutation({
    mutationFn: (direction: "push" | "pull" | "both") =>
      api.syncBackgroundAgent({ path: { slug: agent.slug }, body: { direction } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: agentsKey }),
  });
  const { status, last_synced_at: at, platform_agent_id: id, error } = agent.sync;
  const drift = sync.data?.data.drift ?? [];
  const button = (direction: "push" | "pull" | "both", label: string) => (
    <Button
      variant="default"
      loading={sync.isPending && sync.variables === direction}
      onClick={() => sync.mutate(direction)}
    >
      {label}
    </Button>
  );
  return (
    <Section
      title="Platform"
      description="Sessions run at Claude Managed Agents. A sync sends the definition there, and imports sessions."
      actions={
        changes && (
          <>
            {status === "drift" && button("pull", "Use remote")}
            {status === "drift" && button("push", "Overwrite remote")}
            {button("both", "Sync")}
          </>
        )
      }
    >
      <KeyValues
        items={[
          [
            "Sync",
            <StatusPill key="status" tone={SYNC[status].tone}>
              {SYNC[status].label}
            </StatusPill>,
          ],
          ["Last sync", <TimeAgo key="at" time={at} />],
          ["Remote agent", id],
        ]}
      />
      {error !== null && <Note tone="bad">{error}</Note>}
      {drift.map(({ field, local, remote }) => (
        <Note key={field} tone="warn">
          {`${field}: “${remote.slice(0, 200)}” on the platform, “${local.slice(0, 200)}” here`}
        </Note>
      ))}
      <ErrorNote error={sync.error} />
    </Section>
  );
}
