import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { isObject, stringifyExact } from "#openapi/json";

export interface Fault {
  /** A JSON pointer: "" is the whole, "/labels/0" a part. */
  readonly path: string;
  readonly message: string;
}

/** These only say that something inside them is wrong, which is told by itself. */
const OUTER = new Set([
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "$ref",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);

/** What the schema says against it; undefined: the schema itself cannot be used. */
export function faultsOf(schema: unknown, value: unknown): readonly Fault[] | undefined {
  if (!isObject(schema)) return undefined;
  try {
    const { errors } = new Validator(schema as Schema, draftOf(schema), false).validate(asDoubles(value));
    const choices = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
    const inChoice = (location: string) =>
      choices.some(({ keywordLocation }) => location.startsWith(`${keywordLocation}/`));
    return errors
      .filter(({ keyword, keywordLocation }) => !OUTER.has(keyword) && !inChoice(keywordLocation))
      .map(({ keyword, instanceLocation, error }) => faultOf(keyword, instanceLocation.replace(/^#/, ""), error));
  } catch {
    // A reference that leads nowhere, a pattern that is none: its server judges anyway.
    return undefined;
  }
}

/** Schemas are checked with ordinary numbers: that the last digits of a large one differ is nothing to any of them. */
function asDoubles(value: unknown): unknown {
  const text = stringifyExact(value);
  return text === undefined ? undefined : JSON.parse(text);
}

function faultOf(keyword: string, path: string, error: string): Fault {
  if (keyword === "required") {
    const [, name = ""] = /"(.*)"\.?$/s.exec(error) ?? [];
    return { path: `${path}/${name}`, message: "Is required" };
  }
  if (keyword === "anyOf" || keyword === "oneOf") return { path, message: "Is none of what is allowed here" };
  return { path, message: error };
}

function draftOf({ $schema }: { readonly [keyword: string]: unknown }): SchemaDraft {
  const name = typeof $schema === "string" ? $schema : "";
  if (name.includes("draft-04")) return "4";
  if (name.includes("draft-06") || name.includes("draft-07")) return "7";
  return name.includes("2019-09") ? "2019-09" : "2020-12";
}

/**
 * Without patterns: a server that writes both the pattern and the text could make this page search for ever. For what
 * comes back; what somebody typed is their own.
 */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !(keyword === "patternProperties" || (keyword === "pattern" && typeof value === "string")),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withoutPatterns(value)]));
}
