import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { limitOptions, readLimits } from "../read-limits.ts";
import { readPages, readSkipping } from "../read-pages.ts";
import { LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";

const SETTINGS = {
  "auto-assign-users": { type: "switch", description: "add new people automatically" },
  "auto-assign-servers": { type: "switch", description: "add new servers automatically" },
  "show-drafts": { type: "switch", description: "show draft servers to members" },
} as const satisfies Options;

const LIMITS = limitOptions("of each member");

function settingsOf(options: Values<typeof SETTINGS>) {
  const settings = given({
    auto_assign_users: options["auto-assign-users"],
    auto_assign_mcps: options["auto-assign-servers"],
    show_draft_mcps: options["show-drafts"],
  });
  return Object.keys(settings).length === 0 ? {} : { settings };
}

function limitsOf(options: Values<typeof LIMITS>) {
  const limits = readLimits(options);
  return Object.keys(limits).length === 0 ? {} : { limits };
}

const list = verb({
  description: "List groups",
  options: { search: SEARCH, limit: LIMIT },
  example: "gatehouse groups list",
  async run({ api, options: { search, limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listGroups({ query: { search, ...page } }));
    const columns: Columns<Schemas["Group"]> = {
      NAME: (group) => group.name,
      SERVERS: (group) => group.integrations_count,
      MEMBERS: (group) => group.users_count,
      "AUTO USERS": ({ settings }) => settings.auto_assign_users,
      "AUTO SERVERS": ({ settings }) => settings.auto_assign_mcps,
      DRAFTS: ({ settings }) => settings.show_draft_mcps,
    };
    out.list(
      rows,
      columns,
      search === undefined ? "No groups yet. Create one: gatehouse groups create <name>" : "No groups match.",
    );
  },
});

const get = verb({
  description: "Show a group and its settings",
  args: ["group"],
  example: "gatehouse groups get Engineering",
  async run({ api, args, out }) {
    out.record((await api().getGroup({ path: { name: args.group } })).data);
  },
});

const create = verb({
  description: "Create a group",
  args: ["name"],
  options: { ...SETTINGS, ...LIMITS },
  example: "gatehouse groups create Engineering --auto-assign-users",
  async run({ api, args, options, out }) {
    const { data } = await api().createGroup({
      body: { name: args.name, ...settingsOf(options), ...limitsOf(options) },
    });
    out.say(`Created group \`${data.name}\`.`);
    out.record(data);
  },
});

const update = verb({
  description: "Rename a group or change its settings and limits; omitted options stay unchanged",
  args: ["group"],
  options: { name: { type: "text", hint: "name", description: "new name" }, ...SETTINGS, ...LIMITS },
  example: "gatehouse groups update Engineering --name Builders --no-auto-assign-users",
  async run({ api, args, options, out }) {
    const body = { ...given({ name: options.name }), ...settingsOf(options), ...limitsOf(options) };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    const { data } = await api().updateGroup({ query: { name: args.group }, body });
    out.say(`Updated group \`${data.name}\`.`);
    out.record(data);
  },
});

const remove = verb({
  description: "Delete a group; its members lose the access that it grants",
  args: ["group"],
  options: { yes: YES },
  example: "gatehouse groups delete Engineering --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete group ${args.group}? Its members lose the access that it grants.`);
    await client.deleteGroup({ query: { name: args.group } });
    out.say(`Deleted group \`${args.group}\`.`);
  },
});

const addServers = verb({
  description: "Add servers to a group",
  args: ["group"],
  rest: "server",
  example: "gatehouse groups add-servers Engineering echo github",
  async run({ api, args, rest, out }) {
    await api().addIntegrationsToGroup({ path: { name: args.group }, body: { slugs: rest } });
    out.say(`Added to group \`${args.group}\`: ${rest.join(", ")}`);
  },
});

const removeServer = verb({
  description: "Remove a server from a group",
  args: ["group", "server"],
  example: "gatehouse groups remove-server Engineering echo",
  async run({ api, args, out }) {
    await api().removeIntegrationFromGroup({ path: { name: args.group }, query: { slug: args.server } });
    out.say(`Removed from group \`${args.group}\`: ${args.server}`);
  },
});

const GRANT_COLUMNS: Columns<Schemas["Grant"]> = {
  SERVER: (grant) => grant.server,
  TOOLS: (grant) => (grant.tools === null ? "all" : `${grant.granted_tools} of ${grant.total_tools}`),
  "NEW TOOLS": (grant) => grant.new_tools,
  HELD: (grant) => grant.held_tools.join(", "),
};

const servers = verb({
  description: "List a group's servers and which of their tools it grants",
  args: ["group"],
  options: { limit: LIMIT },
  example: "gatehouse groups servers Engineering",
  async run({ api, args, options, out }) {
    const client = api();
    const rows = await readPages<Schemas["Grant"], number>(options.limit, async (limit, cursor) => {
      const { data, pagination } = await client.listGrants({ query: { group: args.group, limit, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    out.list(rows, GRANT_COLUMNS, `No servers yet. Add one: gatehouse groups add-servers "${args.group}" <server>`);
  },
});

const selectTools = verb({
  description: "Select which tools of a server a group grants",
  args: ["group", "server"],
  options: {
    tool: { type: "list", hint: "tool", description: "a tool to grant; can be repeated" },
    all: { type: "flag", description: "grant all tools" },
    new: { type: "choice", choices: ["include", "hold"], description: "what happens to tools that the server adds" },
  },
  example: "gatehouse groups select-tools Engineering github --tool search_issues --tool get_issue",
  async run({ api, args, options, out }) {
    const { tool, all, new: newTools } = options;
    if (tool && all) throw badUsage("--tool and --all cannot be combined");
    const tools = all ? null : tool && [...tool];
    if (tools === undefined && newTools === undefined)
      throw badUsage("Nothing to change. Pass --tool, --all or --new.");
    const { data, warnings } = await api().updateGroupIntegration({
      path: { name: args.group },
      query: { slug: args.server },
      body: given({ tools, new_tools: newTools }),
    });
    for (const warning of warnings ?? []) out.say(`Warning: ${warning}.`);
    const granted = data.tools === null ? "all tools" : `${data.granted_tools} of ${data.total_tools} tools`;
    out.say(`Group \`${data.group}\` grants ${granted} of ${data.server}.`);
    out.record(data);
  },
});

const addToolkits = verb({
  description: "Add toolkits to a group",
  args: ["group"],
  rest: "toolkit",
  example: "gatehouse groups add-toolkits Support triage",
  async run({ api, args, rest, out }) {
    await api().addToolkitsToGroup({ path: { name: args.group }, body: { slugs: rest } });
    out.say(`Added to group \`${args.group}\`: ${rest.join(", ")}`);
  },
});

const removeToolkit = verb({
  description: "Remove a toolkit from a group",
  args: ["group", "toolkit"],
  example: "gatehouse groups remove-toolkit Support triage",
  async run({ api, args, out }) {
    await api().removeToolkitFromGroup({ path: { name: args.group }, query: { slug: args.toolkit } });
    out.say(`Removed from group \`${args.group}\`: ${args.toolkit}`);
  },
});

const addSkills = verb({
  description: "Add skills to a group",
  args: ["group"],
  rest: "skill",
  example: "gatehouse groups add-skills Support release-notes",
  async run({ api, args, rest, out }) {
    await api().addSkillsToGroup({ path: { name: args.group }, body: { slugs: rest } });
    out.say(`Added to group \`${args.group}\`: ${rest.join(", ")}`);
  },
});

const removeSkill = verb({
  description: "Remove a skill from a group",
  args: ["group", "skill"],
  example: "gatehouse groups remove-skill Support release-notes",
  async run({ api, args, out }) {
    await api().removeSkillFromGroup({ path: { name: args.group }, query: { slug: args.skill } });
    out.say(`Removed from group \`${args.group}\`: ${args.skill}`);
  },
});

const addCommands = verb({
  description: "Add commands to a group",
  args: ["group"],
  rest: "command",
  example: "gatehouse groups add-commands Support release-notes",
  async run({ api, args, rest, out }) {
    await api().addCommandsToGroup({ path: { name: args.group }, body: { slugs: rest } });
    out.say(`Added to group \`${args.group}\`: ${rest.join(", ")}`);
  },
});

const removeCommand = verb({
  description: "Remove a command from a group",
  args: ["group", "command"],
  example: "gatehouse groups remove-command Support release-notes",
  async run({ api, args, out }) {
    await api().removeCommandFromGroup({ path: { name: args.group }, query: { slug: args.command } });
    out.say(`Removed from group \`${args.group}\`: ${args.command}`);
  },
});

const addPlugins = verb({
  description: "Add plugins to a group",
  args: ["group"],
  rest: "plugin",
  example: "gatehouse groups add-plugins Support team-tools",
  async run({ api, args, rest, out }) {
    await api().addPluginsToGroup({ path: { name: args.group }, body: { slugs: rest } });
    out.say(`Added to group \`${args.group}\`: ${rest.join(", ")}`);
  },
});

const removePlugin = verb({
  description: "Remove a plugin from a group",
  args: ["group", "plugin"],
  example: "gatehouse groups remove-plugin Support team-tools",
  async run({ api, args, out }) {
    await api().removePluginFromGroup({ path: { name: args.group }, query: { slug: args.plugin } });
    out.say(`Removed from group \`${args.group}\`: ${args.plugin}`);
  },
});

const addUsers = verb({
  description: "Add users to a group, by email",
  args: ["group"],
  rest: "email",
  example: "gatehouse groups add-users Engineering ada@example.com build-bot@machine.gatehouse.local",
  async run({ api, args, rest, out }) {
    await api().addUsersToGroup({ path: { name: args.group }, body: { emails: rest } });
    out.say(`Added to group \`${args.group}\`: ${rest.join(", ")}`);
  },
});

const removeUser = verb({
  description: "Remove a user from a group",
  args: ["group", "email"],
  example: "gatehouse groups remove-user Engineering ada@example.com",
  async run({ api, args, out }) {
    await api().removeUserFromGroup({ path: { name: args.group }, query: { email: args.email } });
    out.say(`Removed from group \`${args.group}\`: ${args.email}`);
  },
});

export const groups: Noun = {
  description: "Groups give their members access to their servers",
  verbs: {
    list,
    get,
    create,
    update,
    delete: remove,
    "add-servers": addServers,
    "remove-server": removeServer,
    servers,
    "select-tools": selectTools,
    "add-toolkits": addToolkits,
    "remove-toolkit": removeToolkit,
    "add-skills": addSkills,
    "remove-skill": removeSkill,
    "add-commands": addCommands,
    "remove-command": removeCommand,
    "add-plugins": addPlugins,
    "remove-plugin": removePlugin,
    "add-users": addUsers,
    "remove-user": removeUser,
  },
  example: "gatehouse groups add-servers Engineering echo",
};
