import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given, isJson, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { readTime } from "../read-time.ts";
import { JSON_BODY, LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";

type Guard = Schemas["GuardWithStats"];

const TYPE = { type: "choice", choices: ["runtime", "buildtime"] } as const;
const ACTION = { type: "choice", choices: ["log", "warn", "redact", "require_approval", "block"] } as const;
const DIRECTION = { type: "choice", choices: ["request", "response", "both"] } as const;

const FIELDS = {
  description: { type: "text", hint: "text", description: "what it is for" },
  threshold: { type: "number", hint: "n", description: "1 to 10: how certain a finding must be" },
  direction: { ...DIRECTION, description: "which part of a call it examines" },
  priority: { type: "number", hint: "n", description: "lower ones come first" },
  "on-error": { type: "choice", choices: ["allow", "block"], description: "what happens if a check fails" },
  message: { type: "text", hint: "text", description: "shown to the caller if it blocks" },
  group: { type: "list", hint: "name", description: "only calls of this group; repeat for more" },
  server: { type: "list", hint: "slug", description: "only calls to this server; repeat for more" },
  tool: { type: "list", hint: "glob", description: "only calls of these tools, such as github__*; repeat for more" },
  user: { type: "list", hint: "email", description: "only calls of this user; repeat for more" },
  "exclude-server": { type: "list", hint: "slug", description: "not calls to this server; repeat for more" },
  json: { ...JSON_BODY, description: "fields as JSON, such as checks; @file, or - for standard input" },
} as const satisfies Options;

function fieldsOf(options: Values<typeof FIELDS>) {
  const { description, threshold, direction, priority, message } = options;
  return given({ description, threshold, direction, priority, message, on_error: options["on-error"] });
}

/** Undefined if no option of the scope is given. */
function scopeOf(options: Values<typeof FIELDS>): Partial<Guard["scope"]> | undefined {
  const { group, server, tool, user, "exclude-server": excluded } = options;
  const scope = {
    ...(group && { groups: group }),
    ...(server && { servers: server }),
    ...(tool && { tools: tool }),
    ...(user && { users: user }),
    ...(excluded && { exclude_servers: excluded }),
  };
  return Object.keys(scope).length === 0 ? undefined : scope;
}

const list = verb({
  description: "List guards",
  options: {
    type: { ...TYPE, description: "only guards of this type" },
    enabled: { type: "switch", description: "only enabled guards; --no-enabled: only disabled ones" },
    search: SEARCH,
    limit: LIMIT,
  },
  example: "gatehouse guards list --enabled",
  async run({ api, options: { limit, enabled, ...filter }, out }) {
    const client = api();
    const status = enabled === undefined ? {} : ({ enabled: enabled ? "true" : "false" } as const);
    const rows = await readPages<Guard, number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listGuards({ query: { ...filter, ...status, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Guard> = {
      SLUG: (guard) => guard.slug,
      NAME: (guard) => guard.name,
      TYPE: (guard) => guard.type,
      ENABLED: (guard) => guard.enabled,
      ACTION: (guard) => guard.action,
      THRESHOLD: (guard) => guard.threshold,
      CHECKS: (guard) => guard.checks.length,
      FIRED: (guard) => guard.stats.fired,
      "BUILT-IN": (guard) => guard.is_builtin,
    };
    out.list(rows, columns, "No guards. Create one: gatehouse guards create <name>");
  },
});

const get = verb({
  description: "Show a guard and its checks",
  args: ["guard"],
  example: "gatehouse guards get secrets",
  async run({ api, args, out }) {
    out.record((await api().getGuard({ path: { slug: args.guard } })).data);
  },
});

const enable = verb({
  description: "Enable a guard",
  args: ["guard"],
  options: { action: { ...ACTION, description: "also change what happens if it fires" } },
  example: "gatehouse guards enable secrets",
  async run({ api, args, options, out }) {
    const body = { enabled: true, ...given({ action: options.action }) };
    const { data } = await api().updateGuard({ query: { slug: args.guard }, body });
    out.say(`Enabled guard \`${data.slug}\` (${data.action}).`);
  },
});

const disable = verb({
  description: "Disable a guard",
  args: ["guard"],
  example: "gatehouse guards disable secrets",
  async run({ api, args, out }) {
    const { data } = await api().updateGuard({ query: { slug: args.guard }, body: { enabled: false } });
    out.say(`Disabled guard \`${data.slug}\`.`);
  },
});

const create = verb({
  description: "Create a guard, disabled unless --enabled",
  args: ["name"],
  options: {
    slug: { type: "text", hint: "slug", description: "default: from the name" },
    type: { ...TYPE, description: "default: runtime" },
    action: { ...ACTION, description: "what happens if it fires" },
    enabled: { type: "flag", description: "enable it immediately" },
    regex: { type: "list", hint: "pattern", description: "check for a pattern in RE2 syntax; repeat for more" },
    word: { type: "list", hint: "word", description: "check for a word; repeat for more" },
    ...FIELDS,
  },
  example: 'gatehouse guards create "Ticket numbers" --action redact --regex "ACME-[0-9]{6}" --enabled',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreateGuard"]>({ readText }, options.json);
    const checks = [...(more.checks ?? []), ...regexChecks(options.regex), ...wordChecks(options.word)];
    const action = options.action ?? more.action;
    if (action === undefined) throw badUsage("Missing option: --action <log|warn|redact|require_approval|block>");
    if (checks.length === 0) throw badUsage("Pass at least one check: --regex, --word, or checks in --json.");
    const type = options.type ?? more.type ?? "runtime";
    const fields = given({ slug: options.slug, enabled: options.enabled, scope: scopeOf(options) });
    const body = { ...more, ...fields, ...fieldsOf(options), name: args.name, type, action, checks };
    const { data } = await api().createGuard({ body });
    out.say(
      `Created guard \`${data.slug}\`${data.enabled ? "" : `. Enable it: gatehouse guards enable ${data.slug}`}.`,
    );
    out.record(data);
  },
});

type NewCheck = Schemas["CreateGuard"]["checks"][number];

function regexChecks(patterns: readonly string[] = []): NewCheck[] {
  return patterns.map((pattern, at) => ({ type: "regex", name: numbered("Pattern", at), config: { pattern } }));
}

function wordChecks(words: readonly string[] = []): NewCheck[] {
  return words.length === 0 ? [] : [{ type: "keyword", name: "Words", config: { words: [...words] } }];
}

function numbered(name: string, at: number): string {
  return at === 0 ? name : `${name} ${at + 1}`;
}

const update = verb({
  description: "Change a guard; omitted options stay unchanged",
  args: ["guard"],
  options: {
    name: { type: "text", hint: "name", description: "new name" },
    action: { ...ACTION, description: "what happens if it fires" },
    "no-scope": { type: "flag", description: "cover all calls" },
    ...FIELDS,
  },
  example: "gatehouse guards update secrets --threshold 8 --server github",
  async run({ api, args, options, readText, out }) {
    const client = api();
    const scope = scopeOf(options);
    if (scope && options["no-scope"]) throw badUsage("--no-scope cannot be combined with options of the scope");
    const more = await jsonBody<Schemas["UpdateGuard"]>({ readText }, options.json);
    const fields = given({ name: options.name, action: options.action });
    const body = { ...more, ...fields, ...fieldsOf(options), ...(options["no-scope"] && { scope: {} }) };
    if (Object.keys(body).length === 0 && !scope) throw badUsage("Nothing to change. Pass at least one option.");
    // The API replaces the whole scope; lists without an option stay.
    const before = scope && (await client.getGuard({ path: { slug: args.guard } })).data.scope;
    const changes = scope ? { ...body, scope: { ...before, ...scope } } : body;
    const { data } = await client.updateGuard({ query: { slug: args.guard }, body: changes });
    out.say(`Updated guard \`${data.slug}\`.`);
    out.record(data);
  },
});

const remove = verb({
  description: "Delete a guard",
  args: ["guard"],
  options: { yes: YES },
  example: "gatehouse guards delete ticket-numbers --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete guard ${args.guard}?`);
    await client.deleteGuard({ query: { slug: args.guard } });
    out.say(`Deleted guard \`${args.guard}\`.`);
  },
});

type Result = Schemas["GuardCheckResult"];

const test = verb({
  description: "Evaluate text with guards; nothing is stored",
  args: ["text"],
  options: {
    guard: { type: "text", hint: "slug", description: "only this guard, also if it is disabled" },
    direction: { type: "choice", choices: ["request", "response"], description: "part of a call; default: request" },
    entity: {
      type: "choice",
      choices: ["mcp_server", "tool", "toolkit", "skill", "command", "plugin", "background_agent"],
      description: "build-time guards for this content instead",
    },
    server: { type: "text", hint: "slug", description: "as a call to this server" },
    tool: { type: "text", hint: "name", description: "as a call of this tool, such as github__create_issue" },
    user: { type: "text", hint: "email", description: "as a call of this user" },
  },
  example: 'gatehouse guards test "Call +1 202 555 0143" --guard phone-numbers',
  async run({ api, args, options, readText, out }) {
    const text = args.text === "-" ? await readText("-") : args.text;
    const all = options.entity ? { entity_type: options.entity } : { direction: options.direction ?? "request" };
    const mode = options.guard ? given({ guard_slug: options.guard, direction: options.direction }) : all;
    const { server, tool, user } = options;
    const body = { content: contentOf(text), ...mode, ...given({ server, tool, email: user }) };
    const { data } = await api().evaluateGuards({ body });
    const results: readonly Result[] = "results" in data ? data.results : [data];
    const objecting = results.filter(({ passed }) => !passed);
    const columns: Columns<Result> = {
      GUARD: (result) => result.guard_slug,
      ACTION: (result) => result.action,
      SCORE: (result) => `${result.score}/${result.threshold}`,
      FINDINGS: (result) => result.finding_count,
      CHECK: (result) => [...new Set(result.findings.map(({ check_name }) => check_name))].join(", "),
      EXCERPT: (result) => result.findings[0]?.excerpt ?? result.error ?? "",
    };
    out.list(objecting, columns, results.length === 0 ? "No enabled guard applies." : "Passed.");
    if ("results" in data && data.redactions.length > 0 && data.content !== null) {
      out.say(`After redaction: ${typeof data.content === "string" ? data.content : JSON.stringify(data.content)}`);
    }
  },
});

/** A JSON object is evaluated as the arguments or the result of a call. */
function contentOf(text: string): string | Record<string, unknown> {
  return text.trimStart().startsWith("{") && isJson(text) ? JSON.parse(text) : text;
}

const dryRun = verb({
  description: "Show what a guard would have done with logged calls; needs stored payloads",
  args: ["guard"],
  options: {
    from: { type: "text", hint: "time", description: "first call: a time, or how long ago (default: 7d)" },
    to: { type: "text", hint: "time", description: "last call: a time, or how long ago (default: now)" },
    limit: { ...LIMIT, description: "number of calls, the newest first (default: 1000)" },
  },
  example: "gatehouse guards dry-run payment-cards --from 7d",
  async run({ api, args, options, out, now }) {
    const from = readTime("from", options.from ?? "7d", now(), "ago");
    const to = options.to === undefined ? new Date(now()).toISOString() : readTime("to", options.to, now(), "ago");
    const body = { guard_slug: args.guard, from, to, ...given({ limit: options.limit }) };
    const { data, warnings = [] } = await api().dryRunGuard({ body });
    const { calls_examined, calls_without_payload, would, by_tool, by_user, samples } = data;
    out.record({ calls_examined, calls_without_payload, ...would, by_tool, by_user, samples });
    for (const warning of warnings) out.say(`Warning: ${warning}`);
  },
});

export const guards: Noun = {
  description: "Guards examine calls and content",
  verbs: { list, get, enable, disable, create, update, delete: remove, test, "dry-run": dryRun },
  example: "gatehouse guards list",
};
