import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";

/** Checks values of a toolkit with the schema of the property, as far as that is safe: upstreams write the schemas. */

type JsonObject = Record<string, unknown>;

export interface InputSchema {
  readonly properties: JsonObject;
  readonly required: ReadonlySet<string>;
  readonly root: JsonObject;
}

/** Of a tool's definition, as JSON text. */
export function inputSchemaOf(definition: string): InputSchema {
  const { inputSchema }: { inputSchema?: unknown } = JSON.parse(definition);
  const root = isObject(inputSchema) ? inputSchema : {};
  const { properties, required }: { properties?: unknown; required?: unknown } = root;
  const names: unknown[] = Array.isArray(required) ? required : [];
  return {
    root,
    properties: isObject(properties) ? properties : {},
    required: new Set(names.filter((name) => typeof name === "string")),
  };
}

/** Members that decide nothing about a single property. References can lead into the others. */
const KEPT = ["$schema", "$defs", "definitions", "properties"];
const MAX_SCHEMAS = 2_000;

/** Why the value does not match the property's schema; undefined: it does, or nothing is known about it. */
export function checkValue({ root, properties }: InputSchema, name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(properties, name)) return undefined;
  try {
    const kept = Object.entries(root).filter(([key]) => KEPT.includes(key));
    const schema = withoutPatterns(Object.fromEntries(kept));
    if (!isObject(schema)) return undefined;
    const property = targetOf(schema, `#/properties/${pointerPart(name)}`);
    if (countSchemas(schema, property, new Map()) > MAX_SCHEMAS) return undefined;
    const { valid, errors } = new Validator(schema as Schema, "2020-12").validate({ [name]: value });
    return valid ? undefined : reasonOf(errors);
  } catch {
    // An invalid schema, for example with a reference to nothing. The server still checks its arguments.
    return undefined;
  }
}

/** Keywords whose values map names to schemas. */
const SCHEMA_MAPS = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
/** A pattern can take arbitrarily long, and formats are only annotations. */
const OMITTED = new Set(["pattern", "patternProperties", "propertyNames", "format", "$id", "$anchor", "$recursiveRef"]);
/** Values, not schemas. */
const LITERALS = new Set(["const", "enum", "default", "examples", "required"]);

function withoutPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (OMITTED.has(key)) return [];
    if (LITERALS.has(key)) return [[key, value]];
    if (!SCHEMA_MAPS.has(key) || !isObject(value)) return [[key, withoutPatterns(value)]];
    return [[key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutPatterns(each)]))]];
  });
  return Object.fromEntries(members);
}

/** How many schemas an evaluation can visit: references count as what they lead to, and circular ones as infinite. */
function countSchemas(root: JsonObject, schema: unknown, counted: Map<unknown, number>): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const known = counted.get(schema);
  if (known !== undefined) return known;
  counted.set(schema, Number.POSITIVE_INFINITY);
  let count = 1;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$ref") count += countSchemas(root, targetOf(root, value), counted);
    else if (!LITERALS.has(key)) count += countSchemas(root, value, counted);
  }
  counted.set(schema, count);
  return count;
}

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function targetOf(root: JsonObject, reference: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return target;
}

/** Of the innermost error that comes first. */
function reasonOf(errors: readonly OutputUnit[]): string {
  const first = errors.find(({ keyword }) => !WRAPPERS.has(keyword)) ?? errors[0];
  if (!first) return "does not match the schema of the tool";
  const { keyword, error, instanceLocation: at } = first;
  const inside = at.split("/").slice(2).join("/");
  const place = inside === "" ? "" : ` (at ${inside})`;
  if (keyword === "type") {
    const alike = errors.filter((each) => each.keyword === "type" && each.instanceLocation === at);
    return `must be ${[...new Set(alike.flatMap(expectedTypes))].join(" or ")}${place}`;
  }
  if (keyword === "enum") return `must be one of the allowed values${place}`;
  return `does not match the schema of the tool: ${error}${place}`;
}

function expectedTypes({ error }: OutputUnit): string[] {
  return /Expected "(.*)"\.$/.exec(error)?.[1]?.split('", "') ?? [];
}

const WRAPPERS = new Set(["properties", "$ref", "allOf", "anyOf", "oneOf", "items", "additionalProperties"]);

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
