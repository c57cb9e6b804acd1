import type { ApiContext } from "#api/kit/api-context";
import { download } from "#api/kit/operation";
import { numberParameter, pathParameter, textParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findAgent, findSession, isOpen, stepsAfter } from "#records/agents";
import type { AgentRow } from "#storage/agent-tables";
import { presentSession, presentStep } from "./present.ts";
import { readableSessionsOf } from "./session-access.ts";

const POLL_MS = 500;
const KEEP_ALIVE_MS = 15_000;
/** Clients continue with the last ID, so that a deleted token does not read forever. */
const MAX_STREAM_MS = 10 * 60_000;
const STEPS_PER_READ = 100;

/** Families 7. */
export const streamAgentSession = download({
  id: "streamAgentSession",
  route: "GET /api/background-agents/{slug}/sessions/{id}/events",
  tag: "Background Agents",
  summary: "Follow a session",
  description:
    "Server-sent events: `step` has a step, `status` the session whenever its status changes. The stream ends when the session has ended, or after 10 minutes; continue with the last ID. Requires `admin:read`, or `agents:invoke` for a session that the caller started.",
  scope: "any",
  path: {
    slug: pathParameter("The agent's slug", "triage"),
    id: pathParameter("The session's ID", "ses_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  query: { after: numberParameter("Only steps after this `index`", { minimum: -1, maximum: 1_000_000 }) },
  headers: { "Last-Event-ID": textParameter("The ID of the last event, as browsers send it. It replaces `after`") },
  media: { "text/event-stream": "Events with the names `step` and `status`. The ID of a step is its `index`" },
  refusals: [400, 404],
  onCrash: "Failed to follow session",
  async run(input) {
    const requestedBy = readableSessionsOf(input);
    const { db, path, query, headers, context } = input;
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const session = await findSession(db, agent.id, path.id);
    if (!session || (requestedBy ?? session.requested_by_id) !== session.requested_by_id) throw notFound.agentSession();
    const last = Number.parseInt(headers["Last-Event-ID"] ?? "", 10);
    const after = Number.isNaN(last) ? (query.after ?? -1) : last;
    return { type: "text/event-stream", pieces: eventsOf(context, agent, session.id, after) };
  },
});

interface Seen {
  readonly position: number;
  readonly status: string | undefined;
}

async function* eventsOf(context: ApiContext, agent: AgentRow, id: string, after: number): AsyncGenerator<string> {
  const { clock, agents } = context;
  const until = clock.monotonic() + MAX_STREAM_MS;
  let seen: Seen = { position: after, status: undefined };
  let sentAt = clock.monotonic();
  while (clock.monotonic() < until && !agents.stopped.aborted) {
    const news = await readNews(context, agent, id, seen);
    const isSilent = news.text === "" && clock.monotonic() - sentAt > KEEP_ALIVE_MS;
    const text = isSilent ? ": keep-alive\n\n" : news.text;
    if (text !== "") {
      yield text;
      sentAt = clock.monotonic();
    }
    if (news.isLast) return;
    seen = news;
    if (!news.hasMore) await pause(clock, agents.stopped);
  }
}

async function readNews({ databases: { main: db } }: ApiContext, agent: AgentRow, id: string, seen: Seen) {
  // The session first: steps that come after its end would be missed otherwise.
  const session = await findSession(db, agent.id, id);
  if (!session) return { ...seen, text: "", isLast: true, hasMore: false };
  const steps = await stepsAfter(db, id, { position: seen.position, limit: STEPS_PER_READ });
  const hasMore = steps.length === STEPS_PER_READ;
  const isNewStatus = !hasMore && session.status !== seen.status;
  const pieces = steps.map((step) => event("step", presentStep(step), step.position));
  if (isNewStatus) pieces.push(event("status", presentSession(agent.slug, session)));
  return {
    ...{ position: steps.at(-1)?.position ?? seen.position, status: isNewStatus ? session.status : seen.status },
    ...{ text: pieces.join(""), isLast: !hasMore && !isOpen(session.status), hasMore },
  };
}

function event(name: string, data: object, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function pause(clock: ApiContext["clock"], stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      timer.cancel();
      stopped.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.after(POLL_MS, done);
    stopped.addEventListener("abort", done, { once: true });
  });
}
