import { Button } from "@mantine/core";
import { IconPuzzle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { PublicationPill } from "../records/publication.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { PluginAccess } from "./plugin-access.tsx";
import { PluginContents } from "./plugin-contents.tsx";
import { PluginReleases } from "./plugin-releases.tsx";
import { PluginSettings } from "./plugin-settings.tsx";
import { type Plugin, pluginQuery } from "./plugins.ts";
import { PublishDialog } from "./publish-dialog.tsx";
import "./plugins.css";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";

const route = getRouteApi("/plugins/$slug");
const PARENT = { label: "Plugins", to: "/plugins" };

export function PluginPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const query = useQuery(pluginQuery(api, slug));
  return (
    <RecordPage query={query} slug={slug} parent={PARENT} icon={IconPuzzle} kind="Plugin">
      {(plugin) => <Detail plugin={plugin} key={plugin.slug} />}
    </RecordPage>
  );
}

function Detail({ plugin }: { plugin: Plugin }) {
  const { tab = "contents", publish } = route.useSearch();
  const navigate = route.useNavigate();
  const openPublish = (what: "yes" | undefined) => void navigate({ search: (old) => ({ ...old, publish: what }) });
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={plugin.name}
        description={plugin.description || plugin.slug}
        aside={<Status plugin={plugin} />}
        actions={<Publish plugin={plugin} onPublish={() => openPublish("yes")} />}
      />
      <ManagedNote kind="plugins" name={plugin.slug} />
      <UrlTabs
        label="Plugin"
        value={tab}
        tabs={[
          { value: "contents", label: "Contents" },
          { value: "releases", label: `Releases ${plugin.releases_count}` },
          { value: "access", label: "Access" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "contents" && (
        <ManagedArea kind="plugins" name={plugin.slug}>
          <PluginContents plugin={plugin} />
        </ManagedArea>
      )}
      {tab === "releases" && <PluginReleases plugin={plugin} />}
      {tab === "access" && (
        <ManagedArea kind="plugins" name={plugin.slug}>
          <PluginAccess plugin={plugin} />
        </ManagedArea>
      )}
      {tab === "settings" && (
        <ManagedArea kind="plugins" name={plugin.slug}>
          <PluginSettings plugin={plugin} />
        </ManagedArea>
      )}
      <PublishDialog plugin={plugin} opened={publish === "yes"} onClose={() => openPublish(undefined)} />
    </>
  );
}

function Status({ plugin }: { plugin: Plugin }) {
  const { status, latest_version: version, has_unpublished_changes: isChanged } = plugin;
  return (
    <>
      <PublicationPill status={status} />
      {version !== null && isChanged && <StatusPill tone="warn">Unpublished changes</StatusPill>}
      {version !== null && <span className="gh-dim">{`Version ${version}`}</span>}
    </>
  );
}

function Publish({ plugin, onPublish }: { plugin: Plugin; onPublish: () => void }) {
  const { changes } = useRights();
  if (!changes) return null;
  return (
    <Button onClick={onPublish} disabled={plugin.status === "active" && !plugin.has_unpublished_changes}>
      Publish
    </Button>
  );
}
