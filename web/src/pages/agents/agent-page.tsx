import { Button, Group } from "@mantine/core";
import { IconBolt, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { AgentSessions } from "./agent-sessions.tsx";
import { AgentSettings } from "./agent-settings.tsx";
import { AgentTriggers } from "./agent-triggers.tsx";
import { AGENT_STATUSES, type Agent, agentQuery } from "./agents.ts";
import { RunDialog } from "./run-dialog.tsx";
import { useSaveAgent } from "./save-agent.ts";
import "./agents.css";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";

const route = getRouteApi("/agents/$slug");
const PARENT = { label: "Agents", to: "/agents" };

export function AgentPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const query = useQuery(agentQuery(api, slug));
  return (
    <RecordPage query={query} slug={slug} parent={PARENT} icon={IconBolt} kind="Agent">
      {(agent) => <Detail agent={agent} key={agent.slug} />}
    </RecordPage>
  );
}

function Detail({ agent }: { agent: Agent }) {
  const { tab = "sessions", run } = route.useSearch();
  const navigate = route.useNavigate();
  const { tone, label } = AGENT_STATUSES[agent.status];
  const openRun = (what: "session" | undefined) => void navigate({ search: (old) => ({ ...old, run: what }) });
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={agent.name}
        description={<Description agent={agent} />}
        aside={<StatusPill tone={tone}>{label}</StatusPill>}
        actions={<Actions agent={agent} onRun={() => openRun("session")} />}
      />
      {agent.identity === null && (
        <Note tone="bad">
          The machine user of this agent was deleted, so the agent was paused. Select another one in the settings, then
          activate the agent.
        </Note>
      )}
      <ManagedNote kind="agents" name={agent.slug} />
      <UrlTabs
        label="Agent"
        value={tab}
        tabs={[
          { value: "sessions", label: "Sessions" },
          { value: "triggers", label: "Triggers" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "sessions" && <AgentSessions agent={agent} />}
      {tab === "triggers" && (
        <ManagedArea kind="agents" name={agent.slug}>
          <AgentTriggers agent={agent} />
        </ManagedArea>
      )}
      {tab === "settings" && <AgentSettings agent={agent} />}
      <RunDialog agent={agent} opened={run === "session"} onClose={() => openRun(undefined)} />
    </>
  );
}

/** Only active agents start sessions. */
function Actions({ agent, onRun }: { agent: Agent; onRun: () => void }) {
  const { changes } = useRights();
  const save = useSaveAgent(agent.slug);
  const isActive = agent.status === "active";
  return (
    <Group gap="sm">
      {changes && (
        <Button
          variant="default"
          loading={save.isPending}
          onClick={() => save.mutate({ status: isActive ? "paused" : "active" })}
        >
          {isActive ? "Pause" : "Activate"}
        </Button>
      )}
      {changes && (
        <Button leftSection={<IconPlayerPlay size={16} />} disabled={!isActive} onClick={onRun}>
          Run
        </Button>
      )}
      <ErrorNote error={save.error} />
    </Group>
  );
}

function Description({ agent: { description, identity } }: { agent: Agent }) {
  return (
    <>
      {description !== "" && <div>{description}</div>}
      {identity !== null && (
        <div>
          Calls tools as{" "}
          <TextLink
            to="/machine-users/$slug"
            params={{ slug: identity.split("@")[0] ?? "" }}
            size="sm"
            underline="always"
          >
            {identity}
          </TextLink>
          . Add this machine user to groups to give the agent tools.
        </div>
      )}
    </>
  );
}
