/** Removes entries from a configuration file and puts them back. Pure: works on text. */
import { isDeepStrictEqual } from "node:util";
import { applyEdits, modify } from "jsonc-parser";
import { type Fields, isFields, parseConfig } from "../discover/parse-config.ts";
import { allFields } from "../discover/parse-json.ts";
import type { ConfigFormat } from "../tables/mcp-configs.ts";
import { jsonTextAt, type Pointer, removeFromJson } from "./remove-json.ts";
import { removeFromToml } from "./remove-toml.ts";

/** The file cannot be edited without a loss, so it stays as it is. */
export class CannotEdit extends Error {}

/** The text without the entries. Throws `CannotEdit` unless the result means exactly the same without them. */
export function removeEntries(text: string, format: ConfigFormat, pointers: readonly Pointer[]): string {
  if (format === "yaml") throw new CannotEdit("YAML files are not edited");
  let output = text;
  for (const pointer of pointers) {
    const next = format === "json" ? removeFromJson(output, pointer) : removeFromToml(output, pointer)?.text;
    if (next === undefined)
      throw new CannotEdit("the entry is written in a form that cannot be removed without a loss");
    output = next;
  }
  const expected = pointers.reduce<unknown>((value, pointer) => without(value, pointer), parseConfig(text, format));
  if (!isDeepStrictEqual(plain(parseConfig(output, format)), plain(expected))) {
    throw new CannotEdit("removing the entry would change other parts of the file");
  }
  return output;
}

/** The text of the entry, to put it back into a file that changed: lines of TOML, or the value of JSON. */
export function snippetOf(text: string, format: ConfigFormat, pointer: Pointer): string {
  if (format === "json") return jsonTextAt(text, pointer) ?? "";
  return format === "toml" ? (removeFromToml(text, pointer)?.snippet ?? "") : "";
}

/** The text with the entry. For files that changed since the entry was removed. */
export function insertEntry(
  text: string,
  format: ConfigFormat,
  pointer: Pointer,
  value: unknown,
  snippet: string,
): string {
  if (format === "json") return insertJson(text, pointer, value, snippet);
  if (format === "yaml") throw new CannotEdit("YAML files are not edited");
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const output = `${text}${text === "" || text.endsWith("\n") ? "" : lineEnd}${snippet}`;
  if (valueAt(parseConfig(output, format), pointer) === undefined) throw new CannotEdit("the table cannot be added");
  return output;
}

/** Inserts the text as it was, because numbers can have more digits than a parsed value keeps. */
function insertJson(text: string, pointer: Pointer, value: unknown, snippet: string): string {
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2 };
  const insert = (inserted: unknown) => applyEdits(text, modify(text, [...pointer], inserted, { formattingOptions }));
  const plainly = insert(value);
  if (snippet === "") return plainly;
  let marker = "entry";
  while ([text, ...pointer].some((each) => String(each).includes(marker))) marker += "-";
  const exactly = insert(marker).replace(JSON.stringify(marker), () => snippet);
  return isDeepStrictEqual(parseConfig(exactly, "json"), parseConfig(plainly, "json")) ? exactly : plainly;
}

/** Of several entries with the same key the last one. */
export function valueAt(root: unknown, [key, ...rest]: Pointer): unknown {
  if (key === undefined) return root;
  if (!isFields(root)) return undefined;
  const values = allFields(root).flatMap(([name, value]) => (name === key ? [valueAt(value, rest)] : []));
  return values.findLast((value) => value !== undefined);
}

/** A copy without the entry. Tables of TOML that become empty disappear with it, so empty parents are removed as well. */
function without(value: unknown, [key, ...rest]: Pointer): unknown {
  if (!isFields(value) || key === undefined || !Object.hasOwn(value, key)) return value;
  const { [key]: removed, ...others } = value as Fields;
  return rest.length === 0 ? others : { ...others, [key]: without(removed, rest) };
}

/** Empty objects are left out, because TOML does not need to write them. */
function plain(value: unknown): unknown {
  if (!isTable(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, plain(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => !isTable(each) || Object.keys(each).length > 0));
}

/** Dates of TOML are objects without fields. */
function isTable(value: unknown): value is Fields {
  return isFields(value) && !(value instanceof Date);
}
