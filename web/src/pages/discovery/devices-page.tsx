import { Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDeviceLaptop } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import type { Tone } from "../../components/tone.ts";
import {
  clientLabel,
  type Device,
  discoveryKey,
  type FoundInstance,
  KIND_LABELS,
  SYSTEM_LABELS,
  TAB_OF_KIND,
} from "./discovery.ts";
import { ActionPill } from "./pills.tsx";
import { UnreadPaths } from "./unread-paths.tsx";
import "./discovery.css";

const route = getRouteApi("/discovery/devices");

const STATUSES: Readonly<Record<Device["status"], { label: string; tone: Tone }>> = {
  active: { label: "Active", tone: "good" },
  stale: { label: "Stale", tone: "warn" },
  retired: { label: "Retired", tone: "quiet" },
};
const STATUS_OPTIONS = (["active", "stale", "retired"] as const).map((value) => ({
  value,
  label: STATUSES[value].label,
}));
const WARNINGS: Readonly<Record<string, string>> = {
  cloned_id:
    "Another device reports the same ID with a different serial number. Both were probably installed from one image.",
  token_changed:
    "Reports arrived with several API tokens. If you did not replace the token, somebody else may report in the name of this device.",
};

export function DevicesPage() {
  const api = useApi();
  const { q, status, device } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...discoveryKey, "devices", q, status], (skip, signal) =>
    api.listDiscoveryDevices({ query: { search: q, status, skip, limit: 100 }, signal }),
  );
  const isFiltered = q !== undefined || status !== undefined;
  const open = (id: string | undefined) => void navigate({ search: (old) => ({ ...old, device: id }) });
  return (
    <>
      <PageHeader
        title="Devices"
        description="Devices with the scan agent, which reports their MCP servers, skills, agent memory, and agents."
        actions={
          list.rows.length > 0 && (
            <LinkButton to="/discovery/roll-out" variant="default">
              Roll out scan agent
            </LinkButton>
          )
        }
      />
      <FilterBar>
        <SearchField
          label="Search devices"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={STATUS_OPTIONS}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, status: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Devices"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={({ id }) => open(id)}
        openKey={device}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconDeviceLaptop}
              title="No matching devices"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear filters
                </Button>
              }
            >
              The search covers names, IDs, accounts, and emails.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconDeviceLaptop}
              title="No device has reported yet"
              actions={<LinkButton to="/discovery/roll-out">Roll out the scan agent</LinkButton>}
            >
              Devices appear here after their first report.
            </EmptyState>
          )
        }
      />
      <DevicePanel id={device} onClose={() => open(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Device>> = [
  {
    key: "name",
    header: "Device",
    render: ({ hostname, user_email: email, username }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{hostname}</span>
        <span className="gh-truncate">{email ?? username ?? "Unknown user"}</span>
      </span>
    ),
  },
  { key: "os", header: "System", width: "7rem", hideBelow: "md", render: ({ os }) => SYSTEM_LABELS[os] ?? os },
  {
    key: "servers",
    header: "MCP servers",
    width: "7rem",
    align: "right",
    hideBelow: "sm",
    render: ({ counts }) => counts.mcp_servers.toLocaleString("en"),
  },
  {
    key: "skills",
    header: "Skills",
    width: "5rem",
    align: "right",
    hideBelow: "md",
    render: ({ counts }) => counts.skills.toLocaleString("en"),
  },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "6.5rem",
    render: ({ status }) => <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill>,
  },
  {
    key: "seen",
    header: "Last seen",
    width: "8rem",
    hideBelow: "sm",
    render: ({ last_seen: at }) => <TimeAgo time={at} />,
  },
];

function DevicePanel({ id, onClose }: { id: string | undefined; onClose(): void }) {
  const api = useApi();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...discoveryKey, "device", id],
    queryFn: async ({ signal }) => (await api.getDiscoveryDevice({ path: { id: id ?? "" }, signal })).data,
    enabled: id !== undefined,
  });
  return (
    <Drawer opened={id !== undefined} onClose={onClose} size={560} title={data?.hostname ?? "Device"}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isPending && id !== undefined && <Skeleton height={240} />}
      {data && (
        <Stack gap="md">
          {data.warnings.map((warning) => (
            <Note key={warning} tone="warn">
              {WARNINGS[warning] ?? warning}
            </Note>
          ))}
          <KeyValues
            items={[
              ["User", data.user_email],
              ["Account on the device", data.username],
              ["Operating system", `${SYSTEM_LABELS[data.os] ?? data.os} ${data.os_version ?? ""}`],
              ["Device ID", data.id],
              ["Scan agent version", data.agent_version],
              ["API token", data.reported_with],
              ["First seen", <TimeAgo key="first" time={data.first_seen} />],
              ["Last seen", <TimeAgo key="last" time={data.last_seen} />],
            ]}
          />
          <Section title="Found on this device">
            {data.instances.length === 0 && <Text size="sm">The last report contained nothing.</Text>}
            <Stack gap="xs">
              {byAction(data.instances).map((instance) => (
                <Found key={instance.id} instance={instance} />
              ))}
            </Stack>
          </Section>
          <UnreadPaths errors={data.scan_errors} />
          <DeleteDevice device={data} onDeleted={onClose} />
        </Stack>
      )}
    </Drawer>
  );
}

const ACTIONS_FIRST = ["block", "warn", "allow", null];

/** Blocked items come first. */
function byAction(instances: readonly FoundInstance[]): FoundInstance[] {
  return instances.toSorted((a, b) => ACTIONS_FIRST.indexOf(a.action) - ACTIONS_FIRST.indexOf(b.action));
}

/** The policy decides about MCP servers and skills only. */
function Found({ instance: { kind, key, name, client, path, action, quarantined } }: { instance: FoundInstance }) {
  const labels = [KIND_LABELS[kind], clientLabel(client), ...(quarantined === true ? ["Quarantined"] : [])];
  return (
    <Group justify="space-between" wrap="nowrap" fz="sm">
      <div className="gh-two-lines">
        <span className="gh-truncate">
          <TextLink
            to="/discovery/inventory"
            search={{ tab: TAB_OF_KIND[kind], item: key }}
            size="sm"
            underline="always"
          >
            {name}
          </TextLink>{" "}
          <span className="gh-dim">{labels.join(" · ")}</span>
        </span>
        <code className="gh-truncate" title={path}>
          {path}
        </code>
      </div>
      {action !== null && <ActionPill action={action} />}
    </Group>
  );
}

function DeleteDevice({ device, onDeleted }: { device: Device; onDeleted(): void }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const [opened, dialog] = useDisclosure();
  const remove = useMutation({
    mutationFn: () => api.deleteDiscoveryDevice({ query: { id: device.id } }),
    onSuccess: async () => {
      dialog.close();
      onDeleted();
      await queries.invalidateQueries({ queryKey: discoveryKey });
    },
  });
  if (!changes) return null;
  return (
    <div>
      <Button color="red" variant="light" onClick={dialog.open}>
        Delete device
      </Button>
      <ConfirmDialog
        opened={opened}
        title={`Delete device ${device.hostname}?`}
        action="Delete device"
        isDestructive
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={dialog.close}
      >
        Everything that it reported is deleted. If it reports again, it appears as a new device.
      </ConfirmDialog>
    </div>
  );
}
