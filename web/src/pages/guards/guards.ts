import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type Guard = Schemas["Guard"];
export type GuardWithStats = Schemas["GuardWithStats"];
export type Check = Guard["checks"][number];
export type CheckType = Schemas["GuardCheckType"];

export const guardsKey = ["guards"] as const;

export interface GuardFilters {
  readonly q?: string | undefined;
  readonly type?: Guard["type"] | undefined;
  readonly enabled?: "yes" | "no" | undefined;
}

export function fetchGuards(api: Api, { q, type, enabled }: GuardFilters, cursor: number, signal: AbortSignal) {
  const isOn = enabled && (enabled === "yes" ? "true" : "false");
  return api.listGuards({ query: { search: q, type, enabled: isOn, cursor, limit: 100 }, signal });
}

export function guardQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...guardsKey, "one", slug],
    queryFn: async ({ signal }) => (await api.getGuard({ path: { slug }, signal })).data,
  });
}

export function checkTypesQuery(api: Api) {
  return queryOptions({
    queryKey: [...guardsKey, "check-types"],
    queryFn: async ({ signal }) => (await api.listGuardCheckTypes({ signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface ActionLabel {
  readonly label: string;
  readonly tone: Tone;
  readonly description: string;
}

/** Approvals are not offered yet: a guard that requires one would block every call that it finds. */
export const ACTIONS: Readonly<Record<Exclude<Guard["action"], "require_approval">, ActionLabel>> = {
  log: { label: "Log", tone: "quiet", description: "Only notes it in the log" },
  warn: { label: "Warn", tone: "info", description: "Passes, with a note to the caller" },
  redact: { label: "Redact", tone: "warn", description: "Replaces what it finds" },
  block: { label: "Block", tone: "bad", description: "Refuses the call, or discards the result" },
};

export function actionLabel(action: Guard["action"]): ActionLabel {
  return action === "require_approval" ? { ...ACTIONS.block, label: "Require approval" } : ACTIONS[action];
}

export const TYPES: Readonly<Record<Guard["type"], string>> = {
  runtime: "Calls",
  buildtime: "Content",
};

export const DIRECTIONS: Readonly<Record<Guard["direction"], string>> = {
  request: "Requests",
  response: "Results",
  both: "Requests and results",
};

/** "All calls", or what the guard is limited to. */
export function scopeText({ type, scope, entity_types: entities }: Guard): string {
  if (type === "buildtime") return entities.map((entity) => entity.replace("_", " ")).join(", ");
  const { groups, servers, tools, users, exclude_servers: excluded } = scope;
  const named = [...groups, ...servers, ...tools, ...users];
  const except = excluded.length === 0 ? "" : ` except ${excluded.join(", ")}`;
  return named.length === 0 ? `All calls${except}` : `${named.join(", ")}${except}`;
}
