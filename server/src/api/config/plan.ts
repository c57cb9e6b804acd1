import { invalid, Refusal } from "#lib/errors";
import { isObject } from "#lib/is-object";
import { type ConfigObject, changesOf, type Declared, type Kind, type KindNeeds, pick } from "./kind.ts";
import { KINDS } from "./kinds/index.ts";

/** Objects by kind. A kind that is omitted is not managed. */
export type Configuration = Readonly<Record<string, readonly ConfigObject[]>>;

export interface Step {
  readonly kind: Kind;
  readonly action: "create" | "update" | "delete";
  readonly key: string;
  readonly before: ConfigObject;
  /** The object to create, or the changed fields. */
  readonly wanted: ConfigObject;
}

/** Checks the shape of files; operations check the values. */
export function readConfiguration(given: Readonly<Record<string, unknown>>): Configuration {
  return Object.fromEntries(
    Object.entries(given).map(([name, objects]) => {
      const kind = KINDS.find((each) => each.name === name);
      if (!kind)
        throw invalid("config", `unknown section ${name}. Sections: ${KINDS.map((each) => each.name).join(", ")}`);
      if (!Array.isArray(objects)) throw invalid(`config.${name}`, "must be a list");
      return [name, objects.map((object, index) => readObject(kind, object, `config.${name}.${index}`))];
    }),
  );
}

function readObject(kind: Kind, object: unknown, place: string): ConfigObject {
  if (!isObject(object)) throw invalid(place, "must be an object");
  const key = object[kind.key];
  if (key === undefined || key === null || key === "") throw invalid(place, `${kind.key} is required`);
  if (typeof key !== "string") throw invalid(place, `${kind.key} must be a string. In YAML, put it in quotes`);
  const unknown = Object.keys(object).find((name) => !kind.fields.includes(name));
  if (unknown !== undefined) throw invalid(place, `unknown field ${unknown}. Fields: ${kind.fields.join(", ")}`);
  return object;
}

/** The steps that make the installation equal to the files, in the order in which they are applied. */
async function planSteps(needs: KindNeeds, wanted: Configuration, prune: boolean): Promise<Step[]> {
  const changes: Step[] = [];
  const deletions: Step[] = [];
  const declaredBy = declaredIn(wanted, prune);
  for (const kind of KINDS) {
    const objects = wanted[kind.name];
    if (!objects) continue;
    const existing = new Map((await kind.read(needs)).map((object) => [keyOf(kind, object), object]));
    const declared = byKey(kind, objects);
    for (const [key, object] of declared) changes.push(...stepsFor(kind, existing.get(key), object));
    if (!prune || !kind.remove) continue;
    const surplus = [...existing].filter(([key]) => !declared.has(key)).map(([, object]) => object);
    const deleted: ConfigObject[] = [];
    for (const object of surplus) if (!(await kind.isKept?.(object, needs, declaredBy))) deleted.push(object);
    deletions.unshift(...deleted.map((before) => deletionOf(kind, before)));
  }
  return [...changes, ...deletions];
}

function declaredIn(wanted: Configuration, prune: boolean): Declared {
  return (name, key) => {
    const kind = KINDS.find((each) => each.name === name);
    const objects = wanted[name];
    if (!kind || !objects) return undefined;
    return objects.find((object) => keyOf(kind, object) === key) ?? (prune ? "pruned" : undefined);
  };
}

function byKey(kind: Kind, objects: readonly ConfigObject[]): Map<string, ConfigObject> {
  const declared = new Map(objects.map((object) => [keyOf(kind, object), object]));
  if (declared.size === objects.length) return declared;
  // The map has the last one of the objects with the same key.
  const first = objects.find((object) => declared.get(keyOf(kind, object)) !== object);
  const index = objects.findLastIndex((object) => first !== undefined && keyOf(kind, object) === keyOf(kind, first));
  throw invalid(`config.${kind.name}.${index}`, `${String(first?.[kind.key])} is declared twice`);
}

function deletionOf(kind: Kind, before: ConfigObject): Step {
  return { kind, action: "delete", key: String(before[kind.key]), before, wanted: {} };
}

function keyOf(kind: Kind, object: ConfigObject): string {
  return String(object[kind.key]).toLowerCase();
}

function stepsFor(kind: Kind, before: ConfigObject | undefined, object: ConfigObject): Step[] {
  const key = String(object[kind.key]);
  if (!before) return [{ kind, action: "create", key, before: {}, wanted: object }];
  const { [kind.key]: _key, ...wanted } = changesOf(kind, before, kind.complete?.(object) ?? object);
  return Object.keys(wanted).length === 0 ? [] : [{ kind, action: "update", key, before, wanted }];
}

/** Applies the files. Returns the steps that were necessary. */
export async function applyConfiguration(needs: KindNeeds, wanted: Configuration, prune: boolean): Promise<Step[]> {
  const steps = await planSteps(needs, wanted, prune);
  await applySteps(needs, steps);
  // A change can have effects on other declared objects: a new server joins groups that auto-assign.
  if (steps.length > 0) await applySteps(needs, await planSteps(needs, wanted, prune));
  return steps;
}

/** Fields that refer to objects of later kinds are set when all exist. Objects are deleted when no field refers to them. */
async function applySteps(needs: KindNeeds, steps: readonly Step[]): Promise<void> {
  const later: Step[] = [];
  for (const step of steps.flatMap(releasesOf)) await applyStep(needs, step);
  for (const step of steps.filter(({ action }) => action !== "delete")) {
    const { kind, wanted, action } = step;
    const deferred = pick(wanted, kind.deferred?.(wanted) ?? []);
    if (Object.keys(deferred).length === 0) await applyStep(needs, step);
    else {
      const others = Object.fromEntries(Object.entries(wanted).filter(([name]) => !(name in deferred)));
      if (Object.keys(others).length > 0) await applyStep(needs, { ...step, wanted: others });
      const isEmpty = action === "create" && Object.values(deferred).every((value) => value == null);
      if (!isEmpty) later.push({ ...step, action: "update", before: { ...step.before, ...others }, wanted: deferred });
    }
  }
  for (const step of later) await applyStep(needs, step);
  for (const step of steps.filter(({ action }) => action === "delete")) await applyStep(needs, step);
}

/** Before something is deleted, it must not refer to objects of later kinds, which are deleted first. */
function releasesOf(step: Step): Step[] {
  if (step.action !== "delete") return [];
  const used = (step.kind.deferred?.(step.before) ?? []).filter((name) => step.before[name] != null);
  const wanted = Object.fromEntries(used.map((name) => [name, null]));
  return used.length === 0 ? [] : [{ ...step, action: "update", wanted }];
}

/** An error names the object, because the request contains many. */
async function applyStep(needs: KindNeeds, { kind, action, key, before, wanted }: Step): Promise<void> {
  try {
    const fixed = action === "update" ? kind.fixed?.find((name) => name in wanted) : undefined;
    if (fixed !== undefined) throw invalid(fixed, "cannot be changed. Delete the object, then create it again");
    if (action === "create") await kind.create(needs, wanted);
    else if (action === "update") await kind.update(needs, before, wanted);
    else await kind.remove?.(needs, before);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isReference = error.kind === "not-found" || error.kind === "unknown-reference";
    throw new Refusal(isReference ? "invalid" : error.kind, `${kind.name} ${key}: ${error.message}`, { cause: error });
  }
}

const SECRET = "(secret)";

/** What a step changes, without secrets. */
export function presentStep({ kind, action, key, before, wanted }: Step) {
  const secrets = (object: ConfigObject) => hideSecrets(kind, object);
  const [old, next] = [secrets(before), secrets(wanted)];
  const changes = Object.keys(wanted).map((field) => ({
    field,
    before: action === "create" ? null : (old[field] ?? null),
    after: next[field] ?? null,
  }));
  return { kind: kind.name, action, key, changes };
}

function hideSecrets(kind: Kind, object: ConfigObject): ConfigObject {
  return replaceSecrets(kind, object, () => SECRET);
}

/** Replaces the value at each path of a secret. */
export function replaceSecrets(kind: Kind, object: ConfigObject, replace: (path: string) => string): ConfigObject {
  const copy: ConfigObject = structuredClone(object);
  for (const path of kind.secrets?.(object) ?? []) {
    let place: unknown = copy;
    const names = splitPath(path);
    for (const name of names.slice(0, -1)) place = Object(place)[name];
    const last = names.at(-1);
    if (last !== undefined && Object(place)[last] !== undefined) Object(place)[last] = replace(path);
  }
  return copy;
}

/** Names of headers contain no dots at the ends of a path: the last part is everything after `headers.`. */
function splitPath(path: string): string[] {
  const at = path.indexOf("headers.");
  if (at < 0) return path.split(".");
  return [
    ...path
      .slice(0, at)
      .split(".")
      .filter((name) => name !== ""),
    "headers",
    path.slice(at + "headers.".length),
  ];
}
