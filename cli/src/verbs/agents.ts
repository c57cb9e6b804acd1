import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { saveSecret } from "../secret-file.ts";
import {
  type Call,
  JSON_BODY,
  LIMIT,
  type Noun,
  type Options,
  SAVE_TO,
  SEARCH,
  type Values,
  verb,
  YES,
} from "../verb.ts";
import { cancel, invoke, sessions, steps } from "./agent-sessions.ts";

type Agent = Schemas["BackgroundAgent"];

const STATUS = { type: "choice", choices: ["draft", "active", "paused"] } as const;

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

/** Secrets are part of the record, because they are shown only once. */
function show(out: Output, agent: Agent, secrets: Readonly<Record<string, string | undefined>> = {}): void {
  const shown = given(secrets);
  if (Object.keys(shown).length === 0) return out.record(agent);
  out.say("Copy the secret now. It cannot be shown again.");
  out.record({ ...agent, secrets: shown });
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
      MODEL: (agent) => agent.model ?? agent.resolved_provider?.model,
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
  description: "Create an agent, as a draft unless --status active; --json has further fields, such as the provider",
  args: ["name"],
  options: FIELDS,
  example: 'gatehouse agents create "Issue triage" --instructions triage.md --model gpt-5 --json @provider.json',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreateBackgroundAgent"]>({ readText }, options.json);
    const fields = await fieldsOf({ readText }, options);
    const { instructions = more.instructions, ...rest } = fields;
    if (instructions === undefined) throw badUsage("Pass --instructions.");
    const body = { ...more, ...rest, instructions, name: args.name };
    const { data, secrets } = await api().createBackgroundAgent({ body });
    out.say(`Created agent \`${data.slug}\`.`);
    show(out, data, secrets);
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
    const { data, secrets } = await api().updateBackgroundAgent({ query: { slug: args.agent }, body });
    out.say(`Updated agent \`${data.slug}\`.`);
    show(out, data, secrets);
  },
});

const defaultProvider = verb({
  description: "Show the provider of agents that have none, which the operator sets",
  example: "gatehouse agents default-provider",
  async run({ api, out }) {
    const { data } = await api().getDefaultProvider();
    if (data) out.record(data);
    else out.say("This installation has no default provider. The operator can set AGENT_PROVIDER.");
  },
});

const rotate = verb({
  description: "Rotate the secret of the inbound webhook or of notifications; the old one stays valid for a day",
  args: ["agent"],
  options: {
    kind: { type: "choice", choices: ["webhook", "notify"], description: "which secret; webhook by default" },
    overlap: { type: "number", hint: "hours", description: "hours until the old secret expires" },
    "save-to": SAVE_TO,
  },
  example: "gatehouse agents rotate-secret triage --kind webhook --overlap 1 --save-to triage.secret",
  async run({ api, args, options, out }) {
    const { kind = "webhook", overlap, "save-to": file } = options;
    const body = { kind, ...given({ overlap_hours: overlap }) };
    const client = api();
    const { answer, saved } = await saveSecret(file, async () => {
      const rotated = await client.rotateAgentSecret({ path: { slug: args.agent }, body });
      return { secret: rotated.secret, answer: rotated };
    });
    out.say(`Rotated the secret of agent \`${answer.data.slug}\`.`);
    if (saved) out.say(`Saved the secret to ${file}. It cannot be shown again.`);
    show(out, answer.data, saved ? {} : { [kind]: answer.secret });
  },
});

const sync = verb({
  description: "Sync an agent with its platform: definition, differences and sessions",
  args: ["agent"],
  options: {
    direction: { type: "choice", choices: ["push", "pull", "both"], description: "both by default" },
  },
  example: "gatehouse agents sync triage --direction push",
  async run({ api, args, options, out }) {
    const body = given({ direction: options.direction });
    const { data } = await api().syncBackgroundAgent({ path: { slug: args.agent }, body });
    if (data.sync.error !== null) throw new Failure(EXIT.failed, data.sync.error);
    const { pushed, drift, sessions_imported: imported } = data;
    const fields = drift.map(({ field }) => field).join(", ");
    out.say(`${pushed ? "Pushed the definition" : "Pushed nothing"}. Imported sessions: ${imported}.`);
    if (drift.length > 0) out.say(`The platform differs in: ${fields}. Pass --direction push or pull to resolve it.`);
    out.record(data);
  },
});

const importAgents = verb({
  description: "Import agents that exist only on a platform; --json has platform and platform_config",
  options: { json: JSON_BODY },
  example: "gatehouse agents import --json @anthropic.json",
  async run({ api, options, readText, out }) {
    const { platform = "anthropic", platform_config } = await jsonBody<Schemas["ImportBackgroundAgents"]>(
      { readText },
      options.json,
    );
    if (platform_config === undefined) throw badUsage('Pass --json with a "platform_config".');
    const { data } = await api().importBackgroundAgents({ body: { platform, platform_config } });
    out.list(data, { SLUG: (agent) => agent.slug, NAME: (agent) => agent.name }, "No agents to import.");
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
  verbs: {
    list,
    get,
    create,
    update,
    invoke,
    sessions,
    steps,
    cancel,
    "default-provider": defaultProvider,
    "rotate-secret": rotate,
    sync,
    import: importAgents,
    delete: remove,
  },
  example: "gatehouse agents list",
};
