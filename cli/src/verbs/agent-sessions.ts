import { setTimeout as sleep } from "node:timers/promises";
import { readEvents } from "#openapi/event-stream";
import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { type Call, LIMIT, verb } from "../verb.ts";

type Session = Schemas["AgentSession"];
type Step = Schemas["AgentStep"];

const SESSION_STATUSES = [
  ...(["queued", "running", "waiting_approval", "completed", "failed", "canceled", "timed_out"] as const),
] as const;
const POLL_MS = 500;

export const invoke = verb({
  description: "Start a session; with --follow, print what happens until it ends",
  args: ["agent"],
  options: {
    input: { type: "text", hint: "text", description: "what to do" },
    "input-file": { type: "text", hint: "file", description: "file with the input; - for standard input" },
    follow: { type: "flag", description: "print each step, and exit with 1 if the session does not complete" },
  },
  example: 'gatehouse agents invoke triage --input "Triage new issues" --follow',
  async run({ api, args, options, readText, out, download }) {
    const input = options.input ?? (options["input-file"] && (await readText(options["input-file"])));
    if (!input) throw badUsage("Pass --input or --input-file.");
    const client = api();
    const { data } = await client.invokeBackgroundAgent({ path: { slug: args.agent }, body: { input } });
    if (!options.follow) {
      out.say(`Started session \`${data.id}\`.`);
      out.record(data);
      return;
    }
    await follow({ api, download, out }, data);
  },
});

type Following = Pick<Call, "api" | "download" | "out">;
const MAX_BROKEN = 5;

/** Prints each step as it happens. A stream that breaks is opened again after the last step. */
async function follow(call: Following, started: Session): Promise<void> {
  const { api, out } = call;
  const path = { slug: started.agent_slug, id: started.id };
  const seen: Seen = { after: -1, session: undefined };
  for (let broken = 0; !seen.session?.ended_at; ) {
    try {
      await printEvents(call, path, seen);
    } catch (error) {
      if (++broken > MAX_BROKEN) throw error;
      await sleep(POLL_MS);
    }
  }
  const { data: session } = await api().getAgentSession({ path });
  out.record(session);
  if (session.status !== "completed") throw new Failure(EXIT.failed, failureOf(session));
}

interface Seen {
  after: number;
  session: Session | undefined;
}

async function printEvents({ download, out }: Following, path: { slug: string; id: string }, seen: Seen) {
  const stream = await download("streamAgentSession", { path, query: { after: seen.after } });
  for await (const { name, data } of readEvents(stream)) {
    if (name === "status") seen.session = JSON.parse(data);
    if (name !== "step") continue;
    const step: Step = JSON.parse(data);
    seen.after = step.index;
    out.say(lineOf(step));
  }
}

function failureOf({ status, error }: Session): string {
  return error ? `The session ended as ${status}: ${error.message}` : `The session ended as ${status}.`;
}

const MAX_LINE = 200;

/** Such as `redact: email-addresses`. */
function guardOf({ guard, guard_action: action }: Step): string | null {
  return guard === null || action === null ? guard : `${action}: ${guard}`;
}

function lineOf(step: Step): string {
  const text = (step.arguments ?? step.text ?? "").replace(/\s+/g, " ").slice(0, MAX_LINE);
  const guard = step.guard === null ? "" : ` (${guardOf(step)})`;
  const what = step.tool_name === null ? step.type : `${step.type} ${step.tool_name}`;
  return `${String(step.index).padStart(3)}  ${what}${step.is_error ? " (error)" : ""}${guard}  ${text}`.trimEnd();
}

export const sessions = verb({
  description: "List the sessions of an agent, newest first",
  args: ["agent"],
  options: {
    status: { type: "choice", choices: SESSION_STATUSES, description: "only sessions with this status" },
    limit: LIMIT,
  },
  example: "gatehouse agents sessions triage --status failed",
  async run({ api, args, options: { limit, status }, out }) {
    const client = api();
    const rows = await readPages<Session, string>(limit, async (most, cursor) => {
      const query = { ...given({ status }), limit: most, cursor };
      const { data, pagination } = await client.listAgentSessions({ path: { slug: args.agent }, query });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Session> = {
      ID: (session) => session.id,
      CREATED: (session) => session.created_at,
      STATUS: (session) => session.status,
      TRIGGER: (session) => session.trigger,
      STEPS: (session) => session.usage.steps,
      "TOOL CALLS": (session) => session.usage.tool_calls,
      ERROR: (session) => session.error?.code,
    };
    out.list(rows, columns, "No sessions. Start one: gatehouse agents invoke <agent> --input <text>");
  },
});

export const steps = verb({
  description: "Show a session and what happened in it; with --follow, until it ends",
  args: ["agent", "session"],
  options: { follow: { type: "flag", description: "print further steps until the session ends" } },
  example: "gatehouse agents steps triage ses_01kc5v6q3zt9x4m2e8h7d5n1pw --follow",
  async run({ api, args, options, out, download }) {
    const client = api();
    const path = { slug: args.agent, id: args.session };
    const { data: session } = await client.getAgentSession({ path });
    if (options.follow) return follow({ api, download, out }, session);
    const rows = await readPages<Step, number>(undefined, async (most, cursor) => {
      const { data, pagination } = await client.listAgentSteps({ path, query: { limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Step> = {
      "#": (step) => step.index,
      TYPE: (step) => step.type,
      TOOL: (step) => step.tool_name,
      ERROR: (step) => step.is_error,
      GUARD: guardOf,
      MS: (step) => step.duration_ms,
      TEXT: (step) => (step.arguments ?? step.text ?? "").replace(/\s+/g, " ").slice(0, MAX_LINE),
    };
    out.list(rows, columns, "Nothing happened yet.");
  },
});

export const cancel = verb({
  description: "Cancel a session",
  args: ["agent", "session"],
  example: "gatehouse agents cancel triage ses_01kc5v6q3zt9x4m2e8h7d5n1pw",
  async run({ api, args, out }) {
    const path = { slug: args.agent, id: args.session };
    const { data } = await api().cancelAgentSession({ path });
    out.say(`Canceled session \`${data.id}\`.`);
    out.record(data);
  },
});
