/** The definition of a tool as a toolkit shows it. All bytes that the toolkit does not concern stay as they are. */
import { ByteSource } from "#lib/json/byte-source";
import { removeMembers } from "#lib/json/remove-members";
import { JsonFault, type Member, type WatchedObject } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { type Edit, splice } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import type { ExposedTool } from "./exposure.ts";
import type { ArgumentChanges } from "./toolkits.ts";

type Shown = Pick<ExposedTool, "title" | "description" | "argumentChanges">;

const NO_CHANGES: ArgumentChanges = { fixed: new Map(), defaults: new Map(), hidden: new Set() };
const SCHEMA = "inputSchema";

/** `definition` is JSON text of an object. */
export function editDefinition(definition: string, { title, description, argumentChanges }: Shown): string {
  if (title === undefined && description === undefined && !argumentChanges) return definition;
  const changes = argumentChanges ?? NO_CHANGES;
  const source = new ByteSource([Buffer.from(definition)]);
  const names = [...changes.defaults.keys()];
  const paths = names.map((name) => [SCHEMA, "properties", name]);
  try {
    const watch = watchPlan([[], ["annotations"], [SCHEMA], [SCHEMA, "properties"], ...paths]);
    const [root, annotations, schema, properties, ...defaulted] = scanJson(source.chunks, { watch }).objects;
    const edits = [
      ...textEdits(root, annotations, title, description),
      ...propertyEdits(properties, changes, new Map(names.map((name, at) => [name, defaulted[at]]))),
      ...requiredEdits(source, schema, changes),
    ];
    return splice(
      source,
      edits.sort((one, other) => one.start - other.start),
    ).toString();
  } catch (fault) {
    // A member that the server sent twice. Parsing drops the first one, as clients do.
    if (fault instanceof JsonFault)
      return editDefinition(JSON.stringify(JSON.parse(definition)), { title, description, argumentChanges });
    throw fault;
  }
}

/** The title is also that of the annotations, which older clients show. */
function textEdits(
  root: WatchedObject | undefined,
  annotations: WatchedObject | undefined,
  title: string | undefined,
  description: string | undefined,
): Edit[] {
  if (!root) return [];
  const added: string[] = [];
  const edits: Edit[] = [];
  const set = (name: string, text: string | undefined) => {
    if (text === undefined) return;
    const member = root.members.get(name);
    if (member) edits.push(replace(member, JSON.stringify(text)));
    else added.push(`"${name}":${JSON.stringify(text)}`);
  };
  set("title", title);
  set("description", description);
  if (title !== undefined && annotations) edits.push(setMember(annotations, "title", JSON.stringify(title)));
  else if (title !== undefined) added.push(`"annotations":{"title":${JSON.stringify(title)}}`);
  return added.length === 0 ? edits : [insert(root, added), ...edits];
}

function propertyEdits(
  properties: WatchedObject | undefined,
  { fixed, defaults, hidden }: ArgumentChanges,
  schemas: ReadonlyMap<string, WatchedObject | undefined>,
): Edit[] {
  if (!properties) return [];
  const isRemoved = (name: string) => fixed.has(name) || hidden.has(name);
  const edits = removeMembers(properties.members, isRemoved);
  for (const [name, json] of defaults) {
    const member = properties.members.get(name);
    if (!member || isRemoved(name)) continue;
    const schema = schemas.get(name);
    if (schema) edits.push(setMember(schema, "default", json));
    // `true` as a schema accepts everything.
    else if (member.kind === "true") edits.push(replace(member, `{"default":${json}}`));
  }
  return edits;
}

function requiredEdits(source: ByteSource, schema: WatchedObject | undefined, changes: ArgumentChanges): Edit[] {
  const required = schema?.members.get("required");
  if (required?.kind !== "array") return [];
  const names: unknown[] = JSON.parse(source.text(required));
  const { fixed, defaults, hidden } = changes;
  const isOptional = (name: unknown) =>
    typeof name === "string" && (fixed.has(name) || defaults.has(name) || hidden.has(name));
  const left = names.filter((name) => !isOptional(name));
  return left.length === names.length ? [] : [replace(required, JSON.stringify(left))];
}

function replace({ start, end }: Member, text: string): Edit {
  return { start, end, text };
}

function setMember(object: WatchedObject, name: string, json: string): Edit {
  const member = object.members.get(name);
  return member ? replace(member, json) : insert(object, [`"${name}":${json}`]);
}

/** At the beginning. */
function insert({ start, members }: WatchedObject, added: readonly string[]): Edit {
  const comma = members.size > 0 ? "," : "";
  return { start: start + 1, end: start + 1, text: added.join(",") + comma };
}
