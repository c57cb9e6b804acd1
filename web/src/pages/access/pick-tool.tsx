import { useState } from "react";
import type { Api } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { useSearchResults } from "../../api/find.ts";
import { type Pickable, PickOne } from "../../components/pick.tsx";
import { accessKey, type CallTarget, gatewayName } from "./access.ts";

const LIMIT = 20;

interface PickToolProps {
  /** A gateway name or a server's slug. */
  readonly picked: string | undefined;
  onPick(target: CallTarget | undefined): void;
}

/** Picks a tool or a server. Slugs contain no underscores, so a value with `__` is a tool. */
export function PickTool({ picked, onPick }: PickToolProps) {
  const api = useApi();
  const [search, setSearch] = useState(picked ?? "");
  // The text of the picked tool is not a search.
  const { rows, isLoading } = useSearchResults<Pickable>(
    [...accessKey, "targets"],
    search === picked ? "" : search,
    (text, signal) => (text === undefined ? fetchServers(api, signal) : findTargets(api, text, signal)),
  );
  return (
    <PickOne
      label="Tool or server"
      placeholder="Search tools and servers"
      picked={picked === undefined ? undefined : { value: picked, label: picked }}
      onPick={(chosen) => onPick(chosen && targetOf(chosen.value))}
      options={rows}
      isLoading={isLoading}
      search={search}
      onSearch={setSearch}
    />
  );
}

function targetOf(value: string): CallTarget {
  return value.includes("__") ? { tool: value } : { server: value };
}

async function fetchServers(api: Api, signal: AbortSignal): Promise<Pickable[]> {
  const { data } = await api.listMcpServers({ query: { limit: LIMIT, fields: "slug,name" }, signal });
  return data.map(({ slug = "", name = "" }) => serverOption(slug, name));
}

async function findTargets(api: Api, q: string, signal: AbortSignal): Promise<Pickable[]> {
  const { data } = await api.search({ query: { q, limit: LIMIT }, signal });
  return [
    ...data.servers.map(({ slug, name }) => serverOption(slug, name)),
    ...data.tools.map(({ server_slug: server, server_name: serverName, slug }) => {
      const name = gatewayName(server, slug);
      return { value: name, label: name, description: `Tool of ${serverName}` };
    }),
  ];
}

function serverOption(slug: string, name: string): Pickable {
  return { value: slug, label: slug, description: `Server ${name}` };
}
