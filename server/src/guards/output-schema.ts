import { isObject } from "#lib/is-object";
import { ByteSource } from "#lib/json/byte-source";
import type { Member, Range } from "#lib/json/scan";
import { type Edit, splice } from "#lib/json/splice";
import { compileSchema, type SchemaCheck } from "./checks/json-schema.ts";

/** Prepares the `outputSchema` of a tool. A schema that cannot be applied accepts nothing, so nothing is assumed to fit. */
export function compileOutputSchema(schema: unknown): SchemaCheck {
  const compiled = isObject(schema) ? compileSchema(schema) : "not a schema";
  return typeof compiled === "string" ? () => [""] : compiled;
}

/**
 * Returns the edits for a result whose structured content was redacted. If it does not match the tool's `outputSchema`
 * anymore, the member is removed and the redacted text of `content` stays. `members` are those of the result.
 */
export function fitOutputSchema(
  source: ByteSource,
  members: ReadonlyMap<string, Member>,
  edits: readonly Edit[],
  validate: SchemaCheck,
): readonly Edit[] {
  const structured = members.get("structuredContent");
  if (structured === undefined) return edits;
  const inside = edits.filter(({ start, end }) => start >= structured.start && end <= structured.end);
  if (inside.length === 0 || matches(source, structured, inside, validate)) return edits;
  const removed = memberRange(members, "structuredContent", structured);
  const others = edits.filter((edit) => !inside.includes(edit));
  return [...others, { ...removed, text: "" }].sort((one, other) => one.start - other.start);
}

function matches(source: ByteSource, { start, end }: Range, edits: readonly Edit[], validate: SchemaCheck): boolean {
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const redacted = splice(new ByteSource(source.slice(start, end)), moved);
  try {
    return validate(JSON.parse(redacted.toString("utf8"))).length === 0;
  } catch {
    return false;
  }
}

/** The member with the comma that separates it from the next or previous one. */
function memberRange(members: ReadonlyMap<string, Member>, name: string, { keyStart, end }: Member): Range {
  const names = [...members.keys()];
  const at = names.indexOf(name);
  const next = members.get(names[at + 1] ?? "");
  if (at + 1 < names.length && next !== undefined) return { start: keyStart, end: next.keyStart };
  const previous = at > 0 ? members.get(names[at - 1] ?? "") : undefined;
  return { start: previous?.end ?? keyStart, end };
}
