import { basename } from "node:path";
import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { saveDownload } from "../save-files.ts";
import { type Call, JSON_BODY, LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";

type Listed = Schemas["CommandSelection"];

const STATUS = { type: "choice", choices: ["active", "draft"] } as const;
const FORMATS = ["claude", "cursor", "gemini"] as const;

const FIELDS = {
  slug: { type: "text", hint: "slug", description: "the name by which callers invoke it" },
  description: { type: "text", hint: "text", description: "what it does; default: the first line of the content" },
  content: { type: "text", hint: "file", description: "file with the template; - for standard input" },
  status: { ...STATUS, description: "only active commands reach callers" },
  skill: { type: "list", hint: "slug", description: "skill that it uses; repeat for more, replaces all" },
  group: { type: "list", hint: "name", description: "group that can use it; repeat for more, replaces all" },
  json: JSON_BODY,
} as const satisfies Options;

async function fieldsOf({ readText }: Pick<Call, "readText">, options: Values<typeof FIELDS>) {
  const { slug, description, status, skill, group } = options;
  const content = options.content === undefined ? undefined : await readText(options.content);
  return given({ slug, description, status, content, skills: skill && [...skill], groups: group && [...group] });
}

interface Saved {
  readonly data: Readonly<Schemas["Command"]>;
  readonly warnings?: readonly string[] | undefined;
}

function report(out: Output, done: string, { data, warnings = [] }: Saved): void {
  for (const warning of warnings) out.say(`Warning: ${warning}.`);
  out.say(`${done} command \`${data.slug}\`.`);
  out.record(data);
}

const list = verb({
  description: "List commands",
  options: { status: { ...STATUS, description: "only commands with this status" }, search: SEARCH, limit: LIMIT },
  example: "gatehouse commands list --status active",
  async run({ api, options: { limit, ...filter }, out }) {
    const client = api();
    const rows = await readPages<Listed, number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listCommands({ query: { ...filter, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Listed> = {
      SLUG: (command) => command.slug,
      NAME: (command) => command.name,
      STATUS: (command) => command.status,
      ARGUMENTS: (command) => command.argument_hint,
      GROUPS: (command) => command.groups?.join(", ") ?? "",
    };
    out.list(rows, columns, "No commands. Create one: gatehouse commands create <name> --content <file>");
  },
});

const get = verb({
  description: "Show a command with its content and arguments",
  args: ["command"],
  example: "gatehouse commands get release-notes",
  async run({ api, args, out }) {
    out.record((await api().getCommand({ path: { slug: args.command } })).data);
  },
});

const create = verb({
  description: "Create a command, as a draft unless --status active; --json has arguments and further fields",
  args: ["name"],
  options: FIELDS,
  example: 'gatehouse commands create "Release notes" --content notes.md --group Engineering',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreateCommand"]>({ readText }, options.json);
    const { content = more.content, ...rest } = await fieldsOf({ readText }, options);
    if (content === undefined) throw badUsage("Pass --content.");
    report(out, "Created", await api().createCommand({ body: { ...more, ...rest, content, name: args.name } }));
  },
});

const update = verb({
  description: "Change a command; omitted options stay unchanged, and --slug renames it",
  args: ["command"],
  options: {
    name: { type: "text", hint: "text", description: "display name" },
    "no-groups": { type: "flag", description: "remove it from all groups" },
    ...FIELDS,
  },
  example: "gatehouse commands update release-notes --group Engineering",
  async run({ api, args, options, readText, out }) {
    if (options.group && options["no-groups"]) throw badUsage("--group and --no-groups cannot be combined");
    const more = await jsonBody<Schemas["UpdateCommand"]>({ readText }, options.json);
    const groups = options["no-groups"] ? { groups: [] } : {};
    const body = { ...more, ...(await fieldsOf({ readText }, options)), ...given({ name: options.name }), ...groups };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    report(out, "Updated", await api().updateCommand({ query: { slug: args.command }, body }));
  },
});

/** `version=1.2`; only the first equals sign separates. */
function valuesOf(list: readonly string[]): Record<string, string> {
  const entries = list.map((text): [string, string] => {
    const at = text.indexOf("=");
    if (at < 1) throw badUsage(`${text} is not of the form name=value`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}

const render = verb({
  description: "Print the text that callers get for these arguments",
  args: ["command"],
  options: { arg: { type: "list", hint: "name=value", description: "value of an argument; repeat for more" } },
  example: "gatehouse commands render release-notes --arg version=1.4.0",
  async run({ api, args, options, out }) {
    const body = { arguments: valuesOf(options.arg ?? []) };
    const { data } = await api().renderCommand({ path: { slug: args.command }, body });
    if (out.json) out.record(data);
    else out.text(data.text);
  },
});

const exported = verb({
  description: "Save a command as a file for an MCP client",
  args: ["command"],
  options: {
    format: { type: "choice", choices: FORMATS, description: "the client; default: claude" },
    file: { type: "text", hint: "file", description: "where to save it; default: a new file with its slug" },
  },
  example: "gatehouse commands export release-notes --format claude --file .claude/commands/release-notes.md",
  async run({ download: open, args, options, out }) {
    const { format = "claude" } = options;
    const stream = await open("exportCommand", { path: { slug: args.command }, query: { format } });
    const file = options.file ?? `${args.command}.${format === "gemini" ? "toml" : "md"}`;
    await saveDownload(file, stream, options.file !== undefined);
    out.say(`Saved \`${file}\`.`);
  },
});

const imported = verb({
  description: "Import a command file of Claude Code, Cursor or Gemini CLI (.toml)",
  args: ["file"],
  options: {
    slug: { type: "text", hint: "slug", description: "the name by which callers invoke it; default: the file's name" },
    activate: { type: "flag", description: "activate it" },
  },
  example: "gatehouse commands import .claude/commands/fix-issue.md --activate",
  async run({ api, args, options, readText, out }) {
    const client = api();
    const named = args.file === "-" ? undefined : basename(args.file).replace(/\.[^.]+$/, "");
    const text = await readText(args.file);
    const file = args.file.endsWith(".toml") ? { toml: text } : { markdown: text };
    const body = { ...file, ...given({ slug: options.slug ?? named }) };
    const answer = await client.importCommand({ body });
    const { slug } = answer.data;
    const active = options.activate ? await client.updateCommand({ query: { slug }, body: { status: "active" } }) : {};
    report(out, "Imported", { ...answer, ...active });
  },
});

const setStatus = (status: "active" | "draft", [name, done]: readonly [name: string, done: string], what: string) =>
  verb({
    description: what,
    args: ["command"],
    example: `gatehouse commands ${name} release-notes`,
    async run({ api, args, out }) {
      report(out, done, await api().updateCommand({ query: { slug: args.command }, body: { status } }));
    },
  });

const remove = verb({
  description: "Delete a command",
  args: ["command"],
  options: { yes: YES },
  example: "gatehouse commands delete release-notes --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete command ${args.command}?`);
    await client.deleteCommand({ query: { slug: args.command } });
    out.say(`Deleted command \`${args.command}\`.`);
  },
});

export const commands: Noun = {
  description: "Templates with arguments, delivered to MCP clients as prompts",
  verbs: {
    ...{ list, get, create, update, render, export: exported, import: imported },
    activate: setStatus("active", ["activate", "Activated"], "Make a command available to its groups"),
    deactivate: setStatus("draft", ["deactivate", "Deactivated"], "Make a command a draft again"),
    delete: remove,
  },
  example: "gatehouse commands list",
};
