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

export const ACTIONS: Readonly<Record<Guard["action"], ActionLabel>> = {
  log: { label: "Log", tone: "quiet", description: "Only notes it in the log" },
  warn: { label: "Warn", tone: "info", description: "Passes, with a note to the caller" },
  redact: { label: "Redact", tone: "warn", description: "Replaces what it finds" },
  require_approval: {
    label: "Require approval",
    tone: "warn",
    description: "Holds the call until an admin approves it",
  },
  block: { label: "Block", tone: "bad", description: "Refuses the call, or discards the result" },
};

/** Content is examined before it is published, so there is nothing to redact and no call to hold. */
export function actionsFor(type: Guard["type"]) {
  const isOffered = (action: string) => type === "runtime" || (action !== "redact" && action !== "require_approval");
  return Object.entries(ACTIONS).flatMap(([value, { label, description }]) =>
    isOffered(value) ? { value, label: `${label}: ${description}` } : [],
  );
}

export function actionLabel(action: Guard["action"]): ActionLabel {
  return ACTIONS[action];
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

const ENTITIES: Readonly<Record<Guard["entity_types"][number], string>> = {
  mcp_server: "MCP servers",
  tool: "Tools",
  toolkit: "Toolkits",
  skill: "Skills",
  command: "Commands",
  plugin: "Plugins",
  background_agent: "Background agents",
};

/** "All calls" or "All content", or what the guard is limited to. */
export function scopeText({ type, scope, entity_types: entities }: Guard): string {
  if (type === "buildtime")
    return entities.length === Object.keys(ENTITIES).length
      ? "All content"
      : entities.map((entity) => ENTITIES[entity]).join(", ");
  const { groups, servers, tools, users, exclude_servers: excluded } = scope;
  const named = [...groups, ...servers, ...tools, ...users];
  const except = excluded.length === 0 ? "" : ` except ${excluded.join(", ")}`;
  return named.length === 0 ? `All calls${except}` : `${named.join(", ")}${except}`;
}
