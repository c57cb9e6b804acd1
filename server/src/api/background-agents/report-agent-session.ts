import { z } from "zod";
import type { Step } from "#agents/loop/ports";
import type { RemoteSession } from "#agents/platforms/platform";
import { isSigned } from "#agents/signed-request";
import { stepRow } from "#agents/step-row";
import { write } from "#api/kit/operation";
import { pathParameter, textParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import {
  countSteps,
  endSession,
  findAgent,
  findSession,
  insertNewSteps,
  isOpen,
  lockSession,
  openPlatformSecrets,
  type SessionEnd,
  saveReported,
} from "#records/agents";
import { ReportSessionBody } from "./bodies.ts";
import { presentSession } from "./present.ts";
import { Session } from "./schema.ts";

/** Families 7. */
export const reportAgentSession = write({
  id: "reportAgentSession",
  route: "POST /api/background-agents/{slug}/sessions/{id}/report",
  tag: "Background Agents",
  summary: "Report what happened in a session",
  description:
    "For runners of the platform `webhook`. The request is signed with the secret of `platform_config`: `X-Signature-256` is `sha256=` and the HMAC-SHA256 of `<timestamp>.<body>`. Steps with an `index` that was reported before are ignored.",
  scope: "any",
  callers: "anyone",
  path: {
    slug: pathParameter("The agent's slug", "triage"),
    id: pathParameter("The session's ID", "ses_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  headers: {
    "X-Timestamp": textParameter("Seconds since 1970; at most 5 minutes off"),
    "X-Signature-256": textParameter("The signature"),
  },
  body: ReportSessionBody,
  answers: { 200: z.object({ data: Session }) },
  refusals: [400, 404, 409, 429],
  onCrash: "Failed to report session",
  unaudited: "the session has what was reported",
  async isSigned({ db, path, headers, bytes, context }) {
    const agent = await findAgent(db, String(path.slug));
    const { secret } = agent ? openPlatformSecrets(context.vault, agent) : {};
    const [signature, timestamp] = [headers["X-Signature-256"], headers["X-Timestamp"]];
    if (secret === undefined || typeof signature !== "string" || typeof timestamp !== "string") return false;
    return isSigned({ signature, timestamp, body: bytes }, [secret], context.clock.now());
  },
  async prepare({ db, path, body, context }) {
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const now = context.clock.now();
    const steps = body.steps.map((step) => stepOf(step, now));
    const { output = "", error = "The runner reported a failure" } = body;
    const reported: Pick<RemoteSession, "steps" | "output" | "error"> = { steps, output, error };
    return { agent, guarded: await context.agents.stepGuards.apply(agent, reported) };
  },
  async run({ tx, trail, path, body, context, prepared: { agent, guarded } }) {
    const row = await lockSession(tx, agent.id, path.id);
    if (row?.platform !== "webhook") throw notFound.agentSession();
    if (!isOpen(row.status)) throw new Refusal("conflict", "the session has ended");
    const now = context.clock.now();
    await insertNewSteps(
      tx,
      guarded.steps.map((step, at) => stepRow(row.id, body.steps[at]?.index ?? at, step)),
    );
    const counts = await countSteps(tx, row.id);
    if (body.status === "running") await saveReported(tx, row.id, counts);
    else await endSession(tx, trail, agent, row, { ...counts, ...endOf(body.status, guarded) }, { at: now });
    const changed = (await findSession(tx, agent.id, row.id)) ?? row;
    return { status: 200, body: { data: presentSession(agent.slug, changed) } };
  },
});

type Report = z.output<typeof ReportSessionBody>;

function stepOf(reported: Report["steps"][number], startedAt: number): Step {
  const {
    type,
    text,
    tool_name: toolName,
    arguments: input,
    is_error: isError,
    duration_ms: durationMs = 0,
  } = reported;
  const role = type === "tool_result" ? "tool" : type === "error" ? "system" : "assistant";
  return { type, role, text, toolName, arguments: input, isError, startedAt, durationMs };
}

function endOf(status: Report["status"], { output, error }: Pick<RemoteSession, "output" | "error">): SessionEnd {
  if (status === "completed") return { status, output };
  return { status: "failed", error_code: "platform_error", error_message: error };
}
