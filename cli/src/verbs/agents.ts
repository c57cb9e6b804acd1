import { setTimeout as sleep } from "node:timers/promises";
import { readEvents } from "#openapi/event-stream";
import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { type Call, JSON_BODY, LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";

type Agent = Schemas["BackgroundAgent"];
type Session = Schemas["AgentSession"];
type Step = Schemas["AgentStep"];

const STATUS = { type: "choice", choices: ["draft", "active", "paused"] } as const;
const SESSION_STATUSES = [
  ...(["queued", "running", "waiting_approval", "completed", "failed", "canceled", "timed_out"] as const),
] as const;
const POLL_MS = 500;

const FIELDS = {
  instructions: { type: "text", hint: "file", description: "file with the system prompt; - for standard input" },
  model: { type: "text", hint: "name", description: "the model's name at the provider" },
  description: { type: "text", hint: "text", description: "for people" },
  status: { ...STATUS, description: "only active agents start sessions" },
  toolkit: { type: "text", hint: "slug", description: "the toolkit that it is limited to" },
  cron: { type: "text", hint: "expression", description: 'schedule such as "0 9 * * 1-5"; off removes it' },
  timezone: { type: "text", hint: "zone", description: "time zone of the schedule; UTC by default" },
  "schedule-input": { type: "text", hint: "text", description: "what scheduled sessions do" },
  webhook: { type: "switch", description: "start sessions for signed requests" },
  "notify-url": { type: "text", hint: "url", description: "URL that gets results; off removes it" },
  skill: { type: "list", hint: "slug", description: "skill that it can read; repeat for more, replaces all" },
  json: JSON_BODY,
} as const satisfies Options;

async function fieldsOf({ readText }: Pick<Call, "readText">, options: Values<typeof FIELDS>) {
  const { model, description, status, toolkit, skill } = options;
  const instructions = options.instructions === undefined ? undefined : await readText(options.instructions);
  const notify_url = options["notify-url"] === "off" ? null : options["notify-url"];
  const triggers = triggersOf(options);
  return given({
    instructions,
    model,
    description,
    status,
    toolkit,
    skills: skill && [...skill],
    notify_url,
    triggers,
  });
}

type Triggers = NonNullable<Schemas["UpdateBackgroundAgent"]["triggers"]>;

function triggersOf({ cron, timezone, webhook, "schedule-input": input }: Values<typeof FIELDS>): Triggers | undefined {
  if (cron === undefined && (timezone !== undefined || input !== undefined)) throw badUsage("Pass --cron.");
  if (cron === undefined && webhook === undefined) return undefined;
  if (cron !== undefined && cron !== "off" && input === undefined) throw badUsage("Pass --schedule-input.");
  return {
    ...(cron !== undefined && {
      schedule: cron === "off" ? null : { cron, input: input ?? "", ...given({ timezone }) },
    }),
    ...(webhook !== undefined && { webhook: { enabled: webhook } }),
  };
}

interface Secrets {
  readonly webhook_secret?: string | undefined;
  readonly notify_secret?: string | undefined;
}

/** Secrets are shown once, so they are printed even if the record is not. */
function saySecrets(out: Output, { webhook_secret: hook, notify_secret: notify }: Secrets): void {
  if (hook !== undefined) out.say(`Secret of the inbound webhook, shown once: ${hook}`);
  if (notify !== undefined) out.say(`Signing secret of notifications, shown once: ${notify}`);
}

const list = verb({
  description: "List agents with their last session",
  options: { status: { ...STATUS, description: "only agents with this status" }, search: SEARCH, limit: LIMIT },
  example: "gatehouse agents list --status active",
  async run({ api, options: { limit, ...filter }, out }) {
    const client = api();
    const rows = await readPages<Agent, number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listBackgroundAgents({ query: { ...filter, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Agent> = {
      SLUG: (agent) => agent.slug,
      NAME: (agent) => agent.name,
      STATUS: (agent) => agent.status,
      MODEL: (agent) => agent.model,
      IDENTITY: (agent) => agent.identity ?? "",
      "LAST SESSION": (agent) => agent.last_session?.status,
      "NEXT RUN": (agent) => agent.triggers.schedule?.next_run_at,
    };
    out.list(rows, columns, "No agents. Create one: gatehouse agents create <name> --json <file>");
  },
});

const get = verb({
  description: "Show an agent",
  args: ["agent"],
  example: "gatehouse agents get triage",
  async run({ api, args, out }) {
    out.record((await api().getBackgroundAgent({ path: { slug: args.agent } })).data);
  },
});

const create = verb({
  description: "Create an agent, as a draft unless --status active; --json has the provider and further fields",
  args: ["name"],
  options: FIELDS,
  example: 'gatehouse agents create "Issue triage" --instructions triage.md --model gpt-5 --json @provider.json',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreateBackgroundAgent"]>({ readText }, options.json);
    const fields = await fieldsOf({ readText }, options);
    const { instructions = more.instructions, model = more.model, ...rest } = fields;
    if (instructions === undefined) throw badUsage("Pass --instructions.");
    if (model === undefined) throw badUsage("Pass --model.");
    if (more.provider === undefined) throw badUsage('Pass --json with a "provider".');
    const body = { ...more, ...rest, instructions, model, provider: more.provider, name: args.name };
    const { data, ...secrets } = await api().createBackgroundAgent({ body });
    out.say(`Created agent \`${data.slug}\`.`);
    saySecrets(out, secrets);
    out.record(data);
  },
});

const update = verb({
  description: "Change an agent; omitted options stay unchanged",
  args: ["agent"],
  options: { name: { type: "text", hint: "text", description: "display name" }, ...FIELDS },
  example: "gatehouse agents update triage --status active",
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["UpdateBackgroundAgent"]>({ readText }, options.json);
    const body = { ...more, ...(await fieldsOf({ readText }, options)), ...given({ name: options.name }) };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    const { data, ...secrets } = await api().updateBackgroundAgent({ query: { slug: args.agent }, body });
    out.say(`Updated agent \`${data.slug}\`.`);
    saySecrets(out, secrets);
    out.record(data);
  },
});

const invoke = verb({
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

function lineOf(step: Step): string {
  const text = (step.arguments ?? step.text ?? "").replace(/\s+/g, " ").slice(0, MAX_LINE);
  const what = step.tool_name === null ? step.type : `${step.type} ${step.tool_name}`;
  return `${String(step.index).padStart(3)}  ${what}${step.is_error ? " (error)" : ""}  ${text}`.trimEnd();
}

const sessions = verb({
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

const steps = verb({
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
      GUARD: (step) => step.guard,
      MS: (step) => step.duration_ms,
      TEXT: (step) => (step.arguments ?? step.text ?? "").replace(/\s+/g, " ").slice(0, MAX_LINE),
    };
    out.list(rows, columns, "Nothing happened yet.");
  },
});

const rotate = verb({
  description: "Rotate the secret of the inbound webhook or of notifications; the old one stays valid for a day",
  args: ["agent"],
  options: {
    kind: { type: "choice", choices: ["webhook", "notify"], description: "which secret; webhook by default" },
    overlap: { type: "number", hint: "hours", description: "hours until the old secret expires" },
  },
  example: "gatehouse agents rotate-secret triage --kind webhook --overlap 1",
  async run({ api, args, options, out }) {
    const body = { kind: options.kind ?? "webhook", ...given({ overlap_hours: options.overlap }) };
    const { data, secret } = await api().rotateAgentSecret({ path: { slug: args.agent }, body });
    out.say(`Rotated a secret of agent \`${data.slug}\`. The new one is shown once: ${secret ?? ""}`);
    out.record(data);
  },
});

const cancel = verb({
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

const remove = verb({
  description: "Delete an agent with its sessions",
  args: ["agent"],
  options: { yes: YES, force: { type: "flag", description: "also if sessions run" } },
  example: "gatehouse agents delete triage --yes",
  async run({ api, args, options, out, confirm }) {
    const client = api();
    await confirm(`Delete agent ${args.agent}?`);
    await client.deleteBackgroundAgent({ query: { slug: args.agent, ...given({ force: options.force }) } });
    out.say(`Deleted agent \`${args.agent}\`.`);
  },
});

export const agents: Noun = {
  description: "Agents that work without a person, with tools at the gateway",
  verbs: { list, get, create, update, invoke, sessions, steps, cancel, "rotate-secret": rotate, delete: remove },
  example: "gatehouse agents list",
};
