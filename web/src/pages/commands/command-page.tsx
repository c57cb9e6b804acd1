import { Button, Group, Skeleton } from "@mantine/core";
import { IconSlash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { CommandAccess } from "./command-access.tsx";
import { CommandContent } from "./command-content.tsx";
import { CommandSettings } from "./command-settings.tsx";
import { type Command, commandQuery, STATUSES } from "./commands.ts";
import { useSaveCommand } from "./save-command.ts";
import "../skills/skills.css";
import "./commands.css";

const route = getRouteApi("/commands/$slug");
const PARENT = { label: "Commands", to: "/commands" };

export function CommandPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery(commandQuery(api, slug));
  if (data) return <Detail command={data} key={data.slug} />;
  if (error instanceof ApiError && error.status === 404) return <CommandNotFound slug={slug} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} title={slug} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function Detail({ command }: { command: Command }) {
  const { tab = "content" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={command.name}
        description={command.description}
        actions={<Activation command={command} />}
      />
      <UrlTabs
        label="Command"
        value={tab}
        tabs={[
          { value: "content", label: "Content" },
          { value: "access", label: "Access" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "content" && <CommandContent command={command} key={command.updated_at} />}
      {tab === "access" && <CommandAccess command={command} />}
      {tab === "settings" && <CommandSettings command={command} key={command.updated_at} />}
    </>
  );
}

/** Drafts do not reach callers, so activating is the last step. */
function Activation({ command }: { command: Command }) {
  const { changes } = useRights();
  const save = useSaveCommand(command);
  const { tone, label } = STATUSES[command.status];
  return (
    <Group gap="sm">
      <StatusPill tone={tone}>{label}</StatusPill>
      {changes && command.status === "draft" && (
        <Button onClick={() => save.mutate({ status: "active" })} loading={save.isPending}>
          Activate
        </Button>
      )}
      {changes && command.status === "active" && (
        <Button variant="default" onClick={() => save.mutate({ status: "draft" })} loading={save.isPending}>
          Make it a draft
        </Button>
      )}
      <ErrorNote error={save.error} />
    </Group>
  );
}

function CommandNotFound({ slug }: { slug: string }) {
  return (
    <EmptyState
      isPage
      icon={IconSlash}
      title="Command not found"
      actions={
        <LinkButton to="/commands" variant="default">
          All commands
        </LinkButton>
      }
    >
      <title>Command not found · Gatehouse</title>
      {`No command has the slug ${slug}. It may have been renamed or deleted.`}
    </EmptyState>
  );
}
