import { useQuery } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { fetchAll, findInPages, isSameName } from "../../api/find.ts";

export type Group = Schemas["Group"];

export const groupsKey = ["groups"] as const;

export function fetchGroups(api: Api, q: string | undefined, skip: number, signal: AbortSignal) {
  return api.listGroups({ query: { search: q, skip, limit: 100 }, signal });
}

export function findGroup(api: Api, name: string, signal: AbortSignal): Promise<Group | null> {
  const page = (skip: number) => api.listGroups({ query: { search: name, skip, limit: 200 }, signal });
  return findInPages(page, (group) => isSameName(group.name, name));
}

/** For group names, because users reference groups by ID. */
export function useAllGroups(): readonly Group[] | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...groupsKey, "all"],
    queryFn: ({ signal }) => fetchAll((skip) => api.listGroups({ query: { skip, limit: 200 }, signal })),
  });
  return data;
}

export function namesOf(groups: readonly Group[] | undefined, ids: readonly string[]): readonly string[] {
  return (groups ?? []).filter(({ id }) => ids.includes(id)).map(({ name }) => name);
}

/** The people in a group that SCIM manages come from the identity provider. */
export function addMembersLabel({ provisioned_by }: Group): string {
  return provisioned_by === "scim" ? "Add machine users" : "Add members";
}
