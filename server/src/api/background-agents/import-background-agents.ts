import { z } from "zod";
import { PlatformFailure, type RemoteAgent } from "#agents/platforms/platform";
import { takenInstructions } from "#agents/sync-agent";
import type { ApiContext } from "#api/kit/api-context";
import { action } from "#api/kit/operation";
import { invalid } from "#lib/errors";
import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";
import { insertAgent, knownPlatformAgents, updateAgent } from "#records/agents";
import type { AgentRow, AgentSync } from "#storage/agent-tables";
import { writeTransaction } from "#storage/transaction";
import { ImportAgentsBody } from "./bodies.ts";
import { presentAgent } from "./present.ts";
import { createIdentity, DEFAULT_LIMITS, modelOf } from "./save.ts";
import { platformOf } from "./save-platform.ts";
import { Agent } from "./schema.ts";

/** Secrets are sealed under an ID that no agent has while the platform is read. */
const ACCOUNT = "agt_import";

/** Families 7. */
export const importBackgroundAgents = action({
  id: "importBackgroundAgents",
  route: "POST /api/background-agents/sync",
  tag: "Background Agents",
  summary: "Import agents that exist only on a platform",
  description:
    "They are paused, each with a new machine user. Agents that were imported or pushed before are left out.",
  scope: "admin:write",
  body: ImportAgentsBody,
  answers: { 200: z.object({ data: z.array(Agent) }) },
  refusals: [400],
  onCrash: "Failed to import background agents",
  async run({ db, body, actor, requestId, context }) {
    const known = await knownPlatformAgents(db);
    const remote = (await listAgents(context, body)).filter(({ id }) => !known.has(id));
    const { clock, newId } = context;
    const { result: data } = await writeTransaction({ db, clock, newId }, { actor, requestId }, async (tx, trail) => {
      const imported: z.input<typeof Agent>[] = [];
      for (const each of remote) {
        const row = rowOf(context, each);
        const platform = platformOf(context, row, body.platform_config);
        const inserted = await insertAgent(tx, { ...row, ...platform });
        const identity_id = await createIdentity({ tx, trail, context }, inserted);
        const after = await presentAgent(tx, await updateAgent(tx, inserted, { identity_id }), context);
        const target = { kind: "agent", id: after.id, name: after.slug };
        trail.audit({ operation: "importBackgroundAgents", target, after });
        imported.push(after);
      }
      return imported;
    });
    return { status: 200, body: { data } };
  },
});

async function listAgents(
  context: ApiContext,
  body: z.output<typeof ImportAgentsBody>,
): Promise<readonly RemoteAgent[]> {
  const empty = { id: ACCOUNT, platform: body.platform, platform_config: null, sealed_platform: null };
  const account = { ...empty, ...platformOf(context, empty, body.platform_config) };
  try {
    return await context.agents.platforms.anthropic.agents(account, context.agents.stopped);
  } catch (error) {
    if (error instanceof PlatformFailure) throw invalid("platform_config", error.message);
    throw error;
  }
}

function rowOf(context: ApiContext, remote: RemoteAgent): AgentRow {
  const now = context.clock.now();
  const id = context.newId("agt");
  const name = remote.name.trim().slice(0, 200).toWellFormed() || remote.id;
  const isComplete = takenInstructions(remote) === remote.instructions;
  const sync: Pick<AgentSync, "status" | "platform_agent_id" | "platform_version"> = {
    status: isComplete ? "synced" : "drift",
    platform_agent_id: remote.id,
    // Without a version, a sync does not push instructions that were cut over the complete ones.
    platform_version: isComplete ? remote.version : null,
  };
  return {
    ...{ id, slug: slugFromName(name, "agent", LONG_SLUG_MAX_LENGTH), name, search_text: "" },
    ...{ description: remote.description.slice(0, 1_024).toWellFormed(), status: "paused", platform: "anthropic" },
    instructions: takenInstructions(remote),
    ...modelOf(context, { id, platform: "anthropic" }, undefined, { model: remote.model }),
    ...{ toolkit: null, skills: [], identity_id: null, owner_emails: [], limits: DEFAULT_LIMITS, version: 1 },
    ...{
      schedule: null,
      next_run_at: null,
      skipped_at: null,
      hook_enabled: false,
      sealed_hook: null,
      notify_url: null,
    },
    ...{ platform_config: null, sealed_platform: null, sync: { ...sync, last_synced_at: now, error: null } },
    ...{ created_at: now, updated_at: now },
  };
}
