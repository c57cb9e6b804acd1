import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { saveDownload } from "../save-files.ts";
import { JSON_BODY, LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";
import { EXPORT_TIMEOUT_SECONDS } from "../write-export.ts";

type Listed = Schemas["PluginSelection"];
type Release = Schemas["PluginRelease"];
type Change = Schemas["PluginChanges"]["files"][number];

const STATUS = { type: "choice", choices: ["active", "draft"] } as const;
const TARGET = { type: "choice", choices: ["claude", "cursor", "codex"] } as const;

const FIELDS = {
  description: { type: "text", hint: "text", description: "what it is for" },
  skill: { type: "list", hint: "skill", description: "skill in it; repeat for more, replaces all" },
  command: { type: "list", hint: "command", description: "command in it; repeat for more, replaces all" },
  toolkit: { type: "text", hint: "toolkit", description: "toolkit that clients use at the gateway" },
  server: { type: "list", hint: "server", description: "server that clients get separately; repeat for more" },
  keyword: { type: "list", hint: "word", description: "word to find it by; repeat for more" },
  group: { type: "list", hint: "name", description: "group that can install it; repeat for more, replaces all" },
  json: JSON_BODY,
} as const satisfies Options;

function fieldsOf({ description, skill, command, toolkit, server, keyword, group }: Values<typeof FIELDS>) {
  const mcp = given({ toolkit, servers: server && [...server] });
  return given({
    description,
    skills: skill && [...skill],
    commands: command && [...command],
    keywords: keyword && [...keyword],
    groups: group && [...group],
    mcp: Object.keys(mcp).length === 0 ? undefined : mcp,
  });
}

const list = verb({
  description: "List plugins",
  options: { status: { ...STATUS, description: "only plugins with this status" }, search: SEARCH, limit: LIMIT },
  example: "gatehouse plugins list --status active",
  async run({ api, options: { limit, ...filter }, out }) {
    const client = api();
    const rows = await readPages<Listed, number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listPlugins({ query: { ...filter, limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Listed> = {
      SLUG: (plugin) => plugin.slug,
      NAME: (plugin) => plugin.name,
      STATUS: (plugin) => plugin.status,
      VERSION: (plugin) => plugin.latest_version ?? "",
      CHANGED: (plugin) => plugin.has_unpublished_changes,
      GROUPS: (plugin) => plugin.groups?.join(", ") ?? "",
    };
    out.list(rows, columns, 'No plugins. Create one: gatehouse plugins create "Team tools" --skill <skill>');
  },
});

const get = verb({
  description: "Show a plugin",
  args: ["plugin"],
  example: "gatehouse plugins get team-tools",
  async run({ api, args, out }) {
    out.record((await api().getPlugin({ path: { slug: args.plugin } })).data);
  },
});

const create = verb({
  description: "Create a plugin, as a draft until it is published",
  args: ["name"],
  options: { slug: { type: "text", hint: "slug", description: "the name in clients; never changes" }, ...FIELDS },
  example: 'gatehouse plugins create "Team tools" --skill release-notes --group Engineering',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreatePlugin"]>({ readText }, options.json);
    const body = { ...more, ...fieldsOf(options), ...given({ slug: options.slug }), name: args.name };
    const { data } = await api().createPlugin({ body });
    out.say(`Created plugin \`${data.slug}\`. Publish it: gatehouse plugins publish ${data.slug}`);
    out.record(data);
  },
});

const update = verb({
  description: "Change a plugin; omitted options stay unchanged",
  args: ["plugin"],
  options: {
    name: { type: "text", hint: "text", description: "display name" },
    "no-groups": { type: "flag", description: "remove it from all groups" },
    ...FIELDS,
  },
  example: "gatehouse plugins update team-tools --group Engineering",
  async run({ api, args, options, readText, out }) {
    if (options.group && options["no-groups"]) throw badUsage("--group and --no-groups cannot be combined");
    const more = await jsonBody<Schemas["UpdatePlugin"]>({ readText }, options.json);
    const groups = options["no-groups"] ? { groups: [] } : {};
    const body = { ...more, ...fieldsOf(options), ...given({ name: options.name }), ...groups };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    const { data } = await api().updatePlugin({ query: { slug: args.plugin }, body });
    const next = data.has_unpublished_changes ? " Users get the changes when you publish it." : "";
    out.say(`Updated plugin \`${data.slug}\`.${next}`);
    out.record(data);
  },
});

const changes = verb({
  description: "List what changed since the last release",
  args: ["plugin"],
  options: { version: { type: "text", hint: "version", description: "what changed in this release" } },
  example: "gatehouse plugins changes team-tools",
  async run({ api, args, options, out }) {
    const query = given({ version: options.version });
    const { data } = await api().listPluginChanges({ path: { slug: args.plugin }, query });
    const columns: Columns<Change> = { CHANGE: (file) => file.change, PATH: (file) => file.path };
    out.list(data.files, columns, data.since === null ? "No files." : `No changes since ${data.since}.`);
  },
});

const publish = verb({
  description: "Publish a plugin: make a release that users get",
  args: ["plugin"],
  options: {
    version: { type: "text", hint: "version", description: "such as 1.4.0; default: the next one" },
    bump: { type: "choice", choices: ["patch", "minor", "major"], description: "what to increase; default: patch" },
    notes: { type: "text", hint: "text", description: "what changed" },
  },
  example: 'gatehouse plugins publish team-tools --bump minor --notes "New skill for reviews"',
  async run({ api, args, options, out }) {
    const { version, bump, notes } = options;
    if (version !== undefined && bump !== undefined) throw badUsage("--version and --bump cannot be combined");
    const body = given({ version, bump, notes });
    const { data, warnings = [] } = await api().publishPlugin({ path: { slug: args.plugin }, body });
    for (const warning of warnings) out.say(`Warning: ${warning}.`);
    out.say(`Published plugin \`${args.plugin}\` ${data.version}.`);
    out.record(data);
  },
});

const unpublish = verb({
  description: "Make a plugin a draft again; its releases stay",
  args: ["plugin"],
  example: "gatehouse plugins unpublish team-tools",
  async run({ api, args, out }) {
    const { data } = await api().unpublishPlugin({ path: { slug: args.plugin } });
    out.say(`Unpublished plugin \`${args.plugin}\`.`);
    out.record(data);
  },
});

const releases = verb({
  description: "List the releases of a plugin, newest first",
  args: ["plugin"],
  options: { limit: LIMIT },
  example: "gatehouse plugins releases team-tools",
  async run({ api, args, options: { limit }, out }) {
    const client = api();
    const rows = await readPages<Release, number>(limit, async (most, cursor) => {
      const request = { path: { slug: args.plugin }, query: { limit: most, cursor } };
      const { data, pagination } = await client.listPluginReleases(request);
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Release> = {
      VERSION: (release) => release.version,
      LATEST: (release) => release.latest,
      FILES: (release) => release.files_count,
      "PUBLISHED BY": (release) => release.published_by,
      PUBLISHED: (release) => release.published_at,
      NOTES: (release) => release.notes,
    };
    out.list(rows, columns, `No releases. Publish the plugin: gatehouse plugins publish ${args.plugin}`);
  },
});

const download = verb({
  description: "Download a release of a plugin as a ZIP file",
  args: ["plugin"],
  options: {
    version: { type: "text", hint: "version", description: "a version; default: the latest one" },
    target: { ...TARGET, description: "only the files for this client" },
    file: { type: "text", hint: "file", description: "where to save it; default: <plugin>.zip, which must not exist" },
  },
  example: "gatehouse plugins download team-tools --target claude",
  timeoutSeconds: EXPORT_TIMEOUT_SECONDS,
  async run({ download: open, args, options, out }) {
    const query = given({ version: options.version, target: options.target });
    const stream = await open("downloadPlugin", { path: { slug: args.plugin }, query });
    const file = options.file ?? `${args.plugin}.zip`;
    await saveDownload(file, stream, options.file !== undefined);
    out.say(`Saved \`${file}\`.`);
  },
});

const marketplace = verb({
  description: "Show the URLs of the marketplace, and how to add it to clients",
  example: "gatehouse plugins marketplace",
  async run({ api, out }) {
    out.record((await api().getPluginMarketplace()).data);
  },
});

const remove = verb({
  description: "Delete a plugin with all its releases",
  args: ["plugin"],
  options: { yes: YES },
  example: "gatehouse plugins delete team-tools --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete plugin ${args.plugin} with all its releases?`);
    await client.deletePlugin({ query: { slug: args.plugin } });
    out.say(`Deleted plugin \`${args.plugin}\`.`);
  },
});

export const plugins: Noun = {
  description: "Bundles of skills, commands and MCP configuration for AI clients",
  verbs: {
    ...{ list, get, create, update, changes, publish, unpublish, releases, download, marketplace },
    delete: remove,
  },
  example: "gatehouse plugins list",
};
