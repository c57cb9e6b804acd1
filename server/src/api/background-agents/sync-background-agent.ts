import { z } from "zod";
import { syncAgent } from "#agents/sync-agent";
import { action } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { findAgent } from "#records/agents";
import { SyncAgentBody } from "./bodies.ts";
import { presentSync } from "./present.ts";
import { Sync } from "./schema.ts";

/** Families 7. */
export const syncBackgroundAgent = action({
  id: "syncBackgroundAgent",
  route: "POST /api/background-agents/{slug}/sync",
  tag: "Background Agents",
  summary: "Sync an agent with its platform",
  description:
    "`push` sends the definition to the platform, `pull` takes the one of the platform, and `both` sends changes of Gatehouse unless the platform has changes too. Sessions that exist only on the platform are imported. A failure of the platform is in `sync.error`.",
  scope: "admin:write",
  path: { slug: pathParameter("The agent's slug", "triage") },
  body: SyncAgentBody,
  bodyIsOptional: true,
  answers: {
    200: z.object({
      data: z.object({
        sync: Sync,
        pushed: z.boolean().describe("Whether the definition was sent"),
        drift: z
          .array(
            z.object({
              field: z.string().meta({ description: "A field of the agent", example: "instructions" }),
              local: z.string().describe("Its value in Gatehouse"),
              remote: z.string().describe("Its value on the platform"),
            }),
          )
          .describe("How the two still differ"),
        sessions_imported: z.int().meta({ description: "Sessions that existed only on the platform", example: 2 }),
      }),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to sync background agent",
  async run({ db, path, body, actor, requestId, context }) {
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    if (agent.platform !== "anthropic")
      throw new Refusal("conflict", `agents of the platform ${agent.platform} have nothing to sync`);
    const { clock, newId, gatewayUrl, agents } = context;
    const result = await syncAgent(
      {
        ...{ db, clock, newId, gatewayUrl, author: { actor, requestId } },
        ...{ platform: agents.platforms.anthropic, stepGuards: agents.stepGuards },
      },
      agent,
      body.direction ?? "both",
    );
    return { status: 200, body: { data: { ...result, sync: presentSync(result.sync) } } };
  },
});
