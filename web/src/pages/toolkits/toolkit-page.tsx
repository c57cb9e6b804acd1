import { IconTools } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { Activation, PublicationPill } from "../records/publication.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { Builder } from "./builder.tsx";
import { useSaveToolkit } from "./save-toolkit.ts";
import { ToolkitAccess } from "./toolkit-access.tsx";
import { ToolkitSettings } from "./toolkit-settings.tsx";
import { type Toolkit, toolkitQuery } from "./toolkits.ts";

const route = getRouteApi("/toolkits/$slug");
const PARENT = { label: "Toolkits", to: "/toolkits" };

export function ToolkitPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const query = useQuery(toolkitQuery(api, slug));
  return (
    <RecordPage query={query} slug={slug} parent={PARENT} icon={IconTools} kind="Toolkit">
      {(toolkit) => (
        <ManagedArea kind="toolkits" name={toolkit.slug} key={toolkit.slug}>
          <ToolkitDetail toolkit={toolkit} />
        </ManagedArea>
      )}
    </RecordPage>
  );
}

function ToolkitDetail({ toolkit }: { toolkit: Toolkit }) {
  const save = useSaveToolkit(toolkit);
  const { tab = "tools" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={toolkit.name}
        description={toolkit.description || undefined}
        aside={<PublicationPill status={toolkit.status} />}
        actions={<Activation status={toolkit.status} save={save} canActivate={toolkit.tools.length > 0} />}
      />
      <ManagedNote kind="toolkits" name={toolkit.slug} />
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
