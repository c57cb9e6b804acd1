import { useQuery } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { accessKey } from "../access/access.ts";

/** A server in a group, and which of its tools the group grants. */
export type Grant = Schemas["Grant"];

export type GrantFilter = { readonly group: string } | { readonly server: string };

const PER_REQUEST = 200;

/** All grants of a group, or of a server. Undefined while they are loaded. */
export function useGrants(filter: GrantFilter): readonly Grant[] | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...accessKey, "grants", filter],
    queryFn: ({ signal }) => fetchGrants(api, filter, signal),
  });
  return data;
}

async function fetchGrants(api: Api, filter: GrantFilter, signal: AbortSignal): Promise<readonly Grant[]> {
  const grants: Grant[] = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const page: Awaited<ReturnType<Api["listGrants"]>> = await api.listGrants({
      query: { ...filter, cursor, limit: PER_REQUEST },
      signal,
    });
    grants.push(...page.data);
    cursor = page.pagination.nextCursor;
  }
  return grants;
}

export function grantedText({ tools, granted_tools: granted, total_tools: total }: Grant): string {
  if (tools === null) return total === 0 ? "All" : `All ${total}`;
  return `${granted} of ${total}`;
}
