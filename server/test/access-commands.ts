/** The changes that an admin can make to access, each applied through the API and to the model (AZ-2). */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AccessModel,
  ALL_TOOLS,
  type GroupSettings,
  type ModelGroup,
  type ModelServer,
  SLOTS,
  TOOLS_OF_UPSTREAM,
  USERS,
} from "./access-model.ts";
import type { AccessSetup } from "./access-setup.ts";
import { skillChanges } from "./access-skill-commands.ts";
import { toolkitChanges } from "./access-toolkit-commands.ts";
import { TOOLKITS } from "./access-toolkits.ts";

/** A change, followed by a comparison of the model with the service. */
class Change implements fc.AsyncCommand<AccessModel, AccessSetup> {
  readonly #words: string;
  readonly #possible: (model: Readonly<AccessModel>) => boolean;
  readonly #act: (model: AccessModel, context: AccessSetup) => Promise<void>;

  constructor(
    words: string,
    possible: (model: Readonly<AccessModel>) => boolean,
    act: (model: AccessModel, context: AccessSetup) => Promise<void>,
  ) {
    this.#words = words;
    this.#possible = possible;
    this.#act = act;
  }

  check(model: Readonly<AccessModel>): boolean {
    return this.#possible(model);
  }

  async run(model: AccessModel, context: AccessSetup): Promise<void> {
    await this.#act(model, context);
    await context.compareSome(model);
  }

  toString(): string {
    return this.#words;
  }
}

type OnGroup = (group: ModelGroup, model: AccessModel, context: AccessSetup) => Promise<void>;
type OnServer = (server: ModelServer, model: AccessModel, context: AccessSetup) => Promise<void>;

function onGroup(words: string, at: number, act: OnGroup): Change {
  const possible = (model: Readonly<AccessModel>) => model.groups[at] !== undefined;
  return new Change(`${words} of group ${at}`, possible, async (model, context) => {
    const group = model.groups[at];
    if (group) await act(group, model, context);
  });
}

function onServer(words: string, at: number, act: OnServer): Change {
  const possible = (model: Readonly<AccessModel>) => model.servers[at] !== undefined;
  return new Change(`${words} of server ${at}`, possible, async (model, context) => {
    const server = model.servers[at];
    if (server) await act(server, model, context);
  });
}

/** Each group uses one of two names, each server the slug of any server, so that names are often reused. */
const groupName = (at: number, other: boolean) => `${other ? "Other" : "Group"} ${at}`;
const wantedSlug = (at: number) => `server${at}`;
const byName = (group: ModelGroup) => `/api/groups?name=${encodeURIComponent(group.name)}`;
const bySlug = (server: ModelServer) => `/api/mcp-servers?slug=${server.slug}`;

function createGroup(at: number, settings: GroupSettings): Change {
  const possible = (model: Readonly<AccessModel>) => model.groups[at] === undefined;
  return new Change(`create group ${at} ${JSON.stringify(settings)}`, possible, async (model, context) => {
    const name = groupName(at, false);
    await context.write("POST", "/api/groups", { name, settings });
    model.groups[at] = {
      name,
      settings: { ...settings },
      members: new Set(),
      servers: new Set(),
      selections: new Map(),
    };
  });
}

function createServer(at: number, upstream: number | undefined, status: "active" | "draft" | undefined): Change {
  const possible = (model: Readonly<AccessModel>) => model.servers[at] === undefined;
  return new Change(`create server ${at} (upstream ${upstream}, ${status})`, possible, async (model, context) => {
    const wanted = wantedSlug(at);
    const mcpProxy = context.mcpProxy(upstream);
    const body = { name: wanted, ...(mcpProxy && { mcp_proxy: mcpProxy }), ...(status && { status }) };
    const created = await context.write("POST", "/api/mcp-servers", body);
    const slug = model.freeSlug(wanted);
    assert.equal(created.data.slug, slug);
    // D1: without a status, a server that can be called is active.
    const active = (status ?? (upstream === undefined ? "draft" : "active")) === "active";
    const server = { slug, upstream, active, off: new Set<string>() };
    model.servers[at] = server;
    model.slugs.add(slug);
    for (const group of model.livingGroups()) if (group.settings.auto_assign_mcps) group.servers.add(server);
  });
}

const deleteGroup = (at: number) =>
  onGroup("deletion", at, async (group, model, context) => {
    await context.write("DELETE", byName(group));
    model.groups[at] = undefined;
    for (const { groups } of model.livingToolkits()) groups.delete(group);
  });

const renameGroup = (at: number, other: boolean) =>
  onGroup(`renaming (${other})`, at, async (group, _model, context) => {
    const name = groupName(at, other);
    await context.write("PATCH", byName(group), { name });
    group.name = name;
  });

/** D15: turning auto-assignment on does not affect existing records. */
const setGroup = (at: number, settings: Partial<GroupSettings>) =>
  onGroup(`settings ${JSON.stringify(settings)}`, at, async (group, _model, context) => {
    await context.write("PATCH", byName(group), { settings });
    Object.assign(group.settings, settings);
  });

const addMember = (at: number, user: number) =>
  onGroup(`new member ${user}`, at, async (group, _model, context) => {
    await context.write("POST", `/api/groups/${encodeURIComponent(group.name)}/users`, {
      emails: [context.email(user)],
    });
    group.members.add(user);
  });

const removeMember = (at: number, user: number) =>
  onGroup(`loss of member ${user}`, at, async (group, _model, context) => {
    const email = encodeURIComponent(context.email(user));
    await context.write("DELETE", `/api/groups/${encodeURIComponent(group.name)}/users?email=${email}`);
    group.members.delete(user);
  });

const addServers = (at: number, slots: readonly number[]) =>
  onGroup(`new servers ${slots}`, at, async (group, model, context) => {
    const servers = slots.map((slot) => model.servers[slot]).filter((server) => server !== undefined);
    if (servers.length === 0) return;
    const path = `/api/groups/${encodeURIComponent(group.name)}/integrations`;
    await context.write("POST", path, { slugs: servers.map((server) => server.slug) });
    for (const server of servers) group.servers.add(server);
  });

const removeServer = (at: number, slot: number) =>
  onGroup(`loss of server ${slot}`, at, async (group, model, context) => {
    const server = model.servers[slot];
    if (!server) return;
    await context.write("DELETE", `/api/groups/${encodeURIComponent(group.name)}/integrations?slug=${server.slug}`);
    group.servers.delete(server);
    group.selections.delete(server);
  });

/** F9: `tools` undefined means all tools. */
const selectTools = (at: number, slot: number, tools: readonly string[] | undefined, newTools: "include" | "hold") =>
  onGroup(`selection ${tools ?? "all"} (${newTools}) of server ${slot}`, at, async (group, model, context) => {
    const server = model.servers[slot];
    const known = TOOLS_OF_UPSTREAM[server?.upstream ?? -1];
    if (!server || !known || !group.servers.has(server)) return;
    await context.write("POST", `/api/mcp-servers/${server.slug}/sync`);
    const chosen = tools?.filter((tool) => known.includes(tool));
    // A selection has at least one tool (F32).
    if (chosen?.length === 0) return;
    const path = `/api/groups/${encodeURIComponent(group.name)}/integrations?slug=${server.slug}`;
    await context.write("PATCH", path, { tools: chosen ?? null, new_tools: newTools });
    const granted = chosen ?? known;
    const except = known.filter((tool) => !granted.includes(tool));
    if (newTools === "hold") group.selections.set(server, { only: true, names: new Set(granted) });
    else if (except.length > 0) group.selections.set(server, { only: false, names: new Set(except) });
    else group.selections.delete(server);
  });

const deleteServer = (at: number) =>
  onServer("deletion", at, async (server, model, context) => {
    await context.write("DELETE", bySlug(server));
    model.servers[at] = undefined;
    for (const group of model.livingGroups()) {
      group.servers.delete(server);
      group.selections.delete(server);
    }
  });

const renameServer = (at: number, toward: number) =>
  onServer(`renaming to the slug of ${toward}`, at, async (server, model, context) => {
    const wanted = wantedSlug(toward);
    const renamed = await context.write("PATCH", bySlug(server), { slug: wanted });
    const before = server.slug;
    server.slug = model.freeSlug(wanted, server);
    // Toolkits name servers by their slugs, and follow a rename.
    for (const { entries } of model.livingToolkits())
      for (const entry of entries) if (entry.server === before) entry.server = server.slug;
    assert.equal(renamed.data.slug, server.slug);
    model.slugs.add(server.slug);
  });

const setStatus = (at: number, status: "active" | "draft") =>
  onServer(`status ${status}`, at, async (server, _model, context) => {
    await context.write("PATCH", bySlug(server), { status });
    server.active = status === "active";
  });

const setUpstream = (at: number, upstream: number | undefined) =>
  onServer(`upstream ${upstream}`, at, async (server, _model, context) => {
    await context.write("PATCH", bySlug(server), { mcp_proxy: context.mcpProxy(upstream) ?? null });
    server.upstream = upstream;
  });

const switchTool = (at: number, tool: string, on: boolean) =>
  onServer(`tool ${tool} ${on ? "on" : "off"}`, at, async (server, _model, context) => {
    if (server.upstream === undefined || !TOOLS_OF_UPSTREAM[server.upstream]?.includes(tool)) return;
    // Only synced tools can be enabled or disabled.
    await context.write("POST", `/api/mcp-servers/${server.slug}/sync`);
    const path = `/api/mcp-servers/tools?slug=${server.slug}`;
    await context.write("PATCH", path, on ? { enable: [tool] } : { disable: [tool] });
    if (on) server.off.delete(tool);
    else server.off.add(tool);
  });

/**
 * A machine user joins no group automatically (D15), and not the groups of a deleted user with the same email (AZ-7).
 */
const replaceUser = (user: number) =>
  new Change(
    `new user in the place of ${user}`,
    () => true,
    async (model, context) => {
      await context.replaceUser(user);
      for (const group of model.livingGroups()) group.members.delete(user);
      for (const [at, toolkit] of model.toolkits.entries()) if (toolkit?.owner === user) model.toolkits[at] = undefined;
      model.bound[user] = undefined;
    },
  );

const slot = fc.nat({ max: SLOTS - 1 });
const user = fc.nat({ max: USERS - 1 });
const selectedTools = fc.option(fc.uniqueArray(fc.constantFrom(...ALL_TOOLS)), { nil: undefined });
const upstream = fc.option(fc.nat({ max: 1 }), { nil: undefined });
const status = fc.constantFrom("active" as const, "draft" as const);
const flags = { auto_assign_users: fc.boolean(), auto_assign_mcps: fc.boolean(), show_draft_mcps: fc.boolean() };

export const CHANGES = [
  fc.tuple(slot, fc.record(flags)).map((given) => createGroup(...given)),
  fc.tuple(slot, upstream, fc.option(status, { nil: undefined })).map((given) => createServer(...given)),
  slot.map(deleteGroup),
  slot.map(deleteServer),
  fc.tuple(slot, fc.boolean()).map((given) => renameGroup(...given)),
  fc.tuple(slot, slot).map((given) => renameServer(...given)),
  fc.tuple(slot, fc.record(flags, { requiredKeys: [] })).map((given) => setGroup(...given)),
  fc.tuple(slot, status).map((given) => setStatus(...given)),
  fc.tuple(slot, upstream).map((given) => setUpstream(...given)),
  fc.tuple(slot, fc.constantFrom(...ALL_TOOLS), fc.boolean()).map((given) => switchTool(...given)),
  fc.tuple(slot, user).map((given) => addMember(...given)),
  fc.tuple(slot, fc.uniqueArray(slot, { minLength: 1 })).map((given) => addServers(...given)),
  fc.tuple(slot, user).map((given) => removeMember(...given)),
  fc.tuple(slot, slot).map((given) => removeServer(...given)),
  fc.tuple(slot, slot, selectedTools, fc.constantFrom("include", "hold")).map((given) => selectTools(...given)),
  user.map(replaceUser),
  ...toolkitChanges(SLOTS, USERS, ALL_TOOLS),
  ...skillChanges(SLOTS, TOOLKITS),
];
