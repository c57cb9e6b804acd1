import type { ApiContext } from "#api/kit/api-context";
import type { Invoke } from "#api/kit/invocation";
import { Refusal } from "#lib/errors";
import { isObject } from "#lib/is-object";
import type { MainDb } from "#storage/database";

/** One object of the configuration, as a file declares it. */
export type ConfigObject = Readonly<Record<string, unknown>>;

export interface KindNeeds {
  readonly invoke: Invoke;
  /** Within a write, its transaction. */
  readonly db: MainDb;
  readonly context: Pick<ApiContext, "vault" | "clock">;
}

/** What the files say about an object: its fields, or that it is deleted. Undefined: nothing. */
export type Declared = (kind: string, key: string) => ConfigObject | "pruned" | undefined;

/** A kind of object that files can declare. A new kind is one file in `kinds/` and a line in `kinds/index.ts`. */
export interface Kind {
  /** The name of the section, and of the file. */
  readonly name: string;
  /** The field that identifies an object. */
  readonly key: string;
  /** All fields, in the order of the files. */
  readonly fields: readonly string[];
  /** Fields whose members are all replaced, so that a missing member is a change. */
  readonly exact?: readonly string[];
  /** Fields that never change once the object exists. */
  readonly fixed?: readonly string[];
  /** Adds what an object of a file may omit, for fields that are compared exactly. */
  complete?(object: ConfigObject): ConfigObject;
  /** Fields that refer to objects of later kinds. They are set after all objects exist. */
  deferred?(object: ConfigObject): readonly string[];
  /** The same object in one spelling, for comparisons: the order of a set, or the case of an email, is no change. */
  normalize?(object: ConfigObject): ConfigObject;
  /** The paths of secrets in an object, such as `headers.X-Api-Key`. */
  secrets?(object: ConfigObject): readonly string[];
  /** All objects that can be managed, with their secrets. */
  read(needs: KindNeeds): Promise<ConfigObject[]>;
  create(needs: KindNeeds, object: ConfigObject): Promise<void>;
  /** `changes` has the changed fields. */
  update(needs: KindNeeds, before: ConfigObject, changes: ConfigObject): Promise<void>;
  /** Whether an object that no file declares stays, such as one that every installation has. */
  isKept?(object: ConfigObject, needs: KindNeeds, declared: Declared): boolean | Promise<boolean>;
  /** Undefined: such objects cannot be deleted. */
  remove?(needs: KindNeeds, object: ConfigObject): Promise<void>;
}

export function pick(object: ConfigObject, fields: readonly string[]): ConfigObject {
  return Object.fromEntries(fields.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])));
}

/** When something is created, null and omitted mean the same, and not every operation accepts null. */
export function withoutNulls(object: ConfigObject): ConfigObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** Reads all pages of a list. */
export async function readAll(
  invoke: Invoke,
  id: string,
  query: Record<string, string> = {},
  path = {},
): Promise<ConfigObject[]> {
  const rows: ConfigObject[] = [];
  for (let position: Record<string, string> = {}; ; ) {
    const answer = await invoke(id, { query: { ...query, limit: "100", ...position }, path });
    const { data, pagination } = answer as { data: ConfigObject[]; pagination: Record<string, unknown> };
    rows.push(...data);
    const hasMore = pagination.hasMore === true && data.length > 0;
    if (!hasMore) return rows;
    const next = pagination.nextCursor;
    position = "skip" in pagination ? { skip: String(rows.length) } : { cursor: String(next ?? rows.length) };
  }
}

interface RecordKind {
  readonly name: string;
  readonly key: string;
  readonly fields: readonly string[];
  readonly fixed?: readonly string[];
  /** Fields whose members have no order. */
  readonly sets?: readonly string[];
  normalize?(object: ConfigObject): ConfigObject;
  readonly operations: {
    readonly list: string;
    /** Reads one object by its key in the path, if lists omit fields. */
    readonly get?: string;
    readonly create: string;
    readonly update: string;
    readonly remove: string;
  };
  isManaged?(row: ConfigObject): boolean;
  /** From the response of the API to the object in the file. */
  present?(row: ConfigObject, needs: KindNeeds): ConfigObject | Promise<ConfigObject>;
  /** From fields of the file to the body of the request. */
  bodyOf?(object: ConfigObject): object;
  secrets?(object: ConfigObject): readonly string[];
}

/** A kind whose operations accept the fields that they return. */
export function recordKind(declared: RecordKind): Kind {
  const { name, key, fields, fixed, sets = [], operations, secrets } = declared;
  const normalize = declared.normalize ?? ((object: ConfigObject) => object);
  const bodyOf = declared.bodyOf ?? ((object: ConfigObject) => object);
  const sorted = (object: ConfigObject) => ({
    ...object,
    ...Object.fromEntries(sets.flatMap((set) => (Array.isArray(object[set]) ? [[set, object[set].toSorted()]] : []))),
  });
  const target = (object: ConfigObject) => ({ [key]: String(object[key]) });
  return {
    ...{ name, key, fields },
    ...(fixed && { fixed }),
    normalize: (object) => withSortedSets(normalize(object), sets),
    ...(secrets && { secrets }),
    async read(needs) {
      const rows = (await readAll(needs.invoke, operations.list)).filter((row) => declared.isManaged?.(row) ?? true);
      const objects: ConfigObject[] = [];
      for (const listed of rows) {
        const row = operations.get ? dataOf(await needs.invoke(operations.get, { path: target(listed) })) : listed;
        objects.push(sorted(pick({ ...row, ...(await declared.present?.(row, needs)) }, fields)));
      }
      return objects;
    },
    async create({ invoke }, object) {
      requireKey(object[key], dataOf(await invoke(operations.create, { body: bodyOf(withoutNulls(object)) }))[key]);
    },
    async update({ invoke }, before, changes) {
      await invoke(operations.update, { query: target(before), body: bodyOf(changes) });
    },
    async remove({ invoke }, object) {
      await invoke(operations.remove, { query: target(object) });
    },
  };
}

export function dataOf(answer: unknown): ConfigObject {
  const data = isObject(answer) ? answer.data : undefined;
  if (!isObject(data)) throw new Error("an operation returned no object");
  return data;
}

/** An operation appends a number to a slug that is taken. A file would create another object with each apply. */
export function requireKey(wanted: unknown, created: unknown): void {
  if (created !== wanted)
    throw new Refusal("conflict", "the slug is taken by an object that files do not manage, such as one of a user");
}

/** Members in one order: that of a stored object depends on the order of its changes. */
export function sortedMembers(object: object): ConfigObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function withSortedSets(object: ConfigObject, names: readonly string[]): ConfigObject {
  const sorted = names.flatMap((name) => {
    const value = object[name];
    return Array.isArray(value) ? [[name, [...new Set(value.map((each) => String(each).toLowerCase()))].sort()]] : [];
  });
  return { ...object, ...Object.fromEntries(sorted) };
}

/** The fields of `wanted` that differ. Omitted fields and omitted members of objects are not managed. */
export function changesOf(
  { exact = [], normalize = (object) => object }: Pick<Kind, "exact" | "normalize">,
  before: ConfigObject,
  wanted: ConfigObject,
): ConfigObject {
  const [old, now] = [normalize(before), normalize(wanted)];
  const isSame = (name: string) =>
    covers(old[name], now[name]) && (!exact.includes(name) || covers(now[name], old[name]));
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !isSame(name)));
}

function covers(before: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(before) && before.length === wanted.length && wanted.every((each, i) => covers(before[i], each))
    );
  }
  if (!isObject(wanted)) return (before ?? null) === (wanted ?? null);
  return isObject(before) && Object.entries(wanted).every(([name, member]) => covers(before[name], member));
}
