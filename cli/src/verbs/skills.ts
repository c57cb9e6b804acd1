import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns, Output } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { saveDownload } from "../save-files.ts";
import { type Call, JSON_BODY, LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";
import { EXPORT_TIMEOUT_SECONDS } from "../write-export.ts";

type Listed = Schemas["SkillSelection"];
type Version = Schemas["SkillVersion"];

const STATUS = { type: "choice", choices: ["active", "draft"] } as const;

const FIELDS = {
  description: { type: "text", hint: "text", description: "what it does and when to use it" },
  content: { type: "text", hint: "file", description: "file with the instructions in Markdown; - for standard input" },
  license: { type: "text", hint: "text", description: "license" },
  status: { ...STATUS, description: "only active skills reach callers" },
  group: { type: "list", hint: "name", description: "group that can use it; repeat for more, replaces all" },
  json: JSON_BODY,
} as const satisfies Options;

async function fieldsOf({ readText }: Pick<Call, "readText">, options: Values<typeof FIELDS>) {
  const { description, license, status, group } = options;
  const content = options.content === undefined ? undefined : await readText(options.content);
  return given({ description, license, status, content, groups: group && [...group] });
}

interface Saved {
  readonly data: Readonly<Schemas["Skill"]>;
  readonly warnings?: readonly string[] | undefined;
}

function report(out: Output, done: string, { data, warnings = [] }: Saved): void {
  for (const warning of warnings) out.say(`Warning: ${warning}.`);
  out.say(`${done} skill \`${data.slug}\`.`);
  out.record(data);
}

const list = verb({
  description: "List skills",
  options: { status: { ...STATUS, description: "only skills with this status" }, search: SEARCH, limit: LIMIT },
  example: "gatehouse skills list --status active",
  async run({ api, options: { limit, ...filter }, out }) {
    const client = api();
    const rows = await readPages<Listed, number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listSkills({ query: { ...filter, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Listed> = {
      NAME: (skill) => skill.slug,
      STATUS: (skill) => skill.status,
      VERSION: (skill) => skill.version,
      FILES: (skill) => skill.files_count,
      GROUPS: (skill) => skill.groups?.join(", ") ?? "",
      DESCRIPTION: (skill) => skill.description,
    };
    out.list(rows, columns, "No skills. Import one: gatehouse skills import <file>");
  },
});

const get = verb({
  description: "Show a skill with its files",
  args: ["skill"],
  options: { version: { type: "number", hint: "number", description: "a version; default: the current one" } },
  example: "gatehouse skills get release-notes",
  async run({ api, args, options, out }) {
    const query = given({ version: options.version });
    out.record((await api().getSkill({ path: { slug: args.skill }, query })).data);
  },
});

const create = verb({
  description: "Create a skill, as a draft unless --status active",
  args: ["name"],
  options: FIELDS,
  example: 'gatehouse skills create release-notes --description "Writes release notes." --content notes.md',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreateSkill"]>({ readText }, options.json);
    const { description = more.description, content = more.content, ...rest } = await fieldsOf({ readText }, options);
    if (description === undefined || content === undefined) throw badUsage("Pass --description and --content.");
    const body = { ...more, ...rest, description, content, name: args.name };
    report(out, "Created", await api().createSkill({ body }));
  },
});

const update = verb({
  description: "Change a skill; omitted options stay unchanged",
  args: ["skill"],
  options: { "no-groups": { type: "flag", description: "remove it from all groups" }, ...FIELDS },
  example: "gatehouse skills update release-notes --group Engineering",
  async run({ api, args, options, readText, out }) {
    if (options.group && options["no-groups"]) throw badUsage("--group and --no-groups cannot be combined");
    const more = await jsonBody<Schemas["UpdateSkill"]>({ readText }, options.json);
    const groups = options["no-groups"] ? { groups: [] } : {};
    const body = { ...more, ...(await fieldsOf({ readText }, options)), ...groups };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    report(out, "Updated", await api().updateSkill({ query: { slug: args.skill }, body }));
  },
});

/** A ZIP file starts with PK; everything else is the text of SKILL.md. */
async function importBody({ readText, readBytes }: Pick<Call, "readText" | "readBytes">, file: string) {
  if (file === "-") return { skill_md: await readText(file) };
  const bytes = await readBytes(file);
  const isArchive = bytes.subarray(0, 2).toString("latin1") === "PK";
  return isArchive ? { archive_base64: bytes.toString("base64") } : { skill_md: bytes.toString("utf8") };
}

const imported = verb({
  description: "Import a skill from a ZIP file or a SKILL.md",
  args: ["file"],
  options: {
    overwrite: { type: "flag", description: "add a version if the skill exists" },
    activate: { type: "flag", description: "activate it" },
  },
  example: "gatehouse skills import release-notes.zip --overwrite",
  async run({ api, args, options, readText, readBytes, out }) {
    const client = api();
    const body = await importBody({ readText, readBytes }, args.file);
    const answer = await client.importSkill({ query: given({ overwrite: options.overwrite }), body });
    const { slug } = answer.data;
    const active = options.activate ? await client.updateSkill({ query: { slug }, body: { status: "active" } }) : {};
    report(out, "Imported", { ...answer, ...active });
  },
});

const validate = verb({
  description: "Report everything that is wrong with a ZIP file or a SKILL.md",
  args: ["file"],
  example: "gatehouse skills validate release-notes.zip",
  async run({ api, args, readText, readBytes, out }) {
    const { data } = await api().validateSkill({ body: await importBody({ readText, readBytes }, args.file) });
    const rows = [
      ...data.errors.map((finding) => ({ level: "error", ...finding })),
      ...data.warnings.map((finding) => ({ level: "warning", ...finding })),
    ];
    const columns: Columns<(typeof rows)[number]> = {
      LEVEL: (row) => row.level,
      FIELD: (row) => row.field,
      MESSAGE: (row) => row.message,
    };
    out.list(rows, columns, `The skill ${data.name ?? ""} is valid.`);
    if (!data.valid) throw badUsage("The skill cannot be imported.");
  },
});

const download = verb({
  description: "Download a skill as a ZIP file",
  args: ["skill"],
  options: {
    version: { type: "number", hint: "number", description: "a version; default: the current one" },
    file: { type: "text", hint: "file", description: "where to save it; default: <skill>.zip, which must not exist" },
  },
  example: "gatehouse skills download release-notes",
  timeoutSeconds: EXPORT_TIMEOUT_SECONDS,
  async run({ download: open, args, options, out }) {
    const query = given({ version: options.version });
    const stream = await open("downloadSkill", { path: { slug: args.skill }, query });
    const file = options.file ?? `${args.skill}.zip`;
    await saveDownload(file, stream, options.file !== undefined);
    out.say(`Saved \`${file}\`.`);
  },
});

const versions = verb({
  description: "List the versions of a skill, newest first",
  args: ["skill"],
  options: { limit: LIMIT },
  example: "gatehouse skills versions release-notes",
  async run({ api, args, options: { limit }, out }) {
    const client = api();
    const rows = await readPages<Version, number>(limit, async (most, cursor) => {
      const request = { path: { slug: args.skill }, query: { limit: most, cursor } };
      const { data, pagination } = await client.listSkillVersions(request);
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Version> = {
      VERSION: (version) => version.version,
      CURRENT: (version) => version.current,
      LABEL: (version) => version.version_label ?? "",
      FILES: (version) => version.files_count,
      "CREATED BY": (version) => version.created_by,
      CREATED: (version) => version.created_at,
    };
    out.list(rows, columns, "No versions.");
  },
});

const rollback = verb({
  description: "Restore a version of a skill, as a new version",
  args: ["skill", "version"],
  example: "gatehouse skills rollback release-notes 3",
  async run({ api, args, out }) {
    const version = Number(args.version);
    if (!Number.isSafeInteger(version) || version < 1) throw badUsage("version must be a number of at least 1");
    report(out, "Restored", await api().rollbackSkill({ path: { slug: args.skill }, body: { version } }));
  },
});

const setStatus = (status: "active" | "draft", [name, done]: readonly [name: string, done: string], what: string) =>
  verb({
    description: what,
    args: ["skill"],
    example: `gatehouse skills ${name} release-notes`,
    async run({ api, args, out }) {
      report(out, done, await api().updateSkill({ query: { slug: args.skill }, body: { status } }));
    },
  });

const remove = verb({
  description: "Delete a skill with all its versions",
  args: ["skill"],
  options: { yes: YES },
  example: "gatehouse skills delete release-notes --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete skill ${args.skill}?`);
    await client.deleteSkill({ query: { slug: args.skill } });
    out.say(`Deleted skill \`${args.skill}\`.`);
  },
});

export const skills: Noun = {
  description: "Instructions and files for models, delivered to MCP clients",
  verbs: {
    ...{ list, get, create, update, import: imported, validate, download, versions, rollback },
    activate: setStatus("active", ["activate", "Activated"], "Make a skill available to its groups"),
    deactivate: setStatus("draft", ["deactivate", "Deactivated"], "Make a skill a draft again"),
    delete: remove,
  },
  example: "gatehouse skills list",
};
