import { Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Api } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import {
  clientLabel,
  discoveryKey,
  type FoundInstance,
  type FoundServer,
  REVIEW_LABELS,
  type Review,
  RISK_LABELS,
  type Tab,
} from "./discovery.ts";
import { ActionPill, RiskPill } from "./pills.tsx";
import "./discovery.css";

/** Fields that all kinds have, and those that some have. */
type Item = Pick<
  FoundServer,
  "name" | "risk" | "review_status" | "note" | "devices_count" | "users_count" | "first_seen" | "last_seen"
> &
  Partial<Pick<FoundServer, "action" | "managed" | "url" | "package" | "other_packages" | "command" | "transport">> &
  Partial<Pick<FoundServer, "mcp_server_slug" | "registry_id" | "fingerprint">> & {
    readonly instances: readonly FoundInstance[];
    readonly description?: string;
    readonly path?: string;
    readonly has_text?: boolean;
  };

async function fetchItem(api: Api, tab: Tab, id: string, signal: AbortSignal): Promise<Item> {
  const query = { limit: 50 };
  switch (tab) {
    case "servers":
      return (await api.getDiscoveredMcpServer({ path: { fingerprint: id }, query, signal })).data;
    case "skills":
      return (await api.getDiscoveredSkill({ path: { digest: id }, query, signal })).data;
    case "memory":
      return (await api.getDiscoveredMemory({ path: { id }, query, signal })).data;
    case "agents":
      return (await api.getDiscoveredAgent({ path: { id }, query, signal })).data;
  }
}

function saveReview(api: Api, tab: Tab, id: string, review_status: Review): Promise<unknown> {
  const body = { review_status };
  switch (tab) {
    case "servers":
      return api.updateDiscoveredMcpServer({ query: { fingerprint: id }, body });
    case "skills":
      return api.updateDiscoveredSkill({ query: { digest: id }, body });
    case "memory":
      return api.updateDiscoveredMemory({ query: { id }, body });
    case "agents":
      return api.updateDiscoveredAgent({ query: { id }, body });
  }
}

interface PanelProps {
  readonly tab: Tab;
  readonly id: string | undefined;
  onClose(): void;
}

/** One discovered item with its instances, next to the list. */
export function ItemPanel({ tab, id, onClose }: PanelProps) {
  const api = useApi();
  const query = useQuery({
    queryKey: [...discoveryKey, "item", tab, id],
    queryFn: ({ signal }) => fetchItem(api, tab, id ?? "", signal),
    enabled: id !== undefined,
  });
  return (
    <Drawer opened={id !== undefined} onClose={onClose} size={600} title={query.data?.name ?? "Discovered item"}>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && id !== undefined && <Skeleton height={240} />}
      {query.data && id !== undefined && <Details tab={tab} id={id} item={query.data} />}
    </Drawer>
  );
}

function Details({ tab, id, item }: { tab: Tab; id: string; item: Item }) {
  const { changes } = useRights();
  return (
    <Stack gap="md">
      {changes && <Actions tab={tab} id={id} item={item} />}
      <KeyValues
        items={[
          ["Policy", item.action === undefined ? undefined : <ActionPill key="action" action={item.action} />],
          ["Risk", <RiskPill key="risk" risk={item.risk} />],
          ["Risk factors", item.risk.reasons.map((reason) => RISK_LABELS[reason] ?? reason).join(" · ") || undefined],
          ["URL", item.url && <CopyText key="url" value={item.url} label="URL" />],
          ["Package", item.package ?? undefined],
          ["Other packages", item.other_packages?.join(", ") || undefined],
          ["Command", item.command ?? undefined],
          ["Path", item.path],
          ["Description", item.description],
          ["Managed", item.managed === undefined ? undefined : item.managed ? "Yes" : "No"],
          [
            "Registered as",
            item.mcp_server_slug ? (
              <TextLink key="slug" to="/mcp-servers/$slug" params={{ slug: item.mcp_server_slug }} size="sm">
                {item.mcp_server_slug}
              </TextLink>
            ) : undefined,
          ],
          ["Users", item.users_count.toLocaleString("en")],
          ["First seen", <TimeAgo key="first" time={item.first_seen} />],
          ["Last seen", <TimeAgo key="last" time={item.last_seen} />],
        ]}
      />
      <ReviewSection tab={tab} id={id} item={item} />
      <Section
        title={`On ${item.devices_count.toLocaleString("en")} ${item.devices_count === 1 ? "device" : "devices"}`}
      >
        <Instances instances={item.instances} />
      </Section>
    </Stack>
  );
}

function Instances({ instances }: { instances: readonly FoundInstance[] }) {
  if (instances.length === 0) return <Text size="sm">No device has it anymore.</Text>;
  return (
    <Stack gap="xs" fz="sm">
      {instances.map((instance) => (
        <div key={instance.id} className="gh-two-lines">
          <span>
            <TextLink to="/discovery/devices" search={{ device: instance.device_id }} size="sm" underline="always">
              {instance.hostname ?? instance.device_id}
            </TextLink>
            <span className="gh-dim">
              {` · ${clientLabel(instance.client)}`}
              {instance.user_email !== null && ` · ${instance.user_email}`}
              {instance.quarantined === true && " · Quarantined"}
            </span>
          </span>
          <code className="gh-truncate" title={instance.path}>
            {instance.path}
          </code>
          {instance.command !== undefined && (
            <code className="gh-command-line">{[instance.command, ...(instance.args ?? [])].join(" ")}</code>
          )}
        </div>
      ))}
    </Stack>
  );
}

function Actions({ tab, id, item }: { tab: Tab; id: string; item: Item }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const bring = useMutation({
    mutationFn: () => api.importDiscoveredMcpServer({ path: { fingerprint: id }, body: {} }),
    onSuccess: async ({ data }) => {
      notifications.show({ message: `Created draft server ${data.slug}` });
      await queries.invalidateQueries({ queryKey: discoveryKey });
      await navigate({ to: "/mcp-servers/$slug", params: { slug: data.slug } });
    },
  });
  const bringSkill = useMutation({
    mutationFn: () => api.importDiscoveredSkill({ path: { digest: id }, body: {} }),
    onSuccess: async ({ data, warnings }) => {
      notifications.show({ message: [`Created draft skill ${data.slug}`, ...(warnings ?? [])].join(". ") });
      await queries.invalidateQueries({ queryKey: discoveryKey });
      await navigate({ to: "/skills/$slug", params: { slug: data.slug } });
    },
  });
  const canImportSkill = tab === "skills" && item.has_text === true && !item.managed && item.action !== "block";
  const canImport = tab === "servers" && item.transport !== "stdio" && !item.managed && !item.mcp_server_slug;
  const block = useMutation({
    mutationFn: () =>
      api.createDiscoveryRule({
        body: {
          ...{ name: `Block ${item.name}`.slice(0, 255), position: 1, action: "block" as const },
          ...(tab === "skills"
            ? { kind: "skill" as const, match: { digest: [id] } }
            : { kind: "mcp_server" as const, match: { fingerprint: [id] } }),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: discoveryKey }),
  });
  const canBlock = (tab === "servers" || tab === "skills") && item.action !== "block" && !item.managed;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {canImport && item.action !== "block" && (
          <Button onClick={() => bring.mutate()} loading={bring.isPending}>
            Bring under management
          </Button>
        )}
        {canImportSkill && (
          <Button onClick={() => bringSkill.mutate()} loading={bringSkill.isPending}>
            Import as draft
          </Button>
        )}
        {canBlock && (
          <Button variant="default" onClick={() => block.mutate()} loading={block.isPending}>
            Block everywhere
          </Button>
        )}
        {item.action === "block" && (
          <LinkButton variant="default" to="/discovery/policy" search={{ tab: "violations" }}>
            Show violations
          </LinkButton>
        )}
      </Group>
      <ErrorNote error={bring.error ?? bringSkill.error ?? block.error} />
    </Stack>
  );
}

/** A review is a note of the admins. It only has an effect through rules with a condition on it. */
function ReviewSection({ tab, id, item }: { tab: Tab; id: string; item: Item }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const review = useMutation({
    mutationFn: (status: Review) => saveReview(api, tab, id, status),
    onSuccess: () => queries.invalidateQueries({ queryKey: discoveryKey }),
  });
  const button = (status: Review, label: string) =>
    item.review_status !== status && (
      <Button variant="default" onClick={() => review.mutate(status)} loading={review.isPending}>
        {label}
      </Button>
    );
  return (
    <Section
      title="Review"
      description="For your records. It changes nothing on devices unless a rule of the policy checks it."
      actions={
        changes && (
          <>
            {button("approved", "Approve")}
            {button("rejected", "Reject")}
          </>
        )
      }
    >
      <KeyValues
        items={[
          ["Status", REVIEW_LABELS[item.review_status]],
          ["Note", item.note ?? undefined],
        ]}
      />
      <ErrorNote error={review.error} />
    </Section>
  );
}
