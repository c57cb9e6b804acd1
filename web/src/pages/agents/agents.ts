import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type Agent = Schemas["BackgroundAgent"];
export type Session = Schemas["AgentSession"];
export type Step = Schemas["AgentStep"];

export const agentsKey = ["agents"] as const;

const STEPS_PER_PAGE = 200;

export function agentQuery(api: Api, slug: string) {
  return queryOptions({
    queryKey: [...agentsKey, "one", slug],
    queryFn: async ({ signal }) => (await api.getBackgroundAgent({ path: { slug }, signal })).data,
  });
}

export function sessionKey(slug: string, id: string) {
  return [...agentsKey, "session", slug, id];
}

export function stepsKey(slug: string, id: string) {
  return [...agentsKey, "steps", slug, id];
}

export function sessionQuery(api: Api, slug: string, id: string) {
  return queryOptions({
    queryKey: sessionKey(slug, id),
    queryFn: async ({ signal }) => (await api.getAgentSession({ path: { slug, id }, signal })).data,
  });
}

/** All steps so far. Those that follow come as events. */
export function stepsQuery(api: Api, slug: string, id: string) {
  return queryOptions({
    queryKey: stepsKey(slug, id),
    queryFn: async ({ signal }) => {
      const steps: Step[] = [];
      for (let cursor = 0; ; cursor += STEPS_PER_PAGE) {
        const query = { cursor, limit: STEPS_PER_PAGE };
        const { data, pagination } = await api.listAgentSteps({ path: { slug, id }, query, signal });
        steps.push(...data);
        if (!pagination.hasMore) return steps;
      }
    },
  });
}

export const AGENT_STATUSES: Readonly<Record<Agent["status"], { readonly label: string; readonly tone: Tone }>> = {
  active: { label: "Active", tone: "good" },
  paused: { label: "Paused", tone: "warn" },
  draft: { label: "Draft", tone: "quiet" },
};

export const SESSION_STATUSES: Readonly<Record<Session["status"], { readonly label: string; readonly tone: Tone }>> = {
  queued: { label: "Queued", tone: "quiet" },
  running: { label: "Running", tone: "info" },
  waiting_approval: { label: "Waiting for approval", tone: "warn" },
  completed: { label: "Completed", tone: "good" },
  failed: { label: "Failed", tone: "bad" },
  canceled: { label: "Canceled", tone: "quiet" },
  timed_out: { label: "Timed out", tone: "bad" },
};

export type DefaultProvider = Schemas["AgentDefaultProvider"];
export type ProviderType = NonNullable<Agent["provider"]>["type"];

/** The operator's provider for agents that have none. Null: there is none. */
export function defaultProviderQuery(api: Api) {
  return queryOptions({
    queryKey: [...agentsKey, "default-provider"],
    queryFn: async ({ signal }) => (await api.getDefaultProvider({ signal })).data,
  });
}

export function providerLabel(type: ProviderType): string {
  return PROVIDERS.find(({ value }) => value === type)?.label ?? type;
}

export const PROVIDERS: readonly { readonly value: ProviderType; readonly label: string }[] = [
  { value: "anthropic", label: "Anthropic" },
  { value: "openai", label: "OpenAI" },
  { value: "google", label: "Google" },
  { value: "openai-compatible", label: "OpenAI-compatible server" },
  { value: "scripted", label: "Script, for tests and demos" },
];

export const PLATFORMS: readonly {
  readonly value: Agent["platform"];
  readonly label: string;
  readonly description: string;
}[] = [
  {
    value: "builtin",
    label: "Gatehouse",
    description: "Runs in this service, with a model of a provider.",
  },
  {
    value: "webhook",
    label: "Your own runner",
    description:
      "Sends each session to a service that you run and that reports the result. Needs its URL and a secret.",
  },
  {
    value: "anthropic",
    label: "Claude Managed Agents",
    description: "Runs at Anthropic. Needs an API key, an environment, and a vault with a gateway credential.",
  },
];

export function platformLabel(platform: Agent["platform"]): string {
  return PLATFORMS.find(({ value }) => value === platform)?.label ?? platform;
}

/** What started a session. */
export const TRIGGERS: Readonly<Record<Session["trigger"], string>> = {
  api: "API or app",
  schedule: "Schedule",
  webhook: "Webhook",
};
