import assert from "node:assert/strict";
import fc from "fast-check";
import type { ScimClient } from "./scim-client.ts";

/**
 * A simple model of a directory that an identity provider manages, and random requests to it. After each request the
 * directory must equal the model.
 */
interface ModelUser {
  displayName: string;
  email: string;
  externalId: string | undefined;
  active: boolean;
}

interface ModelGroup {
  name: string;
  members: Set<string>;
}

interface Model {
  /** By user name. */
  readonly users: Map<string, ModelUser>;
  /** By external ID, which never changes. */
  readonly groups: Map<string, ModelGroup>;
  readonly ids: Map<string, string>;
}

type Step = (model: Model, idp: ScimClient) => Promise<void>;

const NAMES = ["ada", "bob", "eve", "dan"] as const;
const name = fc.constantFrom(...NAMES);
const group = fc.constantFrom("g1", "g2", "g3");
const display = fc.constantFrom("One", "Two", "Three", "Ünï");
const active = fc.constantFrom<[unknown, boolean]>([true, true], [false, false], ["True", true], ["False", false]);
const op = (lower: string, isEntra: boolean) =>
  isEntra ? `${lower.slice(0, 1).toUpperCase()}${lower.slice(1)}` : lower;
const emailOf = (userName: string, number = 0) => `${userName}${number || ""}@example.com`;

const createUser = fc.tuple(name, display, active).map(([userName, displayName, [given, isActive]]): Step => {
  return async ({ users, ids }, idp) => {
    const email = emailOf(userName);
    const isTaken = users.has(userName) || [...users.values()].some((user) => user.email === email);
    const body = {
      userName,
      displayName,
      externalId: userName,
      active: given,
      emails: [{ value: email, type: "work" }],
    };
    const created = await idp.expect(isTaken ? 409 : 201, "POST", "/Users", body);
    if (isTaken) return;
    users.set(userName, { displayName, email, externalId: userName, active: isActive });
    ids.set(userName, created.id);
  };
});

/** Runs only if the user exists; otherwise the request is a 404. */
function onUser(
  userName: string,
  change: (user: ModelUser, path: string, idp: ScimClient, model: Model) => Promise<void>,
): Step {
  return async (model, idp) => {
    const user = model.users.get(userName);
    if (user) await change(user, `/Users/${model.ids.get(userName)}`, idp, model);
    else await idp.expect(404, "DELETE", `/Users/${model.ids.get(userName) ?? "usr_none"}`);
  };
}

const setActive = fc.tuple(name, active, fc.boolean()).map(([userName, [given, isActive], hasPath]) =>
  onUser(userName, async (user, path, idp) => {
    const operation = hasPath
      ? { op: "Replace", path: "active", value: given }
      : { op: "replace", value: { active: given } };
    assert.equal((await idp.patch(path, operation)).status, 200);
    user.active = isActive;
  }),
);

const rename = fc.tuple(name, display, fc.boolean()).map(([userName, displayName, isEntra]) =>
  onUser(userName, async (user, path, idp) => {
    const operation = { op: op("replace", isEntra), path: "displayName", value: displayName };
    assert.equal((await idp.patch(path, operation)).status, 200);
    user.displayName = displayName;
  }),
);

const changeEmail = fc.tuple(name, fc.integer({ min: 0, max: 2 }), name).map(([userName, number, of]) =>
  onUser(userName, async (user, path, idp, { users }) => {
    const email = emailOf(of, number);
    const isTaken = [...users].some(([other, each]) => other !== userName && each.email === email);
    const operation = { op: "Add", path: 'emails[type eq "work"].value', value: email };
    assert.equal((await idp.patch(path, operation)).status, isTaken ? 409 : 200);
    if (!isTaken) user.email = email;
  }),
);

const replaceUser = fc.tuple(name, display, fc.option(active)).map(([userName, displayName, status]) =>
  onUser(userName, async (user, path, idp) => {
    const body = { userName, displayName, emails: [{ value: user.email }], ...(status && { active: status[0] }) };
    await idp.expect(200, "PUT", path, body);
    user.displayName = displayName;
    if (status) user.active = status[1];
  }),
);

const deleteUser = name.map((userName) =>
  onUser(userName, async (_user, path, idp, { users, groups }) => {
    await idp.expect(204, "DELETE", path);
    users.delete(userName);
    for (const { members } of groups.values()) members.delete(userName);
  }),
);

const createGroup = fc.tuple(group, display, fc.subarray([...NAMES])).map(([externalId, displayName, wanted]): Step => {
  return async ({ users, groups, ids }, idp) => {
    const members = wanted.filter((each) => users.has(each));
    const isTaken = groups.has(externalId) || [...groups.values()].some((each) => each.name === displayName);
    const body = { displayName, externalId, members: members.map((each) => ({ value: ids.get(each) })) };
    const created = await idp.expect(isTaken ? 409 : 201, "POST", "/Groups", body);
    if (isTaken) return;
    groups.set(externalId, { name: displayName, members: new Set(members) });
    ids.set(externalId, created.id);
  };
});

const changeMembers = fc
  .tuple(group, fc.constantFrom("add", "remove", "replace"), fc.subarray([...NAMES]), fc.boolean())
  .map(([externalId, kind, wanted, isEntra]): Step => {
    return async ({ users, groups, ids }, idp) => {
      const known = groups.get(externalId);
      if (!known) return;
      const members = wanted.filter((each) => users.has(each));
      const values = members.map((each) => ({ value: ids.get(each) }));
      const operations =
        kind === "remove" && !isEntra
          ? members.map((each) => ({ op: "remove", path: `members[value eq "${ids.get(each)}"]` }))
          : [{ op: op(kind, isEntra), path: "members", value: values }];
      if (operations.length === 0) return;
      assert.equal((await idp.patch(`/Groups/${ids.get(externalId)}`, ...operations)).status, 204);
      if (kind === "add") for (const each of members) known.members.add(each);
      else if (kind === "remove") for (const each of members) known.members.delete(each);
      else known.members = new Set(members);
    };
  });

const deleteGroup = group.map((externalId): Step => {
  return async ({ groups, ids }, idp) => {
    if (!groups.has(externalId)) return;
    await idp.expect(204, "DELETE", `/Groups/${ids.get(externalId)}`);
    groups.delete(externalId);
  };
});

const steps = fc.oneof(
  { weight: 3, arbitrary: createUser },
  ...[setActive, rename, changeEmail, replaceUser, deleteUser].map((arbitrary) => ({ weight: 1, arbitrary })),
  { weight: 2, arbitrary: createGroup },
  { weight: 3, arbitrary: changeMembers },
  { weight: 1, arbitrary: deleteGroup },
);

/** Checks the directory after each request of random conversations. */
export async function checkDirectory(
  idp: ScimClient,
  { conversations, seed, clear }: { conversations: number; seed: number; clear: () => Promise<void> },
): Promise<void> {
  const property = fc.asyncProperty(
    fc.array(steps, { minLength: 10, maxLength: 30, size: "max" }),
    async (requests) => {
      await clear();
      const model: Model = { users: new Map(), groups: new Map(), ids: new Map() };
      for (const request of requests) await request(model, idp);
      await compare(model, idp);
    },
  );
  await fc.assert(property, { numRuns: conversations, seed, endOnFailure: true });
}

interface Listed {
  readonly id: string;
  readonly userName: string;
  readonly displayName: string;
  readonly externalId?: string;
  readonly active: boolean;
  readonly emails: readonly { readonly value: string }[];
  readonly members: readonly { readonly value: string }[];
  readonly groups: readonly { readonly display: string }[];
}

async function compare({ users, groups, ids }: Model, idp: ScimClient): Promise<void> {
  const listed: Listed[] = (await idp.expect(200, "GET", "/Users")).Resources;
  const byName = (one: { userName: string }, other: { userName: string }) => (one.userName < other.userName ? -1 : 1);
  const actual = listed.map(({ id, userName, displayName, externalId, active, emails, groups: of }) => ({
    ...{ id, userName, displayName, externalId, active, email: emails[0]?.value },
    groups: of.map((each) => each.display).sort(),
  }));
  const groupsOf = (userName: string) =>
    [...groups.values()].filter(({ members }) => members.has(userName)).map((each) => each.name);
  const wanted = [...users].map(([userName, user]) => ({
    ...{ id: ids.get(userName), userName, ...user, groups: groupsOf(userName).sort() },
  }));
  assert.deepEqual(actual.sort(byName), wanted.sort(byName));
  const listedGroups: Listed[] = (await idp.expect(200, "GET", "/Groups")).Resources;
  const byId = (one: { externalId?: string | undefined }, other: { externalId?: string | undefined }) =>
    String(one.externalId) < String(other.externalId) ? -1 : 1;
  assert.deepEqual(
    listedGroups
      .map(({ externalId, displayName, members }) => ({
        ...{ externalId, displayName, members: members.map(({ value }) => value).sort() },
      }))
      .sort(byId),
    [...groups]
      .map(([externalId, each]) => ({
        ...{ externalId, displayName: each.name, members: [...each.members].map((of) => ids.get(of) ?? "").sort() },
      }))
      .sort(byId),
  );
}
