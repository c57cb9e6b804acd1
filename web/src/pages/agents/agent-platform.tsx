import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import type { Tone } from "../../components/tone.ts";
import { SettingsFields } from "../records/settings-fields.tsx";
import { type Agent, agentsKey } from "./agents.ts";
import { PlatformFields } from "./platform-fields.tsx";
import { platformBody, platformField, platformValues, storedUrl } from "./platform-values.ts";
import { useSaveAgent } from "./save-agent.ts";
import { type SectionProps, useReportedChanges } from "./settings-section.tsx";

const SYNC: Readonly<Record<Agent["sync"]["status"], { readonly label: string; readonly tone: Tone }>> = {
  never: { label: "Never synced", tone: "quiet" },
  synced: { label: "Synced", tone: "good" },
  drift: { label: "Differs", tone: "warn" },
  error: { label: "Failed", tone: "bad" },
};

/** Where sessions run, if not in Gatehouse. */
export function PlatformSettings({ agent, ...props }: SectionProps) {
  const { platform } = agent;
  if (platform === "builtin") return null;
  return (
    <Section
      title="Platform"
      description={
        platform === "webhook"
          ? "Sessions run at a service that you operate. A different URL needs the secret again."
          : "Sessions run at Claude Managed Agents. A different URL needs the API key again."
      }
    >
      <PlatformForm agent={agent} platform={platform} {...props} />
    </Section>
  );
}

function PlatformForm({
  agent,
  platform,
  onSaved,
  onChanges,
}: SectionProps & { readonly platform: Exclude<Agent["platform"], "builtin"> }) {
  const save = useSaveAgent(agent.slug);
  const config = agent.platform_config;
  const serverForm = useServerForm({
    initial: platformValues(agent),
    fieldOf: platformField,
    submit: async (values) => {
      await save.mutateAsync({ platform_config: platformBody(platform, values) });
      onSaved();
    },
  });
  const { form } = serverForm;
  useReportedChanges(form.isDirty(), onChanges);
  const isSameUrl = form.values.url.trim() === storedUrl(config);
  return (
    <SettingsFields form={serverForm}>
      <PlatformFields
        platform={platform}
        hasKey={isSameUrl && config?.has_api_key === true}
        hasSecret={isSameUrl && config?.has_secret === true}
        propsOf={(field) => form.getInputProps(field)}
        setSecret={(secret) => form.setFieldValue("secret", secret)}
      />
    </SettingsFields>
  );
}

/** How the definition at Claude Managed Agents differs from this one. */
export function PlatformSync({ agent }: { agent: Agent }) {
  const api = useApi();
  const queries = useQueryClient();
  const { changes } = useRights();
  const sync = useMutation({
    mutationFn: (direction: "push" | "pull" | "both") =>
      api.syncBackgroundAgent({ path: { slug: agent.slug }, body: { direction } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: agentsKey }),
  });
  const { status, last_synced_at: at, platform_agent_id: id, platform_version: version, error } = agent.sync;
  const { tone, label } = SYNC[status];
  const button = (direction: "push" | "pull" | "both", text: string) => (
    <Button
      variant="default"
      loading={sync.isPending && sync.variables === direction}
      onClick={() => sync.mutate(direction)}
    >
      {text}
    </Button>
  );
  return (
    <Section
      title="Sync"
      description="Sends the definition and imports sessions."
      actions={
        changes && (
          <>
            {status === "drift" && button("pull", "Use remote")}
            {status === "drift" && button("push", "Overwrite remote")}
            <LinkButton to="/agents" search={{ add: "import" }} variant="subtle">
              Import other agents
            </LinkButton>
            {button("both", "Sync")}
          </>
        )
      }
    >
      <KeyValues
        items={[
          [
            "Status",
            <StatusPill key="status" tone={tone}>
              {label}
            </StatusPill>,
          ],
          ["Last sync", <TimeAgo key="at" time={at} />],
          ["Remote agent", id],
          ["Remote version", version ?? undefined],
        ]}
      />
      {error !== null && <Note tone="bad">{error}</Note>}
      {sync.data && <SyncResult result={sync.data.data} />}
      <ErrorNote error={sync.error} />
    </Section>
  );
}

type Synced = Awaited<ReturnType<ReturnType<typeof useApi>["syncBackgroundAgent"]>>["data"];

function SyncResult({ result: { pushed, drift, sessions_imported: imported } }: { result: Synced }) {
  const sessions = imported === 1 ? "1 session imported." : `${imported} sessions imported.`;
  return (
    <div aria-live="polite">
      <Note>{`${pushed ? "The definition was sent." : "The definition was not sent."} ${sessions}`}</Note>
      {drift.map(({ field, local, remote }) => (
        <Note key={field} tone="warn">
          {`${field}: “${remote.slice(0, 200)}” on the platform, “${local.slice(0, 200)}” here`}
        </Note>
      ))}
    </div>
  );
}
