import { Group, Switch } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { GuardChecks } from "./guard-checks.tsx";
import { GuardDryRun } from "./guard-dry-run.tsx";
import { GuardSettings } from "./guard-settings.tsx";
import { GuardTest } from "./guard-test.tsx";
import { type Guard, type GuardWithStats, guardQuery } from "./guards.ts";
import { useSaveGuard } from "./save-guard.ts";

const route = getRouteApi("/guards/$slug");
const PARENT = { label: "Guards", to: "/guards" };

export function GuardPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const query = useQuery(guardQuery(api, slug));
  return (
    <RecordPage query={query} slug={slug} parent={PARENT} icon={IconShieldCheck} kind="Guard">
      {(guard) => (
        <ManagedArea kind="guards" name={guard.slug} key={guard.slug}>
          <GuardDetail guard={guard} />
        </ManagedArea>
      )}
    </RecordPage>
  );
}

function GuardDetail({ guard }: { guard: GuardWithStats }) {
  const { tab = "settings" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={guard.name}
        description={guard.description || undefined}
        aside={guard.is_builtin && <StatusPill tone="quiet">Built-in</StatusPill>}
        actions={<Activation guard={guard} />}
      />
      {guard.type === "buildtime" && (
        <Note tone="info">
          This guard examines content before it becomes available: toolkits when they are activated, and definitions of
          tools when they are synced. It does not examine calls.
        </Note>
      )}
      <ManagedNote kind="guards" name={guard.slug} />
      <UrlTabs
        label="Guard"
        value={tab}
        tabs={[
          { value: "settings", label: "Settings" },
          { value: "checks", label: `Checks ${guard.checks.length}` },
          { value: "test", label: "Test" },
          ...(guard.type === "runtime" ? [{ value: "dry-run" as const, label: "Dry run" }] : []),
        ]}
      />
      {tab === "settings" && <Stats guard={guard} />}
      {tab === "settings" && <GuardSettings guard={guard} />}
      {tab === "checks" && <GuardChecks guard={guard} />}
      {tab === "test" && <GuardTest guard={guard} />}
      {tab === "dry-run" && guard.type === "runtime" && <GuardDryRun guard={guard} />}
    </>
  );
}

/** Calls since the guard was turned on for the first time. */
function Stats({ guard: { stats, slug } }: { guard: GuardWithStats }) {
  const { evaluated, fired, last_fired_at: last } = stats;
  if (evaluated === 0) return null;
  return (
    <Section
      title="Activity"
      actions={
        <LinkButton to="/logs" search={{ guard: slug }} variant="default">
          View calls
        </LinkButton>
      }
    >
      <KeyValues
        items={[
          ["Examined", evaluated.toLocaleString("en")],
          ["Fired", fired.toLocaleString("en")],
          ["Last fired", <TimeAgo key="last" time={last} never="Never" />],
        ]}
      />
    </Section>
  );
}

function Activation({ guard }: { guard: Guard }) {
  const { changes } = useRights();
  const save = useSaveGuard(guard.slug);
  return (
    <Group gap="sm">
      <Switch
        label={guard.enabled ? "On" : "Off"}
        aria-label={`Turn on ${guard.name}`}
        checked={guard.enabled}
        disabled={!changes || save.isPending}
        onChange={(event) => save.mutate({ enabled: event.currentTarget.checked })}
      />
      <ErrorNote error={save.error} />
    </Group>
  );
}
