import type { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Member, type Range } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { watchPlan } from "#lib/json/watch-plan";
import { MAX_LOGGED_NAME } from "../../request.ts";

const TOP_LEVEL = watchPlan([[]]);

export interface Arguments {
  readonly source: ByteSource;
  /** Undefined: the caller sent none. */
  readonly range: Range | undefined;
}

/** The values of these names, or what is wrong. Numbers keep the text that the caller wrote, as in `1.10`. */
export function readValues(
  { source, range }: Arguments,
  names: ReadonlySet<string>,
): Map<string, string> | { problem: string } {
  const values = new Map<string, string>();
  if (!range) return values;
  const members = membersOf(source, range);
  if (!members) return { problem: "Invalid params: an argument is given twice" };
  for (const [name, member] of members) {
    if (!names.has(name)) continue;
    const value = textOf(source, range.start, member);
    if (value === undefined) {
      return { problem: `Invalid value for argument "${name.slice(0, MAX_LOGGED_NAME)}": expected a string` };
    }
    if (value !== null) values.set(name, value);
  }
  return values;
}

/** The envelope was well formed, so the only possible fault is a duplicate key. */
function membersOf(source: ByteSource, range: Range): ReadonlyMap<string, Member> | undefined {
  try {
    const { objects } = scanJson(source.parts(range.start, range.end), { watch: TOP_LEVEL });
    return objects[0]?.members ?? new Map();
  } catch (fault) {
    if (fault instanceof JsonFault) return undefined;
    throw fault;
  }
}

/** Null for an argument without a value; undefined for objects and arrays. */
function textOf(source: ByteSource, offset: number, { kind, start, end }: Member): string | null | undefined {
  if (kind === "object" || kind === "array") return undefined;
  if (kind === "null") return null;
  const text = source.text({ start: offset + start, end: offset + end });
  return kind === "string" ? JSON.parse(text) : text;
}
