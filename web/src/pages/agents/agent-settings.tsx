import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ManagedArea } from "../config/managed-note.tsx";
import { DeleteSection } from "../records/delete-section.tsx";
import { Access } from "./agent-access.tsx";
import { General } from "./agent-general.tsx";
import { Limits, Model } from "./agent-model.tsx";
import { PlatformSettings, PlatformSync } from "./agent-platform.tsx";
import { type Agent, agentsKey } from "./agents.ts";
import { SettingsSection, useUnsavedSections } from "./settings-section.tsx";
import { TestRun } from "./test-run.tsx";

/** The editor, with a test run next to it. */
export function AgentSettings({ agent }: { agent: Agent }) {
  const { changes } = useRights();
  const [unsaved, report] = useUnsavedSections();
  const { name, description, instructions, owner_emails: owners, version } = agent;
  const { identity, toolkit, skills, platform, model, provider, platform_config: config } = agent;
  return (
    <>
      <div className="gh-agent-editor">
        <ManagedArea kind="agents" name={agent.slug}>
          <div>
            {platform === "anthropic" && <PlatformSync agent={agent} />}
            <SettingsSection name="General" shown={[name, description, instructions, owners, version]} report={report}>
              {(props) => <General agent={agent} {...props} />}
            </SettingsSection>
            <SettingsSection name="Access" shown={[identity, toolkit, skills]} report={report}>
              {(props) => <Access agent={agent} {...props} />}
            </SettingsSection>
            {platform === "builtin" ? (
              <SettingsSection name="Model" shown={[model, provider]} report={report}>
                {(props) => <Model agent={agent} {...props} />}
              </SettingsSection>
            ) : (
              <SettingsSection name="Platform" shown={config} report={report}>
                {(props) => <PlatformSettings agent={agent} {...props} />}
              </SettingsSection>
            )}
            <SettingsSection name="Limits" shown={agent.limits} report={report}>
              {(props) => <Limits agent={agent} {...props} />}
            </SettingsSection>
          </div>
        </ManagedArea>
        {changes && <TestRun agent={agent} unsaved={unsaved} />}
      </div>
      <ManagedArea kind="agents" name={agent.slug}>
        <Danger agent={agent} />
      </ManagedArea>
    </>
  );
}

function Danger({ agent: { slug, name } }: { agent: Agent }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  if (!useRights().changes) return null;
  return (
    <DeleteSection
      kind="agent"
      name={name}
      slug={slug}
      description="Deletes the agent and its sessions. Its machine user is kept."
      remove={() => api.deleteBackgroundAgent({ query: { slug, force: true } })}
      onDeleted={async () => {
        await navigate({ to: "/agents", replace: true });
        await queries.invalidateQueries({ queryKey: agentsKey });
      }}
    >
      Running sessions are canceled. The log keeps the calls.
    </DeleteSection>
  );
}
