import { write } from "#api/kit/operation";
import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";
import { insertAgent, updateAgent } from "#records/agents";
import { findUser } from "#records/users";
import type { AgentRow } from "#storage/agent-tables";
import { CreateAgentBody } from "./bodies.ts";
import { presentAgent } from "./present.ts";
import {
  checkReferences,
  createIdentity,
  DEFAULT_LIMITS,
  identityOf,
  limitsOf,
  modelOf,
  requireReachableProvider,
} from "./save.ts";
import { platformOf } from "./save-platform.ts";
import { requireStorable, saveNotifyUrl, triggersOf } from "./save-triggers.ts";
import { SavedAgent, savedAgent } from "./schema.ts";

/** Families 7. */
export const createBackgroundAgent = write({
  id: "createBackgroundAgent",
  route: "POST /api/background-agents",
  tag: "Background Agents",
  summary: "Create an agent",
  description:
    "An agent works without a person: it gets instructions and an input, and calls tools at the gateway as a machine user. Groups, toolkits, guards, approvals, limits and logs apply to its calls like to any other.",
  scope: "admin:write",
  body: CreateAgentBody,
  answers: { 201: SavedAgent },
  refusals: [400],
  onCrash: "Failed to create background agent",
  shownOnce: ["secrets"],
  async prepare({ db, body, context }) {
    const user = body.identity === undefined ? undefined : await findUser(db, body.identity);
    await requireStorable(context, user?.id ?? null, body.triggers);
  },
  async run(input) {
    const { tx, trail, body, context } = input;
    requireReachableProvider(input, body);
    await checkReferences(tx, body);
    const id = context.newId("agt");
    const now = context.clock.now();
    const { platform = "builtin" } = body;
    const slug = body.slug ?? slugFromName(body.name, "agent", LONG_SLUG_MAX_LENGTH);
    const identity_id = body.identity === undefined ? null : await identityOf(tx, body.identity);
    const plain: AgentRow = {
      ...{ id, slug, name: body.name, search_text: "", description: body.description ?? "" },
      ...{ status: body.status ?? "draft", platform, instructions: body.instructions },
      ...modelOf(context, { id, platform }, undefined, body),
      ...{ toolkit: body.toolkit ?? null, skills: [...new Set(body.skills ?? [])], identity_id },
      ...{ owner_emails: [...new Set(body.owner_emails ?? [])], limits: limitsOf(DEFAULT_LIMITS, body.limits) },
      ...{ version: 1, schedule: null, next_run_at: null, skipped_at: null, hook_enabled: false, sealed_hook: null },
      ...{ notify_url: body.notify_url ?? null, sync: null, platform_config: null, sealed_platform: null },
      ...{ created_at: now, updated_at: now },
    };
    const { triggers, secret: webhook } = triggersOf(input, plain, undefined, body.triggers);
    const inserted = await insertAgent(tx, {
      ...plain,
      ...platformOf(context, plain, body.platform_config),
      ...triggers,
    });
    const stored =
      identity_id === null
        ? await updateAgent(tx, inserted, { identity_id: await createIdentity(input, inserted) })
        : inserted;
    const notify = await saveNotifyUrl(input, stored, null, stored.notify_url);
    const data = await presentAgent(tx, stored, context);
    const target = { kind: "agent", id, name: stored.slug };
    trail.audit({ operation: "createBackgroundAgent", target, after: data });
    return { status: 201, body: savedAgent(data, { webhook, notify }) };
  },
});
