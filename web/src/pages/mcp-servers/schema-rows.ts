import { isObject } from "#openapi/json";

/** One property of a JSON Schema, for a tree. */
export interface SchemaRow {
  readonly name: string;
  /** "string", "array of string", "string or null" */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** Values of `enum` or `const`, as JSON. */
  readonly values: readonly string[];
  /** As JSON. */
  readonly fallback: string | undefined;
  readonly rows: readonly SchemaRow[];
}

type Schema = { readonly [keyword: string]: unknown };

/** Limits recursive schemas. */
const MAX_DEPTH = 6;

/** The properties of an object schema. Local references are resolved. */
export function schemaRows(schema: unknown): readonly SchemaRow[] {
  const root = isObject(schema) ? schema : {};
  return rowsOf(root, root, 0);
}

function rowsOf(schema: Schema, root: Schema, depth: number): readonly SchemaRow[] {
  const { properties } = schema;
  if (!isObject(properties) || depth >= MAX_DEPTH) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, given]) => {
    const property = resolve(given, root);
    const values = Array.isArray(property.enum) ? property.enum : "const" in property ? [property.const] : [];
    return {
      name,
      type: typeOf(property, root, 0),
      isRequired: required.includes(name),
      description: typeof property.description === "string" ? property.description : undefined,
      values: values.map(asJson),
      fallback: "default" in property ? asJson(property.default) : undefined,
      rows: nestedRows(property, root, depth + 1),
    };
  });
}

/** The properties of the object itself, of the items of an array, and of alternatives. */
function nestedRows(property: Schema, root: Schema, depth: number): readonly SchemaRow[] {
  if (isObject(property.properties)) return rowsOf(property, root, depth);
  if (isObject(property.items)) return nestedRows(resolve(property.items, root), root, depth);
  return alternativesOf(property).flatMap((each) => nestedRows(resolve(each, root), root, depth));
}

function typeOf(schema: Schema, root: Schema, depth: number): string {
  if (depth > MAX_DEPTH) return "any";
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map((each) => typeOf(resolve(each, root), root, depth + 1)))].join(" or ");
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? (schema.properties ? "object" : undefined)];
  return types.map((type) => nameOfType(type, schema, root, depth)).join(" or ");
}

function nameOfType(type: unknown, schema: Schema, root: Schema, depth: number): string {
  if (type === "array" && isObject(schema.items))
    return `array of ${typeOf(resolve(schema.items, root), root, depth + 1)}`;
  if (typeof type !== "string") return Array.isArray(schema.enum) || "const" in schema ? "enum" : "any";
  return typeof schema.format === "string" && type === "string" ? `${type} (${schema.format})` : type;
}

function alternativesOf(schema: Schema): readonly unknown[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  return Array.isArray(alternatives) ? alternatives : [];
}

function resolve(given: unknown, root: Schema): Schema {
  if (!isObject(given)) return {};
  const { $ref: reference, ...rest } = given;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return given;
  let found: unknown = root;
  for (const key of reference.slice(2).split("/")) {
    found = isObject(found) ? found[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isObject(found) ? { ...found, ...rest } : rest;
}

function asJson(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
