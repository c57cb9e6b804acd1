import { IconSlash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { Activation, PublicationPill } from "../records/publication.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { CommandAccess } from "./command-access.tsx";
import { CommandContent } from "./command-content.tsx";
import { CommandSettings } from "./command-settings.tsx";
import { type Command, commandQuery } from "./commands.ts";
import { useSaveCommand } from "./save-command.ts";
import "../skills/skills.css";
import "./commands.css";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";

const route = getRouteApi("/commands/$slug");
const PARENT = { label: "Commands", to: "/commands" };

export function CommandPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const query = useQuery(commandQuery(api, slug));
  return (
    <RecordPage query={query} slug={slug} parent={PARENT} icon={IconSlash} kind="Command">
      {(command) => (
        <ManagedArea kind="commands" name={command.slug} key={command.slug}>
          <Detail command={command} />
        </ManagedArea>
      )}
    </RecordPage>
  );
}

function Detail({ command }: { command: Command }) {
  const save = useSaveCommand(command);
  const { tab = "content" } = route.useSearch();
  return (
    <>
      <PageHeader
        parent={PARENT}
        title={command.name}
        description={command.description}
        aside={<PublicationPill status={command.status} />}
        actions={<Activation status={command.status} save={save} />}
      />
      <ManagedNote kind="commands" name={command.slug} />
      <UrlTabs
        label="Command"
        value={tab}
        tabs={[
          { value: "content", label: "Content" },
          { value: "access", label: "Access" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "content" && <CommandContent command={command} />}
      {tab === "access" && <CommandAccess command={command} />}
      {tab === "settings" && <CommandSettings command={command} />}
    </>
  );
}
