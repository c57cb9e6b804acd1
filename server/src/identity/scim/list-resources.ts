import { countGroups, type GroupKey, groupsOfUsers, listGroupRows, peopleOfGroups } from "#records/groups";
import { countPeople, listPeople, type PersonKey } from "#records/users";
import type { MainDb } from "#storage/database";
import type { Filter } from "./filter.ts";
import { matchesFilter } from "./match-filter.ts";
import { presentGroup, presentUser, type ScimResource } from "./resources.ts";

export interface ScimPage {
  readonly total: number;
  readonly resources: readonly ScimResource[];
}

export interface ScimQuery {
  readonly filter: Filter | undefined;
  readonly skip: number;
  readonly limit: number;
}

export interface ScimDirectory {
  readonly db: MainDb;
  readonly baseUrl: string;
  /** Long lists are processed in turns. */
  nextTurn(): Promise<void>;
}

const SCAN_PAGE = 500;

/** One kind of resource: how it is read from the database. */
interface Kind<Key> {
  keyOf(filter: Filter): Key | undefined;
  count(key: Key | undefined): Promise<number>;
  page(key: Key | undefined, options: { skip?: number; afterId?: string; limit: number }): Promise<ScimResource[]>;
}

export function listUsers(directory: ScimDirectory, query: ScimQuery): Promise<ScimPage> {
  const { db, baseUrl } = directory;
  return listResources<PersonKey>(directory, query, {
    keyOf: (filter) => keyOf(filter, USER_KEYS),
    count: (key) => countPeople(db, key),
    async page(key, options) {
      const rows = await listPeople(db, { key, ...options });
      const groups = await groupsOfUsers(
        db,
        rows.map(({ id }) => id),
      );
      return rows.map((row) => presentUser(baseUrl, row, groups.get(row.id) ?? []));
    },
  });
}

export function listGroups(directory: ScimDirectory, query: ScimQuery, withMembers: boolean): Promise<ScimPage> {
  const { db, baseUrl } = directory;
  const needsMembers =
    withMembers ||
    (query.filter !== undefined && !(keyOf(query.filter, GROUP_KEYS) && isPlainComparison(query.filter)));
  return listResources<GroupKey>(directory, query, {
    keyOf: (filter) => keyOf(filter, GROUP_KEYS),
    count: (key) => countGroups(db, key),
    async page(key, options) {
      const rows = await listGroupRows(db, { key, ...options });
      const people = needsMembers
        ? await peopleOfGroups(
            db,
            rows.map(({ id }) => id),
          )
        : undefined;
      return rows.map((row) => presentGroup(baseUrl, row, people && (people.get(row.id) ?? [])));
    },
  });
}

/** Such a filter needs no check afterwards, unlike `emails[type eq "work"].value eq "ada@example.com"`. */
function isPlainComparison(filter: Filter): boolean {
  return filter.kind === "compare" && filter.path.filter === undefined;
}

async function listResources<Key>(
  { nextTurn }: ScimDirectory,
  { filter, skip, limit }: ScimQuery,
  kind: Kind<Key>,
): Promise<ScimPage> {
  const key = filter && kind.keyOf(filter);
  const isOnlyKey = filter === undefined || (key !== undefined && isPlainComparison(filter));
  if (isOnlyKey) {
    const total = await kind.count(key);
    return { total, resources: limit === 0 ? [] : await kind.page(key, { skip, limit }) };
  }
  return scan(nextTurn, { filter, skip, limit }, (options) => kind.page(key, options));
}

/** Checks every resource, in turns. */
async function scan(
  nextTurn: ScimDirectory["nextTurn"],
  { filter, skip, limit }: ScimQuery & { readonly filter: Filter },
  readPage: (options: { afterId: string; limit: number }) => Promise<ScimResource[]>,
): Promise<ScimPage> {
  let total = 0;
  const resources: ScimResource[] = [];
  for (let afterId = ""; ; await nextTurn()) {
    const page = await readPage({ afterId, limit: SCAN_PAGE });
    const matches = page.filter((resource) => matchesFilter(filter, resource));
    const first = Math.max(0, skip - total);
    resources.push(...matches.slice(first, first + limit - resources.length));
    total += matches.length;
    const last = page.at(-1);
    if (!last || page.length < SCAN_PAGE) return { total, resources };
    afterId = last.id;
  }
}

const USER_KEYS: Readonly<Record<string, PersonKey["by"]>> = {
  id: "id",
  username: "userName",
  externalid: "externalId",
  emails: "email",
  "emails.value": "email",
};
const GROUP_KEYS: Readonly<Record<string, GroupKey["by"]>> = {
  id: "id",
  displayname: "name",
  externalid: "externalId",
  members: "member",
  "members.value": "member",
};

/** A comparison that every match fulfills and that an index finds. */
function keyOf<By extends string>(
  filter: Filter,
  keys: Readonly<Record<string, By>>,
): { readonly by: By; readonly value: string } | undefined {
  if (filter.kind === "and") {
    for (const part of filter.filters) {
      const key = keyOf(part, keys);
      if (key) return key;
    }
    return undefined;
  }
  if (filter.kind !== "compare" || filter.operator !== "eq" || typeof filter.value !== "string") return undefined;
  const { attribute, sub } = filter.path;
  const by = keys[sub === undefined ? attribute : `${attribute}.${sub}`];
  return by === undefined ? undefined : { by, value: filter.value };
}
