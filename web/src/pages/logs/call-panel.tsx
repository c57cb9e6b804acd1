import { ActionIcon, Button, Drawer, Group, Skeleton, Text, Tooltip } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconCheck, IconChevronDown, IconChevronUp, IconFilter, IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi, useMe } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { useCopy } from "../../components/use-copy.ts";
import { sharedArguments } from "../playground/share.ts";
import { asCurl, keptRequest, requestLike, toolName } from "./as-curl.ts";
import { bytes, type Call, duration, GUARD_ACTION_LABELS, OUTCOME_LABELS, VIA_LABELS } from "./call-labels.ts";
import { CallPayload, useCallPayload } from "./call-payload.tsx";
import { CallTimeline } from "./call-timeline.tsx";
import { type CallFilters, callDetailQuery } from "./calls.ts";
import { GuardFindings } from "./guard-findings.tsx";

interface CallPanelProps {
  readonly id: string | undefined;
  /** The rows of the list, for stepping to newer and older calls. */
  readonly rows: readonly Call[];
  onOpen(id: string | undefined): void;
  onFilter(patch: Partial<CallFilters>): void;
}

/** The details of one call, next to the list. */
export function CallPanel({ id, rows, onOpen, onFilter }: CallPanelProps) {
  const at = id === undefined ? -1 : rows.findIndex((row) => row.id === id);
  const newer = at > 0 ? rows[at - 1] : undefined;
  const older = at >= 0 ? rows[at + 1] : undefined;
  useHotkeys([
    ["j", () => older && id !== undefined && onOpen(older.id)],
    ["k", () => newer && id !== undefined && onOpen(newer.id)],
  ]);
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => onOpen(undefined)}
      size={560}
      title={
        <Group gap={4}>
          Call
          <Step label="Newer call (k)" to={newer} onOpen={onOpen} icon={<IconChevronUp size={16} />} />
          <Step label="Older call (j)" to={older} onOpen={onOpen} icon={<IconChevronDown size={16} />} />
        </Group>
      }
    >
      {id !== undefined && <OneCall key={id} id={id} known={rows[at]} onFilter={onFilter} />}
    </Drawer>
  );
}

interface StepProps {
  readonly label: string;
  readonly to: Call | undefined;
  readonly icon: ReactNode;
  onOpen(id: string): void;
}

function Step({ label, to, icon, onOpen }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} disabled={!to} onClick={() => to && onOpen(to.id)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

interface OneCallProps {
  readonly id: string;
  /** The row of the list, shown until the details load. */
  readonly known: Call | undefined;
  onFilter(patch: Partial<CallFilters>): void;
}

function OneCall({ id, known, onFilter }: OneCallProps) {
  const api = useApi();
  const { data: detail, error, refetch } = useQuery(callDetailQuery(api, id));
  const payload = useCallPayload(id);
  const call: (Call & { readonly gateway_name?: string | null }) | undefined = detail ?? known;
  if (error && !call) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!call) return <Skeleton height={320} />;
  const kept = keptRequest(payload.data?.request.text ?? null, call);
  return (
    <>
      <Head call={call} />
      <Actions call={call} kept={kept} />
      <Section title="Timeline">
        {detail ? <CallTimeline timeline={detail.timeline} /> : <Skeleton height={32} />}
      </Section>
      <Section title="Details">
        <Details call={call} onFilter={onFilter} />
      </Section>
      <GuardFindings call={call} />
      <Section title="Payload">
        {detail ? <CallPayload hasPayload={detail.has_payload} payload={payload} /> : <Skeleton height={60} />}
      </Section>
    </>
  );
}

const exact = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long", hourCycle: "h23" });

function Head({ call }: { call: Call }) {
  const { label, tone, sentence } = OUTCOME_LABELS[call.outcome];
  return (
    <div className="gh-call-head">
      <Group gap="xs">
        <Text fw={600} size="lg" component="h2" m={0}>
          {call.tool ?? call.method}
        </Text>
        <StatusPill tone={tone}>{label}</StatusPill>
      </Group>
      <Text size="sm" c="dimmed">
        {exact.format(new Date(call.ts))}
      </Text>
      {call.outcome !== "ok" && (
        <Note tone={tone}>
          {sentence}
          {call.error !== null && <span className="gh-call-error">{call.error}</span>}
        </Note>
      )}
    </div>
  );
}

function Actions({
  call,
  kept,
}: {
  call: Call & { gateway_name?: string | null };
  kept: ReturnType<typeof keptRequest>;
}) {
  const { gateway_url: gatewayUrl } = useMe();
  const { copy, copied } = useCopy();
  const curl = asCurl(gatewayUrl, kept?.body ?? requestLike(call));
  const tool = toolName(call);
  return (
    <Group gap="xs" mb="md">
      {tool !== undefined && (
        <LinkButton
          variant="default"
          to="/playground"
          search={{ tool }}
          {...(kept?.arguments === undefined ? {} : { hash: sharedArguments(kept.arguments) })}
        >
          {kept?.arguments === undefined ? "Open in playground" : "Replay in playground"}
        </LinkButton>
      )}
      <Button
        variant="default"
        leftSection={copied ? <IconCheck size={15} /> : <IconTerminal2 size={15} />}
        onClick={() => copy(curl)}
      >
        {copied ? "Copied" : "Copy as curl"}
      </Button>
    </Group>
  );
}

function Details({ call, onFilter }: { call: Call; onFilter: (patch: Partial<CallFilters>) => void }) {
  const { server_slug: slug, tool } = call;
  const user = (
    <Filterable label="Filter by this user" onClick={() => onFilter({ user: call.user_email })}>
      {call.user_email}
    </Filterable>
  );
  const server = slug !== null && (
    <Filterable label="Filter by this server" onClick={() => onFilter({ server: slug })}>
      <TextLink to="/mcp-servers/$slug" params={{ slug }} inherit>
        {slug}
      </TextLink>
    </Filterable>
  );
  const called = tool !== null && (
    <Filterable label="Filter by this tool" onClick={() => onFilter({ tool, server: slug ?? undefined })}>
      {tool}
    </Filterable>
  );
  const { client_id: clientId, trace_id: traceId, toolkit_slug: toolkitSlug } = call;
  const toolkit = toolkitSlug !== null && (
    <Filterable label="Filter by this toolkit" onClick={() => onFilter({ toolkit: toolkitSlug })}>
      <TextLink to="/toolkits/$slug" params={{ slug: toolkitSlug }} inherit>
        {toolkitSlug}
      </TextLink>
    </Filterable>
  );
  const guardSlug = call.guard_slug;
  const guard = guardSlug !== null && (
    <Filterable label="Filter by this guard" onClick={() => onFilter({ guard: guardSlug })}>
      {guardSlug}
    </Filterable>
  );
  const client = clientId !== null && (
    <Filterable label="Filter by this client" onClick={() => onFilter({ client: clientId })}>
      <CopyText value={clientId} label="Copy client ID" />
    </Filterable>
  );
  const trace = traceId !== null && (
    <Filterable label="Filter by this trace" onClick={() => onFilter({ trace_id: traceId })}>
      <CopyText value={traceId} label="Copy trace ID" />
    </Filterable>
  );
  return (
    <KeyValues
      items={[
        ["User", user],
        ["Authenticated with", VIA_LABELS[call.via]],
        ["Client ID", client || undefined],
        ["Server", server || null],
        ["Tool", called || undefined],
        ["Name in the toolkit", call.exposed_tool ?? undefined],
        ["Toolkit", toolkit || undefined],
        ["Same name also in", call.toolkit_conflict ?? undefined],
        ["Guard", guard || undefined],
        ["Guard action", call.guard_action === null ? undefined : GUARD_ACTION_LABELS[call.guard_action]],
        ["Approval", approvalLink(call)],
        ["Method", call.method],
        ["Duration", duration(call.duration_ms)],
        ["Request size", bytes(call.request_bytes)],
        ["Response size", bytes(call.response_bytes)],
        ["Request ID", <CopyText key="id" value={call.request_id} label="Copy request ID" />],
        ["Trace ID", trace || undefined],
      ]}
    />
  );
}

function approvalLink({ approval_id: id }: Call) {
  return id === null ? undefined : (
    <TextLink to="/approvals/$id" params={{ id }} inherit>
      {id}
    </TextLink>
  );
}

/** A value with a button that filters by it. */
function Filterable({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <span className="gh-filterable">
      <span>{children}</span>
      <Tooltip label={label}>
        <ActionIcon size="sm" aria-label={label} onClick={onClick}>
          <IconFilter size={14} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
