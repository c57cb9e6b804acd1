/** The changes that an admin can make to who reaches what, each done over the API and to the model (AZ-2). */
import assert from "node:assert/strict";
import fc from "fast-check";
import { type AccessModel, type ModelServer, SLOTS, USERS } from "./access-model.ts";
import type { AccessWorld } from "./access-world.ts";

type Act = (model: AccessModel, world: AccessWorld) => Promise<void>;

/** A change, and after it the comparison of what is promised with what is so. */
class Change implements fc.AsyncCommand<AccessModel, AccessWorld> {
  readonly #words: string;
  readonly #possible: (model: AccessModel) => boolean;
  readonly #act: Act;

  constructor(words: string, possible: (model: AccessModel) => boolean, act: Act) {
    this.#words = words;
    this.#possible = possible;
    this.#act = act;
  }

  check(model: Readonly<AccessModel>): boolean {
    return this.#possible(model);
  }

  async run(model: AccessModel, world: AccessWorld): Promise<void> {
    await this.#act(model, world);
    await world.compare(model);
  }

  toString(): string {
    return this.#words;
  }
}

const slot = fc.nat({ max: SLOTS - 1 });
const user = fc.nat({ max: USERS - 1 });
const upstream = fc.option(fc.nat({ max: 1 }), { nil: undefined });
const settings = fc.record({ auto_assign_users: fc.boolean(), auto_assign_mcps: fc.boolean(), show_draft_mcps: fc.boolean() });

/** Groups and servers have two names each to go by, so that a name is often one that was used before. */
const groupName = (model: AccessModel, at: number, other: boolean) => `${model.run} ${other ? "Other" : "Group"} ${at}`;
const wantedSlug = (model: AccessModel, at: number) => `${model.run}-s${at}`;

const noGroup = (at: number) => (model: AccessModel) => model.groups[at] === undefined;
const group = (at: number) => (model: AccessModel) => model.groups[at] !== undefined;
const noServer = (at: number) => (model: AccessModel) => model.servers[at] === undefined;
const server = (at: number) => (model: AccessModel) => model.servers[at] !== undefined;

export function createGroup(at: number, given: fc.RecordValue<typeof settings>): Change {
  return new Change(`createGroup(${at}, ${JSON.stringify(given)})`, noGroup(at), async (model, world) => {
    const name = groupName(model, at, false);
    await world.write("POST", "/api/groups", { name, settings: given }, 201);
    model.groups[at] = { name, settings: { ...given }, members: new Set(), servers: new Set() };
  });
}
