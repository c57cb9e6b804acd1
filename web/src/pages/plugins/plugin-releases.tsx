import { Button, Group } from "@mantine/core";
import { IconDownload, IconPackage } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { withBasePath } from "../../api/base-path.ts";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { bytes } from "../logs/call-labels.ts";
import { ChangeList } from "./change-list.tsx";
import { changesQuery, type Plugin, type PluginRelease, pluginsKey, TARGETS } from "./plugins.ts";

const route = getRouteApi("/plugins/$slug");

export function PluginReleases({ plugin }: { plugin: Plugin }) {
  const api = useApi();
  const { version } = route.useSearch();
  const { slug } = plugin;
  const list = usePages([...pluginsKey, "releases", slug], (cursor, signal) =>
    api.listPluginReleases({ path: { slug }, query: { cursor, limit: 100 }, signal }),
  );
  return (
    <>
      {plugin.latest_version !== null && plugin.has_unpublished_changes && (
        <Section title="Unpublished changes" description="Members get them with the next release.">
          <Changes slug={slug} label="Unpublished changes" />
        </Section>
      )}
      <DataTable
        label="Releases"
        list={list}
        columns={COLUMNS}
        rowKey={(row) => row.version}
        rowLink={(row) => ({
          to: "/plugins/$slug",
          params: { slug },
          search: { tab: "releases", version: row.version },
        })}
        empty={
          <EmptyState icon={IconPackage} title="No releases yet">
            Publish the plugin to make the first release. A release never changes.
          </EmptyState>
        }
      />
      {version !== undefined && <Release plugin={plugin} version={version} key={version} />}
    </>
  );
}

function Release({ plugin: { slug, targets }, version }: { plugin: Plugin; version: string }) {
  const base = withBasePath(`/api/plugins/${slug}/download?version=${encodeURIComponent(version)}`);
  return (
    <Section title={`Changes in ${version}`}>
      <Changes slug={slug} version={version} label={`Changes in ${version}`} />
      <Group gap="xs" mt="md">
        <DownloadButton href={base} label="Download ZIP" />
        {TARGETS.filter(({ value }) => targets.includes(value)).map(({ value, label }) => (
          <DownloadButton key={value} href={`${base}&target=${value}`} label={`ZIP for ${label}`} />
        ))}
      </Group>
    </Section>
  );
}

function DownloadButton({ href, label }: { href: string; label: string }) {
  return (
    <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={16} />}>
      {label}
    </Button>
  );
}

function Changes({ slug, version, label }: { slug: string; version?: string; label: string }) {
  const api = useApi();
  const { data, error } = useQuery(changesQuery(api, slug, version));
  if (error) return <ErrorNote error={error} />;
  return data ? <ChangeList label={label} files={data.files} /> : null;
}

const COLUMNS: ReadonlyArray<Column<PluginRelease>> = [
  {
    key: "version",
    header: "Version",
    render: ({ version, notes }) => (
      <span className="gh-two-lines">
        <span>{version}</span>
        <span className="gh-truncate">{notes || "No notes"}</span>
      </span>
    ),
  },
  {
    key: "latest",
    header: "Status",
    width: "7rem",
    narrowWidth: "5rem",
    render: ({ latest }) => (latest ? <StatusPill tone="good">Latest</StatusPill> : null),
  },
  {
    key: "files",
    header: "Files",
    width: "6rem",
    align: "right",
    hideBelow: "md",
    render: ({ files_count: count }) => count,
  },
  {
    key: "size",
    header: "Size",
    width: "6rem",
    align: "right",
    hideBelow: "md",
    render: ({ size_bytes: size }) => bytes(size),
  },
  {
    key: "by",
    header: "Published by",
    width: "18%",
    hideBelow: "sm",
    render: ({ published_by: by }) => <span className="gh-truncate">{by}</span>,
  },
  {
    key: "at",
    header: "Published",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ published_at: at }) => <TimeAgo time={at} />,
  },
];
