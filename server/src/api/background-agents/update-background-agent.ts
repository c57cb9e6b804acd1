import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findAgent, lockAgent, updateAgent } from "#records/agents";
import type { AgentRow } from "#storage/agent-tables";
import { UpdateAgentBody } from "./bodies.ts";
import { presentAgent } from "./present.ts";
import { checkReferences, identityOf, limitsOf, modelOf, requireReachableProvider } from "./save.ts";
import { platformOf } from "./save-platform.ts";
import { requireStorable, saveNotifyUrl, triggersOf } from "./save-triggers.ts";
import { SavedAgent, savedAgent } from "./schema.ts";

/** Families 7. */
export const updateBackgroundAgent = write({
  id: "updateBackgroundAgent",
  route: "PATCH /api/background-agents",
  tag: "Background Agents",
  summary: "Update an agent",
  description:
    "Omitted fields keep their values; lists replace the whole list. Running sessions continue as they were started. Paused agents keep their queued sessions until they are active again.",
  scope: "admin:write",
  query: { slug: targetParameter("The agent's slug", "triage") },
  body: UpdateAgentBody,
  answers: { 200: SavedAgent },
  refusals: [400, 404, 409],
  onCrash: "Failed to update background agent",
  shownOnce: ["secrets"],
  async prepare({ db, query, body, context }) {
    const agent = await findAgent(db, query.slug);
    if (!agent) throw notFound.backgroundAgent();
    await requireStorable(context, agent.identity_id, body.triggers);
  },
  async run(input) {
    const { tx, trail, query, body, context, afterCommit } = input;
    requireReachableProvider(input, body);
    const row = await lockAgent(tx, query.slug);
    if (!row) throw notFound.backgroundAgent();
    await checkReferences(tx, body);
    const before = await presentAgent(tx, row, context);
    const { name, description, status, instructions, toolkit, skills, owner_emails: owners } = body;
    const changes = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
      ...(instructions !== undefined && { instructions }),
      ...(toolkit !== undefined && { toolkit }),
      ...(skills !== undefined && { skills: [...new Set(skills)] }),
      ...(owners !== undefined && { owner_emails: [...new Set(owners)] }),
      ...(body.identity !== undefined && { identity_id: await identityOf(tx, body.identity) }),
      ...(body.limits !== undefined && { limits: limitsOf(row.limits, body.limits) }),
      ...modelOf(context, row, row, body),
    };
    const changed = { ...row, ...changes, ...platformOf(context, row, body.platform_config) };
    const version = isNewVersion(row, changed) ? row.version + 1 : row.version;
    const { triggers, secret: webhook } = triggersOf(input, changed, row.status, body.triggers);
    const { notify_url = row.notify_url } = body;
    const notify = await saveNotifyUrl(input, row, row.notify_url, notify_url);
    const { platform_config, sealed_platform } = changed;
    const saved = {
      ...changes,
      ...triggers,
      platform_config,
      sealed_platform,
      notify_url,
      version,
      updated_at: context.clock.now(),
    };
    const after = await updateAgent(tx, row, saved);
    const data = await presentAgent(tx, after, context);
    const target = { kind: "agent", id: row.id, name: row.slug };
    trail.audit({ operation: "updateBackgroundAgent", target, before, after: data });
    afterCommit(() => context.agents.wake());
    return { status: 200, body: savedAgent(data, { webhook, notify }) };
  },
});

/** Families 7: when the instructions, the model, the provider's type, the toolkit or the skills change. */
function isNewVersion(before: AgentRow, after: AgentRow): boolean {
  return (
    before.instructions !== after.instructions ||
    before.model !== after.model ||
    before.provider.type !== after.provider.type ||
    before.toolkit !== after.toolkit ||
    before.skills.join("\n") !== after.skills.join("\n")
  );
}
