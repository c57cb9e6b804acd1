/** The changes that an admin can make to toolkits, each applied through the API and to the model (AZ-2, F7). */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { AccessModel } from "./access-model.ts";
import type { AccessSetup } from "./access-setup.ts";
import { ALIASES, type ModelEntry, type ModelToolkit, TOOLKITS, toolkitSlug } from "./access-toolkits.ts";

class ToolkitChange implements fc.AsyncCommand<AccessModel, AccessSetup> {
  readonly #text: string;
  readonly #act: (model: AccessModel, context: AccessSetup) => Promise<void>;

  constructor(text: string, act: (model: AccessModel, context: AccessSetup) => Promise<void>) {
    this.#text = text;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(model: AccessModel, context: AccessSetup): Promise<void> {
    await this.#act(model, context);
    await context.compareSome(model);
  }

  toString(): string {
    return this.#text;
  }
}

interface Given {
  readonly active: boolean;
  readonly leastPrivilege: boolean;
  readonly owner: number | undefined;
  readonly groups: readonly number[];
  readonly entries: readonly { readonly slot: number; readonly tool: string; readonly alias: string | undefined }[];
  readonly hasItems: boolean;
}

function entriesOf(model: AccessModel, given: Given["entries"]): ModelEntry[] {
  return given.flatMap(({ slot, tool, alias }) => {
    const server = model.servers[slot]?.slug;
    if (server === undefined) return [];
    return [{ server, tool, ...(alias !== undefined && tool !== "*" && { alias }) }];
  });
}

function bodyOf({ slug, active, leastPrivilege, groups, entries, hasItems }: ModelToolkit, context: AccessSetup) {
  const servers = hasItems ? [...new Set(entries.map(({ server }) => server))] : [];
  const body = {
    ...{ slug, name: slug, status: active ? "active" : "draft", least_privilege: leastPrivilege, tools: entries },
    prompts: servers.map((server) => ({ server, name: context.sharedPrompt })),
    resources: servers.map((server) => ({ server, uri: context.sharedResource })),
  };
  return { body, groups: [...groups].map(({ name }) => name) };
}

/** Refused, so that nothing changes: names that would be exposed twice, and servers that the owner cannot access. */
async function saved(context: AccessSetup, method: string, path: string, body: object): Promise<boolean> {
  const answer = await context.request(method, path, body);
  if (answer.status === 200 || answer.status === 201) return true;
  assert.equal(answer.status, 400, `${method} ${path}: ${answer.text}`);
  assert.match(answer.text, /duplicate exposed name|is given twice|MCP servers not found/);
  return false;
}

const putToolkit = (at: number, given: Given) =>
  new ToolkitChange(`toolkit ${at} ${JSON.stringify(given)}`, async (model, context) => {
    const slug = toolkitSlug(at);
    const entries = entriesOf(model, given.entries);
    if (entries.length === 0) return;
    const before = model.toolkits[at];
    if (before) await deleteFrom(model, context, at);
    const { active, leastPrivilege, owner, hasItems } = given;
    const groups = owner === undefined ? given.groups.flatMap((place) => model.groups[place] ?? []) : [];
    const toolkit: ModelToolkit = { slug, active, leastPrivilege, owner, groups: new Set(groups), entries, hasItems };
    const { body, groups: names } = bodyOf(toolkit, context);
    const isSaved =
      owner === undefined
        ? await saved(context, "POST", "/api/toolkits", { ...body, groups: names })
        : await saved(context, "POST", "/api/toolkits", { ...body, owner_email: context.email(owner) });
    if (isSaved) model.toolkits[at] = toolkit;
  });

async function deleteFrom(model: AccessModel, context: AccessSetup, at: number): Promise<void> {
  await context.write("DELETE", `/api/toolkits?slug=${toolkitSlug(at)}&force=true`);
  model.toolkits[at] = undefined;
}

const deleteToolkit = (at: number) =>
  new ToolkitChange(`deletion of toolkit ${at}`, async (model, context) => {
    if (model.toolkits[at]) await deleteFrom(model, context, at);
  });

const setToolkit = (at: number, change: { active?: boolean; leastPrivilege?: boolean }, entries: Given["entries"]) =>
  new ToolkitChange(`toolkit ${at} becomes ${JSON.stringify(change)}`, async (model, context) => {
    const toolkit = model.toolkits[at];
    if (!toolkit) return;
    const changed = entriesOf(model, entries);
    const next = { ...toolkit, ...change, entries: changed.length === 0 ? toolkit.entries : changed };
    const { status, least_privilege, tools, prompts, resources } = bodyOf(next, context).body;
    const body = { status, least_privilege, tools, prompts, resources };
    if (await saved(context, "PATCH", `/api/toolkits?slug=${toolkit.slug}`, body)) Object.assign(toolkit, next);
  });

const linkToolkit = (at: number, place: number, isLinked: boolean) =>
  new ToolkitChange(`toolkit ${at} in group ${place}: ${isLinked}`, async (model, context) => {
    const [toolkit, group] = [model.toolkits[at], model.groups[place]];
    if (!toolkit || !group || toolkit.owner !== undefined || toolkit.groups.has(group) === isLinked) return;
    const path = `/api/groups/${encodeURIComponent(group.name)}/toolkits`;
    if (isLinked) await context.write("POST", path, { slugs: [toolkit.slug] });
    else await context.write("DELETE", `${path}?slug=${toolkit.slug}`);
    if (isLinked) toolkit.groups.add(group);
    else toolkit.groups.delete(group);
  });

const bindUser = (user: number, at: number | undefined) =>
  new ToolkitChange(`user ${user} is bound to ${at}`, async (model, context) => {
    const toolkit = at === undefined ? null : (model.toolkits[at] ?? undefined);
    if (toolkit === undefined || (toolkit?.owner !== undefined && toolkit.owner !== user)) return;
    const path = `/api/users?email=${encodeURIComponent(context.email(user))}`;
    await context.write("PATCH", path, { toolkit: toolkit?.slug ?? null });
    model.bound[user] = toolkit?.slug;
  });

/** The number of places and users, and the names of tools. */
export function toolkitChanges(slots: number, users: number, tools: readonly string[]) {
  const usually = fc.constantFrom(true, true, true, false);
  const at = fc.nat({ max: TOOLKITS - 1 });
  const place = fc.nat({ max: slots - 1 });
  const user = fc.nat({ max: users - 1 });
  const entry = fc.record({
    slot: place,
    tool: fc.constantFrom(...tools, "*"),
    alias: fc.option(fc.constantFrom(...ALIASES), { nil: undefined }),
  });
  const entries = fc.array(entry, { maxLength: 4 });
  const given: fc.Arbitrary<Given> = fc.record({
    active: usually,
    leastPrivilege: fc.boolean(),
    owner: fc.option(user, { nil: undefined, freq: 1 }),
    groups: fc.uniqueArray(place, { minLength: 1 }),
    entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
    hasItems: fc.boolean(),
  });
  const change = fc.record({ active: usually, leastPrivilege: fc.boolean() }, { requiredKeys: [] });
  const created = fc.tuple(at, given).map((made) => putToolkit(...made));
  return [
    created,
    created,
    fc.tuple(at, change, entries).map((made) => setToolkit(...made)),
    fc.tuple(at, place, fc.boolean()).map((made) => linkToolkit(...made)),
    at.map(deleteToolkit),
    fc.tuple(user, fc.option(at, { nil: undefined, freq: 1 })).map((made) => bindUser(...made)),
  ];
}
