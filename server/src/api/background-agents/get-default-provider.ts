import { z } from "zod";
import { read } from "#api/kit/operation";
import { DefaultProvider } from "./schema.ts";

/** Decision 0176. */
export const getDefaultProvider = read({
  id: "getDefaultProvider",
  route: "GET /api/agent-provider",
  tag: "Background Agents",
  summary: "Get the default provider of agents",
  description: "The operator sets it with environment variables. The API key is never returned. Null: there is none.",
  scope: "admin:read",
  answers: { 200: z.object({ data: DefaultProvider.nullable() }) },
  refusals: [],
  onCrash: "Failed to retrieve default provider",
  async run({ context }) {
    const found = context.agents.defaultProvider;
    if (!found) return { status: 200, body: { data: null } };
    const { type, model, baseUrl = null, apiKey } = found;
    return { status: 200, body: { data: { type, model, base_url: baseUrl, has_api_key: apiKey !== undefined } } };
  },
});
