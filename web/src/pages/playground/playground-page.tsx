import { Group, Skeleton, Text, UnstyledButton } from "@mantine/core";
import { IconArrowLeft, IconPlayerPlay, IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { withBasePath } from "../../api/base-path.ts";
import { useApi } from "../../api/context.tsx";
import { createGateway, type Gateway, type GatewayTool } from "../../api/gateway.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { SearchField } from "../../components/filter-bar.tsx";
import { LinkButton, TextLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { duration, OUTCOME_LABELS } from "../logs/call-labels.ts";
import { outcomeOf, type Run, useRuns } from "./runs.ts";
import { readSharedArguments } from "./share.ts";
import { ToolList } from "./tool-list.tsx";
import { ToolRunner } from "./tool-runner.tsx";
import { matching, serversQuery, toolsQuery } from "./tools.ts";
import { UnavailableTool } from "./unavailable-tool.tsx";
import "./playground.css";

const route = getRouteApi("/playground");

export function PlaygroundPage() {
  const api = useApi();
  const [gateway] = useState(() => createGateway(api, withBasePath("/mcp")));
  const { data: tools, error, refetch } = useQuery(toolsQuery(gateway));
  return (
    <>
      <PageHeader
        title="Playground"
        description="Call any tool you have access to. Calls are real: they run on the MCP server and are logged."
      />
      {tools ? (
        <ToolBrowser gateway={gateway} tools={tools} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ToolBrowserSkeleton />
      )}
    </>
  );
}

/** The run opened from the history. `nth` changes with every click, so that the same run can be opened again. */
interface Shown {
  readonly run: Run;
  readonly nth: number;
}

function ToolBrowser({ gateway, tools }: { gateway: Gateway; tools: readonly GatewayTool[] }) {
  const api = useApi();
  const { data: servers } = useQuery(serversQuery(api));
  const { tool: chosen, q } = route.useSearch();
  const navigate = route.useNavigate();
  const [shown, setShown] = useState<Shown>();
  const tool = tools.find(({ name }) => name === chosen);
  const found = matching(tools, q);
  const unconnected = [...(servers?.values() ?? [])].filter(({ connection }) => connection.status === "not_connected");
  if (tools.length === 0 && chosen === undefined) return <NoTools />;
  const open = (run: Run) => {
    setShown((old) => ({ run, nth: (old?.nth ?? 0) + 1 }));
    void navigate({ search: (old) => ({ ...old, tool: run.tool }), hash: "" });
  };
  return (
    <div className="gh-playground" data-chosen={chosen !== undefined || undefined}>
      <div className="gh-playground-side">
        <SearchField
          label="Search tools"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true, hash: true })}
        />
        <ToolList tools={found} servers={servers ?? new Map()} chosen={chosen} q={q} />
        {found.length === 0 && (
          <Text size="sm" c="dimmed" px="xs">
            No matching tools
          </Text>
        )}
        {unconnected.length > 0 && (
          <Text size="xs" c="dimmed" px="xs">
            {unconnected.length === 1 ? `${unconnected[0]?.name} is` : `${unconnected.length} servers are`} not
            connected.{" "}
            <TextLink to="/connections" size="xs" underline="always">
              Connect
            </TextLink>
          </Text>
        )}
      </div>
      <div className="gh-playground-main">
        {chosen !== undefined && (
          <UnstyledButton className="gh-playground-back" onClick={() => void navigate({ search: { q }, hash: "" })}>
            <IconArrowLeft size={15} aria-hidden /> All tools
          </UnstyledButton>
        )}
        {chosen === undefined ? (
          <ChooseOne />
        ) : tool ? (
          <OpenTool key={`${tool.name} ${shown?.nth}`} gateway={gateway} tool={tool} shown={shown?.run} />
        ) : (
          <UnavailableTool name={chosen} server={servers?.get(chosen.split("__", 1)[0] ?? "")} />
        )}
        <History onOpen={open} />
      </div>
    </div>
  );
}

interface OpenToolProps {
  readonly gateway: Gateway;
  readonly tool: GatewayTool;
  /** The run whose arguments and result are shown. */
  readonly shown: Run | undefined;
}

function OpenTool({ gateway, tool, shown }: OpenToolProps) {
  const hash = useLocation({ select: (location) => location.hash });
  const [latest, setLatest] = useState<Run | undefined>(shown?.tool === tool.name ? shown : undefined);
  const shared = readSharedArguments(hash);
  const fromHistory = latest && { value: latest.given, isFromLink: false };
  const fromLink = shared && { value: shared.given, isFromLink: true };
  const hints = tool.annotations ?? {};
  return (
    <>
      <div className="gh-tool-head">
        <Group gap="xs">
          <Text fw={600} size="lg" component="h2" m={0}>
            {tool.title || tool.name.split("__").slice(1).join("__")}
          </Text>
          {hints.readOnlyHint === true && <StatusPill tone="quiet">Read-only</StatusPill>}
          {hints.destructiveHint === true && hints.readOnlyHint !== true && (
            <StatusPill tone="warn">Destructive</StatusPill>
          )}
        </Group>
        <code className="gh-dimmed">{tool.name}</code>
        {tool.description !== undefined && <p className="gh-playground-description">{tool.description}</p>}
      </div>
      <ToolRunner
        key={hash}
        gateway={gateway}
        tool={tool}
        given={fromHistory ?? fromLink}
        run={latest}
        onRun={setLatest}
      />
    </>
  );
}

const clock = new Intl.DateTimeFormat("en-US", { timeStyle: "medium", hourCycle: "h23" });

function History({ onOpen }: { onOpen: (run: Run) => void }) {
  const runs = useRuns();
  if (runs.length === 0) return null;
  return (
    <section aria-label="Recent runs" className="gh-history">
      <Text size="sm" fw={600}>
        Recent runs
      </Text>
      <Text size="xs" c="dimmed">
        Kept until you close or reload this tab
      </Text>
      <ul>
        {runs.map((run) => (
          <li key={run.id}>
            <UnstyledButton onClick={() => onOpen(run)}>
              <StatusPill tone={OUTCOME_LABELS[outcomeOf(run)].tone}>{OUTCOME_LABELS[outcomeOf(run)].label}</StatusPill>
              <span className="gh-truncate">{run.tool}</span>
              <span className="gh-history-time">
                {duration(run.ms)} · {clock.format(run.startedAt)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ChooseOne() {
  return (
    <EmptyState icon={IconPlayerPlay} title="Select a tool">
      Fill in its arguments and run it. The result is shown as text, images, and JSON.
    </EmptyState>
  );
}

function NoTools() {
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No tools yet"
      actions={<LinkButton to="/connections">Open connections</LinkButton>}
    >
      You have no access to any server with tools. Ask an admin to add you to a group. Some servers also require you to
      connect your account.
    </EmptyState>
  );
}

function ToolBrowserSkeleton() {
  return (
    <div className="gh-playground" aria-busy="true">
      <Skeleton height={360} />
      <Skeleton height={360} />
    </div>
  );
}
