import { format as formats, type Schema, Validator } from "@cfworker/json-schema";
import { isObject } from "#lib/is-object";
import type { JsonSchemaConfig } from "../definition.ts";
import { compilePattern } from "./regex.ts";

const MAX_SCHEMA_BYTES = 64 * 1024;

/** Where the value does not match: paths such as `items.0.name`, the most specific ones. Empty: it matches. */
export type SchemaCheck = (value: unknown) => readonly string[];

type Formats = Record<string, (value: string) => boolean>;

/**
 * Compiles a schema of an admin; returns the reason as text if it is not usable. The validator would run `pattern` on V8,
 * where it can take exponential time, so patterns become formats that run on RE2. Standard formats are annotations.
 */
export function compileSchema(schema: JsonSchemaConfig["schema"]): SchemaCheck | string {
  if (JSON.stringify(schema).length > MAX_SCHEMA_BYTES) return "must not be larger than 64 KiB";
  const patterns: Formats = {};
  const prepared = prepare(schema, patterns);
  if (typeof prepared === "string") return prepared;
  try {
    // The type of the library has no index signature; the value is a JSON object or a boolean.
    const validator = new Validator(prepared.schema as Schema | boolean, "2020-12", false);
    const check = createCheck(validator, patterns);
    // Reports references that lead nowhere or in a circle, as far as an example reaches them.
    check(null);
    check({});
    check([]);
    check("");
    return check;
  } catch (error) {
    return error instanceof Error ? (error.message.split("\n")[0] ?? "is not valid") : "is not valid";
  }
}

function createCheck(validator: Validator, patterns: Formats): SchemaCheck {
  return (value) => {
    // The library has one table of formats. Validation is synchronous, so ours are in it only meanwhile.
    Object.assign(formats, patterns);
    try {
      const { valid, errors } = validator.validate(value);
      return valid ? [] : mostSpecific(errors.map(({ instanceLocation }) => toPath(instanceLocation)));
    } finally {
      for (const name of Object.keys(patterns)) delete formats[name];
    }
  };
}

/** An error is also reported at every parent. */
function mostSpecific(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter(
    (path) => !unique.some((other) => other !== path && (path === "" || other.startsWith(`${path}.`))),
  );
}

function toPath(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["const", "enum", "default", "examples", "required", "$comment", "title", "description"]);
/** Keywords whose values map names to schemas. */
const MAPS = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

function prepare(schema: unknown, patterns: Formats): { readonly schema: unknown } | string {
  if (Array.isArray(schema))
    return prepareAll(schema.entries(), patterns, (entries) => entries.map(([, value]) => value));
  if (!isObject(schema)) return { schema };
  if ("patternProperties" in schema) return "patternProperties is not supported";
  if (typeof schema.$ref === "string" && !schema.$ref.startsWith("#")) return "$ref must start with #";
  const { pattern, format: _annotation, ...rest } = schema;
  const prepared = prepareAll(Object.entries(rest), patterns, Object.fromEntries);
  if (typeof prepared === "string" || pattern === undefined) return prepared;
  if (typeof pattern !== "string") return "pattern must be a string";
  const compiled = compilePattern(pattern);
  if (typeof compiled === "string") return `pattern must be a valid regular expression: ${compiled}`;
  patterns[`re2:${pattern}`] = (value) => compiled.test(value);
  return { schema: { ...(prepared.schema as object), format: `re2:${pattern}` } };
}

function prepareAll<Key>(
  entries: Iterable<readonly [Key, unknown]>,
  patterns: Formats,
  join: (entries: [Key, unknown][]) => unknown,
): { readonly schema: unknown } | string {
  const prepared: [Key, unknown][] = [];
  for (const [key, value] of entries) {
    const inner = prepareMember(String(key), value, patterns);
    if (typeof inner === "string") return inner;
    prepared.push([key, inner.schema]);
  }
  return { schema: join(prepared) };
}

function prepareMember(key: string, value: unknown, patterns: Formats): { readonly schema: unknown } | string {
  if (DATA.has(key)) return { schema: value };
  if (!MAPS.has(key) || !isObject(value)) return prepare(value, patterns);
  const members: [string, unknown][] = [];
  for (const [name, schema] of Object.entries(value)) {
    const inner = prepare(schema, patterns);
    if (typeof inner === "string") return inner;
    members.push([name, inner.schema]);
  }
  return { schema: Object.fromEntries(members) };
}
