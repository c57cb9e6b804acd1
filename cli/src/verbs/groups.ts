import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";

const SETTINGS = {
  "auto-assign-users": { type: "switch", says: "new people join" },
  "auto-assign-servers": { type: "switch", says: "new servers join" },
  "show-drafts": { type: "switch", says: "members see the group's draft servers too" },
} as const satisfies Options;

function settingsOf(options: Values<typeof SETTINGS>) {
  const settings = given({
    auto_assign_users: options["auto-assign-users"],
    auto_assign_mcps: options["auto-assign-servers"],
    show_draft_mcps: options["show-drafts"],
  });
  return Object.keys(settings).length === 0 ? {} : { settings };
}

const list = verb({
  says: "List groups",
  options: { search: SEARCH, limit: LIMIT },
  example: "gatehouse groups list",
  async run({ api, options: { search, limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listGroups({ query: { search, ...page } }));
    const columns: Columns<Schemas["Group"]> = {
      NAME: (group) => group.name,
      SERVERS: (group) => group.integrations_count,
      USERS: (group) => group.users_count,
      "NEW USERS": ({ settings }) => settings.auto_assign_users,
      "NEW SERVERS": ({ settings }) => settings.auto_assign_mcps,
      DRAFTS: ({ settings }) => settings.show_draft_mcps,
    };
    out.list(rows, columns, "groups");
  },
});

const get = verb({
  says: "Show one group with its settings",
  args: ["group"],
  example: "gatehouse groups get Engineering",
  async run({ api, args, out }) {
    out.record((await api().getGroup({ path: { name: args.group } })).data);
  },
});

const create = verb({
  says: "Make a group",
  args: ["name"],
  options: SETTINGS,
  example: "gatehouse groups create Engineering --auto-assign-users",
  async run({ api, args, options, out }) {
    const { data } = await api().createGroup({ body: { name: args.name, ...settingsOf(options) } });
    out.say(`The group ${data.name} is there.`);
    out.record(data);
  },
});

const update = verb({
  says: "Rename a group or change its settings; what is not given stays as it is",
  args: ["group"],
  options: { name: { type: "text", hint: "name", says: "its new name" }, ...SETTINGS },
  example: "gatehouse groups update Engineering --name Builders --no-auto-assign-users",
  async run({ api, args, options, out }) {
    const body = { ...given({ name: options.name }), ...settingsOf(options) };
    if (Object.keys(body).length === 0) throw badUsage("there is nothing to change");
    const { data } = await api().updateGroup({ query: { name: args.group }, body });
    out.say(`The group ${data.name} is changed.`);
    out.record(data);
  },
});

const remove = verb({
  says: "Delete a group; its members lose what it gave them",
  args: ["group"],
  options: { yes: YES },
  example: "gatehouse groups delete Engineering --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete the group ${args.group}? Its members lose what it gives them.`);
    out.say((await client.deleteGroup({ query: { name: args.group } })).message);
  },
});

const addServers = verb({
  says: "Give servers to a group",
  args: ["group"],
  rest: "server",
  example: "gatehouse groups add-servers Engineering echo github",
  async run({ api, args, rest, out }) {
    await api().addIntegrationsToGroup({ path: { name: args.group }, body: { slugs: rest } });
    out.say(`The group ${args.group} has ${rest.join(", ")}.`);
  },
});

const removeServer = verb({
  says: "Take a server from a group",
  args: ["group", "server"],
  example: "gatehouse groups remove-server Engineering echo",
  async run({ api, args, out }) {
    await api().removeIntegrationFromGroup({ path: { name: args.group }, query: { slug: args.server } });
    out.say(`The group ${args.group} does not have ${args.server}.`);
  },
});

const addUsers = verb({
  says: "Add users to a group, by their e-mail addresses",
  args: ["group"],
  rest: "email",
  example: "gatehouse groups add-users Engineering ada@example.com build-bot@machine.gatehouse.local",
  async run({ api, args, rest, out }) {
    await api().addUsersToGroup({ path: { name: args.group }, body: { emails: rest } });
    out.say(`In the group ${args.group}: ${rest.join(", ")}.`);
  },
});

const removeUser = verb({
  says: "Remove a user from a group",
  args: ["group", "email"],
  example: "gatehouse groups remove-user Engineering ada@example.com",
  async run({ api, args, out }) {
    await api().removeUserFromGroup({ path: { name: args.group }, query: { email: args.email } });
    out.say(`Not in the group ${args.group}: ${args.email}.`);
  },
});

export const groups: Noun = {
  says: "Groups say which users may use which servers",
  verbs: {
    list,
    get,
    create,
    update,
    delete: remove,
    "add-servers": addServers,
    "remove-server": removeServer,
    "add-users": addUsers,
    "remove-user": removeUser,
  },
  example: "gatehouse groups add-servers Engineering echo",
};
