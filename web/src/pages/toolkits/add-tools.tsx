import { Accordion, Checkbox, Loader, Skeleton, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { useSearchResults } from "../../api/find.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { Logo } from "../../components/logo.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { serverQuery, serversKey } from "../mcp-servers/servers.ts";
import { ToolEffect } from "../mcp-servers/tool-effect.tsx";
import { ALL_TOOLS } from "./toolkits.ts";

const MOST_SERVERS = 100;

interface AddToolsProps {
  has(server: string, tool: string): boolean;
  onToggle(server: string, tool: string, isIn: boolean): void;
}

/** All servers; an open one shows its tools. */
export function AddTools({ has, onToggle }: AddToolsProps) {
  const api = useApi();
  const [search, setSearch] = useState("");
  // The content of a closed panel would be loaded too.
  const [opened, setOpened] = useState<string[]>([]);
  const { rows, isLoading } = useSearchResults([...serversKey, "for-toolkit"], search, async (text, signal) => {
    const fields = "slug,name,logo_url,tools_count,status";
    const query = { search: text, fields, sort: "name" as const, limit: MOST_SERVERS };
    return (await api.listMcpServers({ query, signal })).data;
  });
  return (
    <section className="gh-builder-panel" aria-label="Servers">
      <TextInput
        type="search"
        aria-label="Search servers"
        placeholder="Search servers"
        leftSection={<IconSearch size={15} aria-hidden />}
        rightSection={isLoading ? <Loader size={14} /> : undefined}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {!isLoading && rows.length === 0 && (
        <Text size="sm" c="dimmed" p="md">
          {search === "" ? "No servers yet" : "No matching servers"}
        </Text>
      )}
      <Accordion multiple chevronPosition="left" className="gh-builder-servers" value={opened} onChange={setOpened}>
        {rows.map(({ slug = "", name = "", logo_url: logoUrl, tools_count: count = 0, status }) => (
          <Accordion.Item key={slug} value={slug}>
            <Accordion.Control>
              <span className="gh-builder-server">
                <Logo url={logoUrl ?? ""} />
                <span className="gh-truncate">{name}</span>
                {status === "draft" && <StatusPill tone="quiet">Draft</StatusPill>}
                <span className="gh-dim">{count}</span>
              </span>
            </Accordion.Control>
            <Accordion.Panel>
              {opened.includes(slug) && <ToolsOfServer slug={slug} has={has} onToggle={onToggle} />}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </section>
  );
}

function ToolsOfServer({ slug, has, onToggle }: AddToolsProps & { slug: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery(serverQuery(api, slug));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={96} />;
  const tools = data.data.all_tools;
  const hasAll = has(slug, ALL_TOOLS);
  return (
    <ul className="gh-builder-tools" aria-label={`Tools of ${data.data.name}`}>
      <li>
        <Checkbox
          label="All tools"
          description="Also tools that the server adds later"
          checked={hasAll}
          onChange={(event) => onToggle(slug, ALL_TOOLS, event.currentTarget.checked)}
        />
      </li>
      {tools.map(({ name, upstream_name: upstreamName, description, hints, enabled, held }) => (
        <li key={upstreamName}>
          <Checkbox
            label={name}
            description={description}
            checked={hasAll || has(slug, upstreamName)}
            disabled={hasAll && !has(slug, upstreamName)}
            onChange={(event) => onToggle(slug, upstreamName, event.currentTarget.checked)}
          />
          <span className="gh-builder-pills">
            {(!enabled || held) && <StatusPill tone="quiet">{held ? "Held for review" : "Disabled"}</StatusPill>}
            <ToolEffect hints={hints} />
          </span>
        </li>
      ))}
      {tools.length === 0 && (
        <Text component="li" size="sm" c="dimmed">
          The server has not been synced yet
        </Text>
      )}
    </ul>
  );
}
