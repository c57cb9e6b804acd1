import { Button, Group, Skeleton } from "@mantine/core";
import { IconTools } from "@tabler/icons-react";
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
import { Builder } from "./builder.tsx";
import { useSaveToolkit } from "./save-toolkit.ts";
import { ToolkitAccess } from "./toolkit-access.tsx";
import { ToolkitSettings } from "./toolkit-settings.tsx";
import { STATUSES, type Toolkit, toolkitQuery } from "./toolkits.ts";

const route = getRouteApi("/toolkits/$slug");
const PARENT = { label: "Toolkits", to: "/toolkits" };

export function ToolkitPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery(toolkitQuery(api, slug));
  if (data) return <ToolkitDetail toolkit={data} key={data.slug} />;
  if (error instanceof ApiError && error.status === 404) return <ToolkitNotFound slug={slug} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} title={slug} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function ToolkitDetail({ toolkit }: { toolkit: Toolkit }) {
  const { tab = "tools" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={toolkit.name}
        description={toolkit.description || undefined}
        actions={<Activation toolkit={toolkit} />}
      />
      <UrlTabs
        label="Toolkit"
        value={tab}
        tabs={[
          { value: "tools", label: `Tools ${toolkit.tools_count}` },
          { value: "access", label: "Access" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "tools" && <Builder toolkit={toolkit} />}
      {tab === "access" && <ToolkitAccess toolkit={toolkit} />}
      {tab === "settings" && <ToolkitSettings toolkit={toolkit} />}
    </>
  );
}

/** Drafts do not reach callers, so activating is the last step. */
function Activation({ toolkit }: { toolkit: Toolkit }) {
  const { changes } = useRights();
  const save = useSaveToolkit(toolkit);
  const { tone, label } = STATUSES[toolkit.status];
  return (
    <Group gap="sm">
      <StatusPill tone={tone}>{label}</StatusPill>
      {changes && toolkit.status === "draft" && (
        <Button
          onClick={() => save.mutate({ status: "active" })}
          loading={save.isPending}
          disabled={toolkit.tools.length === 0}
        >
          Activate
        </Button>
      )}
      {changes && toolkit.status === "active" && (
        <Button variant="default" onClick={() => save.mutate({ status: "draft" })} loading={save.isPending}>
          Make it a draft
        </Button>
      )}
      <ErrorNote error={save.error} />
    </Group>
  );
}

function ToolkitNotFound({ slug }: { slug: string }) {
  return (
    <EmptyState
      isPage
      icon={IconTools}
      title="Toolkit not found"
      actions={
        <LinkButton to="/toolkits" variant="default">
          All toolkits
        </LinkButton>
      }
    >
      <title>Toolkit not found · Gatehouse</title>
      {`No toolkit has the slug ${slug}. It may have been deleted.`}
    </EmptyState>
  );
}
