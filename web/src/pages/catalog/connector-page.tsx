import { Anchor, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Logo } from "../../components/logo.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { NotFound } from "../../shell/not-found.tsx";
import { AUTH_WORDS } from "../mcp-servers/servers.ts";
import { AddButton } from "./add-button.tsx";
import { AddConnectorDialog } from "./add-connector-dialog.tsx";
import { ConnectorBadges } from "./connector-badges.tsx";
import { type ConnectorDetails, connectorQuery } from "./connectors.ts";
import "./catalog.css";

const route = getRouteApi("/catalog/$connector");

export function ConnectorPage() {
  const { connector: id } = route.useParams();
  const query = useQuery({ ...connectorQuery(useApi(), id), retry: false });
  if (query.data) return <ConnectorView connector={query.data} />;
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton height={32} maw={360} aria-busy />;
}

function ConnectorView({ connector }: { connector: ConnectorDetails }) {
  const { changes } = useRights();
  const [isAdding, setAdding] = useState(false);
  const { name, description, logo_url: logoUrl, tools = [] } = connector;
  return (
    <>
      <PageHeader
        title={name}
        parent={{ label: "Catalog", to: "/catalog" }}
        mark={<Logo url={logoUrl} size={32} />}
        aside={<ConnectorBadges connector={connector} />}
        description={description}
        actions={changes && <AddButton connector={connector} size="sm" onChoose={() => setAdding(true)} />}
      />
      <Section title="Details">
        <Details connector={connector} />
      </Section>
      {tools.length > 0 && (
        <Section title={`Tools (${tools.length})`} description={sourceText(connector)}>
          <dl className="gh-connector-tools">
            {tools.map((tool) => (
              <div key={tool.name}>
                <dt>
                  <code>{tool.name}</code>
                </dt>
                <dd>{tool.description}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      <AddConnectorDialog connector={isAdding ? connector : undefined} onClose={() => setAdding(false)} />
    </>
  );
}

function sourceText({ tools_source: source }: ConnectorDetails): string | undefined {
  if (source?.type === "sync") return "Listed by your server at the last sync.";
  if (!source?.name) return undefined;
  const start = source.partial ? "Some of the tools" : "Tools";
  const asOf = source.as_of === null ? "" : ` (${source.as_of})`;
  return `${start} according to ${source.name}${asOf}. The list is synced when you add the server.`;
}

const TRANSPORTS = { http: "Streamable HTTP", sse: "SSE", both: undefined } as const;

function Details({ connector }: { connector: ConnectorDetails }) {
  const { auth_types: types, url, setup, usage, source, category, transport, publisher, website, repo } = connector;
  return (
    <KeyValues
      items={[
        ["Publisher", website === null ? (publisher ?? undefined) : <WebLink key="publisher" url={website} />],
        ["Repository", repo === undefined ? undefined : <WebLink key="repo" url={repo} />],
        [
          "Server URL",
          url === null ? (setup ?? "Unknown") : <CopyText key="url" value={url} label="Copy server URL" />,
        ],
        ["Transport", TRANSPORTS[transport]],
        ["Authentication", types.map((type) => AUTH_WORDS[type]).join(", ") || "Unknown"],
        ["Category", category ?? undefined],
        ["Source", source === "registry" ? "Public registry" : "Built in"],
        ["In use by", usage && <Usage key="usage" usage={usage} name={connector.name} />],
      ]}
    />
  );
}

function Usage({ usage: { count, slug }, name }: { usage: { count: number; slug: string | null }; name: string }) {
  if (slug === null) return <Text size="sm">No server</Text>;
  if (count > 1) {
    return (
      <TextLink to="/mcp-servers" search={{ q: name }} size="sm">
        {count} servers
      </TextLink>
    );
  }
  return (
    <TextLink to="/mcp-servers/$slug" params={{ slug }} size="sm">
      {slug}
    </TextLink>
  );
}

/** OA-8: only http and https URLs become links. */
function WebLink({ url: text }: { url: string }) {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return text;
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" size="sm">
      {url.host.replace(/^www\./, "") + (url.pathname === "/" ? "" : url.pathname)}
    </Anchor>
  );
}
