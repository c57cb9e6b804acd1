import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { invalid, notFound } from "#lib/errors";
import { findAgent, findSession, isOpen, lockAgent } from "#records/agents";
import { InvokeAgentBody } from "./bodies.ts";
import { presentSession } from "./present.ts";
import { Session } from "./schema.ts";
import { canRead } from "./session-access.ts";
import { guardInput, startSession } from "./start-session.ts";

const POLL_MS = 200;

/** Families 7. */
export const invokeBackgroundAgent = write({
  id: "invokeBackgroundAgent",
  route: "POST /api/background-agents/{slug}/invoke",
  tag: "Background Agents",
  summary: "Start a session of an agent",
  description:
    "The session waits until fewer than `max_concurrent` sessions of the agent run. With `wait_seconds`, the response comes when it ended, with status 200, or after that time, with status 202.",
  scope: "agents:invoke",
  path: { slug: pathParameter("The agent's slug", "triage") },
  body: InvokeAgentBody,
  answers: { 200: z.object({ data: Session }), 202: z.object({ data: Session }) },
  refusals: [400, 404, 409, 429],
  onCrash: "Failed to invoke background agent",
  async prepare({ db, path, body, context }) {
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const { input, metadata } = body;
    return {
      input: await guardInput(context, agent, input),
      metadata: metadata && (await context.agents.stepGuards.guardValues(agent, metadata)),
    };
  },
  async run(input) {
    const { tx, trail, path, body, prepared } = input;
    const agent = await lockAgent(tx, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const { parent_session_id: parentId } = body;
    const parent = parentId === undefined ? undefined : await findSession(tx, agent.id, parentId);
    if (parent && !canRead(input, parent)) throw invalid("parent_session_id", "session not found");
    const row = await startSession(input, agent, { ...prepared, parentId });
    const target = { kind: "agent", id: agent.id, name: agent.slug };
    trail.audit({ operation: "invokeBackgroundAgent", target, after: { session: row.id } });
    return { status: 202, body: { data: presentSession(agent.slug, row) } };
  },
  async finish(answer, { db, path, body, context }) {
    const agent = body.wait_seconds ? await findAgent(db, path.slug) : undefined;
    if (!agent) return answer;
    const until = context.clock.monotonic() + (body.wait_seconds ?? 0) * 1000;
    for (;;) {
      const row = await findSession(db, agent.id, answer.body.data.id);
      if (row && !isOpen(row.status)) return { status: 200, body: { data: presentSession(agent.slug, row) } };
      if (!row || context.clock.monotonic() >= until) return answer;
      await new Promise<void>((resolve) => context.clock.after(POLL_MS, resolve));
    }
  },
});
