import { Skeleton, Stack, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { ActionChoice } from "./action-choice.tsx";
import { discoveryKey, type Policy, policyQuery } from "./discovery.ts";
import { PolicyHistory } from "./policy-history.tsx";
import { RuleList } from "./rule-list.tsx";
import { ViolationList } from "./violation-list.tsx";

const route = getRouteApi("/discovery/policy");

const TABS = [
  { value: "rules", label: "Rules" },
  { value: "violations", label: "Violations" },
  { value: "history", label: "History" },
] as const;

const DEFAULTS = ["default_actions", "always_allow_managed", "enforcement"];

export function PolicyPage() {
  const api = useApi();
  const { tab = "rules" } = route.useSearch();
  const { data: policy, error, refetch } = useQuery(policyQuery(api));
  return (
    <>
      <PageHeader
        title="Policy"
        description="Decides which discovered MCP servers and skills are allowed, warned about, or blocked."
      />
      <ManagedNote kind="discovery-policy" name="organization" />
      <UrlTabs label="Policy" tabs={TABS} value={tab} />
      {tab === "rules" && error && !policy && <ErrorState error={error} onRetry={() => void refetch()} />}
      {policy && policy.devices_to_evaluate > 0 && (
        <Note tone="info">Applying the last change: {remaining(policy.devices_to_evaluate)}.</Note>
      )}
      {tab === "rules" && !policy && !error && <Skeleton height={240} />}
      {tab === "rules" && policy && (
        <>
          <ManagedArea kind="discovery-policy" name="organization" fields={["rules"]}>
            <RuleList />
          </ManagedArea>
          <ManagedArea kind="discovery-policy" name="organization" fields={DEFAULTS}>
            <Defaults policy={policy} />
          </ManagedArea>
        </>
      )}
      {tab === "violations" && <ViolationList />}
      {tab === "history" && <PolicyHistory />}
    </>
  );
}

function remaining(devices: number): string {
  return devices === 1 ? "1 device remains" : `${devices.toLocaleString("en")} devices remain`;
}

function Defaults({ policy }: { policy: Policy }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Parameters<typeof api.updateDiscoveryPolicy>[0]["body"]) => api.updateDiscoveryPolicy({ body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: discoveryKey }),
  });
  const { default_actions: defaults } = policy;
  const isLocked = !changes || save.isPending;
  return (
    <Section title="Defaults" description="Applies to everything that no rule matches.">
      <Stack gap="sm" maw={480}>
        <ActionChoice
          label="MCP servers"
          value={defaults.mcp_servers}
          disabled={isLocked}
          onChange={(mcp_servers) => save.mutate({ default_actions: { mcp_servers } })}
        />
        <ActionChoice
          label="Skills"
          value={defaults.skills}
          disabled={isLocked}
          onChange={(skills) => save.mutate({ default_actions: { skills } })}
        />
        <Switch
          label="Always allow servers that use this gateway"
          description="Also applies to the organization's skills"
          checked={policy.always_allow_managed}
          disabled={isLocked}
          onChange={(event) => save.mutate({ always_allow_managed: event.currentTarget.checked })}
        />
        <Switch
          label="Enforce on devices"
          description="Devices that run the scan agent in enforce mode remove blocked entries, and restore them when they are allowed again"
          checked={policy.enforcement === "enforce"}
          disabled={isLocked}
          onChange={(event) => save.mutate({ enforcement: event.currentTarget.checked ? "enforce" : "monitor" })}
        />
      </Stack>
      <ErrorNote error={save.error} />
    </Section>
  );
}
