import { parseDocument } from "yaml";
import { addEarlierValues, allFields, type Fields } from "./parse-json.ts";

const MERGE_KEY = "<<";
/** As many as one file can contain servers. */
const MOST_MERGED = 1000;

/** Keys of `<<` count in addition to those of the object, because only some clients merge them. Throws if the text is not valid. */
export function parseYaml(source: string): unknown {
  // Several documents are an error at this log level, as for clients.
  const document = parseDocument(source, { schema: "core", merge: false, uniqueKeys: false, logLevel: "error" });
  if (document.errors.length > 0) throw new SyntaxError("Invalid YAML");
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  addMerged(value, new Set());
  return value;
}

/** Aliases can make a value part of itself, so each is visited once. */
function addMerged(value: unknown, visited: Set<unknown>): void {
  if (typeof value !== "object" || value === null || visited.has(value)) return;
  visited.add(value);
  for (const each of Object.values(value)) addMerged(each, visited);
  if (Array.isArray(value) || !Object.hasOwn(value, MERGE_KEY)) return;
  const fields = value as Fields;
  const merged = [fields[MERGE_KEY]].flat().flatMap((source) => (isObject(source) ? allFields(source) : []));
  addEarlierValues(fields, merged.slice(0, MOST_MERGED));
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
