/** The changes that an admin can make to commands, each applied through the API and to the model (AZ-2, F7). */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { AccessModel } from "./access-model.ts";
import { COMMANDS, NAMES, slugOf } from "./access-own-prompts.ts";
import type { AccessSetup } from "./access-setup.ts";

class CommandChange implements fc.AsyncCommand<AccessModel, AccessSetup> {
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

const putCommand = (at: number, active: boolean, places: readonly number[]) =>
  new CommandChange(`command ${at} active: ${active} in ${places}`, async (model, context) => {
    const slug = model.commands[at]?.slug ?? slugOf(at);
    const groups = places.flatMap((place) => model.groups[place] ?? []);
    const body = { status: active ? "active" : "draft", groups: groups.map(({ name }) => name) };
    if (model.commands[at]) await context.write("PATCH", `/api/commands?slug=${slug}`, body);
    else await context.write("POST", "/api/commands", { name: slug, content: slug, ...body });
    model.commands[at] = { slug, active, groups: new Set(groups) };
  });

/** Toolkits follow. */
const renameCommand = (at: number, name: number) =>
  new CommandChange(`command ${at} gets name ${name}`, async (model, context) => {
    const command = model.commands[at];
    if (!command) return;
    const slug = slugOf(at, name);
    await context.write("PATCH", `/api/commands?slug=${command.slug}`, { slug });
    renameInToolkits(model, command.slug, slug);
    model.commands[at] = { ...command, slug };
  });

const deleteCommand = (at: number) =>
  new CommandChange(`deletion of command ${at}`, async (model, context) => {
    const command = model.commands[at];
    if (!command) return;
    await context.write("DELETE", `/api/commands?slug=${command.slug}`);
    renameInToolkits(model, command.slug, undefined);
    model.commands[at] = undefined;
  });

function renameInToolkits(model: AccessModel, from: string, to: string | undefined): void {
  for (const toolkit of model.livingToolkits()) {
    const slugs = [...(toolkit.commands ?? [])].flatMap((slug) => (slug === from ? (to ?? []) : slug));
    toolkit.commands = new Set(slugs);
  }
}

const linkCommand = (at: number, place: number, isLinked: boolean) =>
  new CommandChange(`command ${at} in group ${place}: ${isLinked}`, async (model, context) => {
    const [command, group] = [model.commands[at], model.groups[place]];
    if (!command || !group) return;
    const path = `/api/groups/${encodeURIComponent(group.name)}/commands`;
    if (isLinked) await context.write("POST", path, { slugs: [command.slug] });
    else await context.write("DELETE", `${path}?slug=${command.slug}`);
    if (isLinked) command.groups.add(group);
    else command.groups.delete(group);
  });

/** A user's own toolkit can name only commands that the user can use; others do not exist for the user. */
const bundleCommands = (kit: number, places: readonly number[]) =>
  new CommandChange(`toolkit ${kit} has the commands ${places}`, async (model, context) => {
    const toolkit = model.toolkits[kit];
    if (!toolkit) return;
    const slugs = places.flatMap((at) => model.commands[at]?.slug ?? []);
    const answer = await context.request("PATCH", `/api/toolkits?slug=${toolkit.slug}`, { commands: slugs });
    if (answer.status === 200) toolkit.commands = new Set(slugs);
    else assert.match(answer.text, /Commands not found/);
  });

/** The number of groups and toolkits. */
export function ownPromptChanges(slots: number, toolkits: number) {
  const at = fc.nat({ max: COMMANDS - 1 });
  const place = fc.nat({ max: slots - 1 });
  const put = fc
    .tuple(at, fc.constantFrom(true, true, false), fc.uniqueArray(place))
    .map((made) => putCommand(...made));
  return [
    put,
    put,
    at.map(deleteCommand),
    fc.tuple(at, fc.nat({ max: NAMES.length - 1 })).map((made) => renameCommand(...made)),
    fc.tuple(at, place, fc.boolean()).map((made) => linkCommand(...made)),
    fc.tuple(fc.nat({ max: toolkits - 1 }), fc.uniqueArray(at)).map((made) => bundleCommands(...made)),
  ];
}
