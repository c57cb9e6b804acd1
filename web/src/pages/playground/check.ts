import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { isObject, stringifyExact } from "#openapi/json";

export interface Problem {
  /** A JSON pointer: "" is the root, "/labels/0" a member. */
  readonly path: string;
  readonly message: string;
}

/** Keywords whose errors only repeat the error of a member. */
const CONTAINERS = new Set([
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

/** Validates a value. Undefined: the schema is not usable. */
export function problemsOf(schema: unknown, value: unknown): readonly Problem[] | undefined {
  if (!isObject(schema)) return undefined;
  try {
    const { errors } = new Validator(schema as Schema, draftOf(schema), false).validate(asDoubles(value));
    const choices = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
    const inChoice = (location: string) =>
      choices.some(({ keywordLocation }) => location.startsWith(`${keywordLocation}/`));
    return errors
      .filter(({ keyword, keywordLocation }) => !CONTAINERS.has(keyword) && !inChoice(keywordLocation))
      .map(({ keyword, instanceLocation, error }) => problemOf(keyword, instanceLocation.replace(/^#/, ""), error));
  } catch {
    // An unresolvable reference or invalid pattern; the server validates anyway.
    return undefined;
  }
}

/** The validator only supports doubles. The lost digits of large numbers do not affect validation. */
function asDoubles(value: unknown): unknown {
  const text = stringifyExact(value);
  return text === undefined ? undefined : JSON.parse(text);
}

function problemOf(keyword: string, path: string, error: string): Problem {
  if (keyword === "required") {
    const [, name = ""] = /"(.*)"\.?$/s.exec(error) ?? [];
    return { path: `${path}/${name}`, message: "Required" };
  }
  if (keyword === "anyOf" || keyword === "oneOf") return { path, message: "Matches none of the allowed types" };
  return { path, message: error };
}

function draftOf({ $schema }: { readonly [keyword: string]: unknown }): SchemaDraft {
  const name = typeof $schema === "string" ? $schema : "";
  if (name.includes("draft-04")) return "4";
  if (name.includes("draft-06") || name.includes("draft-07")) return "7";
  return name.includes("2019-09") ? "2019-09" : "2020-12";
}

/**
 * Removes patterns from an output schema: a server that controls both the pattern and the text could block the page with
 * catastrophic backtracking.
 */
export function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !(keyword === "patternProperties" || (keyword === "pattern" && typeof value === "string")),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withoutPatterns(value)]));
}
