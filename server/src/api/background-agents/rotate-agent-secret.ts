import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import type { WriteInput } from "#api/kit/operation";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { newAgentHookSecret } from "#lib/tokens";
import { lockAgent, openHookSecrets, sealHookSecrets, updateAgent } from "#records/agents";
import {
  findAgentWebhook,
  newWebhookSecret,
  openWebhookSecrets,
  sealWebhookSecret,
  updateWebhook,
} from "#records/webhooks";
import type { AgentRow } from "#storage/agent-tables";
import { RotateAgentSecretBody } from "./bodies.ts";
import { presentAgent } from "./present.ts";
import { Agent } from "./schema.ts";

const HOUR_MS = 60 * 60 * 1000;
const DEFAULT_OVERLAP_HOURS = 24;

type Rotating = Pick<WriteInput<unknown, unknown, unknown, unknown>, "tx" | "context">;

/** Families 7. */
export const rotateAgentSecret = write({
  id: "rotateAgentSecret",
  route: "POST /api/background-agents/{slug}/rotate-secret",
  tag: "Background Agents",
  summary: "Rotate a secret of an agent",
  description:
    "Until the overlap ends, the inbound webhook accepts both secrets, and requests to `notify_url` have two signatures.",
  scope: "admin:write",
  path: { slug: pathParameter("The agent's slug", "triage") },
  body: RotateAgentSecretBody,
  answers: {
    200: z.object({
      data: Agent,
      secret: z.string().optional().meta({
        description: "The new secret, which cannot be retrieved later. Omitted when an idempotent request is repeated",
        example: "gh_ah_…",
      }),
    }),
  },
  refusals: [400, 404, 409],
  onCrash: "Failed to rotate secret",
  shownOnce: ["secret"],
  async run(input) {
    const { tx, trail, path, body, context } = input;
    const agent = await lockAgent(tx, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const expiresAt = context.clock.now() + (body.overlap_hours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS;
    const secret =
      body.kind === "webhook" ? await rotateHook(input, agent, expiresAt) : await rotateNotify(input, agent, expiresAt);
    const target = { kind: "agent", id: agent.id, name: agent.slug };
    const after = { kind: body.kind, previous_secret_expires_at: isoTime(expiresAt) };
    trail.audit({ operation: "rotateAgentSecret", target, after });
    const changed = (await lockAgent(tx, path.slug)) ?? agent;
    return { status: 200, body: { data: await presentAgent(tx, changed, context), secret } };
  },
});

async function rotateHook({ tx, context }: Rotating, agent: AgentRow, expiresAt: number): Promise<string> {
  const old = openHookSecrets(context.vault, agent);
  if (!old) throw new Refusal("conflict", "the agent has no inbound webhook");
  const current = newAgentHookSecret(context.random);
  const secrets = { current, previous: old.current, previousExpiresAt: expiresAt };
  const sealed_hook = sealHookSecrets(context.vault, agent.id, secrets);
  await updateAgent(tx, agent, { sealed_hook, updated_at: context.clock.now() });
  return current;
}

async function rotateNotify({ tx, context }: Rotating, agent: AgentRow, expiresAt: number): Promise<string> {
  const row = await findAgentWebhook(tx, agent.id);
  if (!row) throw new Refusal("conflict", "the agent has no notify_url");
  const { vault, clock, random } = context;
  const [old = ""] = openWebhookSecrets(vault, row, clock.now());
  const secret = newWebhookSecret(random);
  await updateWebhook(tx, row.id, {
    sealed_secret: sealWebhookSecret(vault, row.id, secret, "sealed_secret"),
    sealed_previous_secret: sealWebhookSecret(vault, row.id, old, "sealed_previous_secret"),
    previous_secret_expires_at: expiresAt,
    // A receiver that failed for long can be tried again.
    ...{ enabled: true, disabled_reason: null, disabled_at: null, updated_at: clock.now() },
  });
  return secret;
}
