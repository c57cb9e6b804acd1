import { isObject } from "#openapi/json";
/** The part of a JSON schema that the form supports. The rest is edited as JSON. */
export type Field = FieldShape & {
  readonly description: string | undefined;
  readonly isNullable: boolean;
  readonly fallback: unknown;
};

type FieldShape =
  | { readonly kind: "text"; readonly isLong: boolean; readonly format: string | undefined }
  | { readonly kind: "number"; readonly isInteger: boolean }
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly options: readonly unknown[] }
  | { readonly kind: "const"; readonly value: unknown }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "list"; readonly item: Field }
  | { readonly kind: "variants"; readonly variants: ReadonlyArray<{ readonly label: string; readonly field: Field }> }
  | { readonly kind: "json" };

export interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly field: Field;
}

type Schema = { readonly [keyword: string]: unknown };

/** Deeper and recursive schemas are edited as JSON. */
const MAX_DEPTH = 6;
const LONG_TEXT = 200;

export function readSchema(schema: unknown): Field {
  const root = isObject(schema) ? schema : {};
  return fieldOf(root, root, 0);
}

function fieldOf(given: unknown, root: Schema, depth: number): Field {
  const schema = isObject(given) ? resolved(given, root) : {};
  const { shape, isNullable } =
    depth > MAX_DEPTH ? { shape: JSON_SHAPE, isNullable: false } : shapeOf(schema, root, depth);
  const description = typeof schema.description === "string" ? schema.description : undefined;
  return { ...shape, description, isNullable, fallback: schema.default };
}

const JSON_SHAPE: FieldShape = { kind: "json" };

function shapeOf(schema: Schema, root: Schema, depth: number): { shape: FieldShape; isNullable: boolean } {
  if ("const" in schema) return { shape: { kind: "const", value: schema.const }, isNullable: false };
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives) && !isObject(schema.properties)) return ofAlternatives(alternatives, root, depth);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const isNullable = types.includes("null") || (Array.isArray(schema.enum) && schema.enum.includes(null));
  const [type, ...more] = types.filter((each) => each !== "null");
  if (Array.isArray(schema.enum)) {
    return { shape: { kind: "choice", options: schema.enum.filter((each) => each !== null) }, isNullable };
  }
  if (more.length > 0) return { shape: JSON_SHAPE, isNullable: false };
  return { shape: ofType(type, schema, root, depth), isNullable };
}

function ofAlternatives(
  alternatives: readonly unknown[],
  root: Schema,
  depth: number,
): { shape: FieldShape; isNullable: boolean } {
  const read = alternatives.map((each) => (isObject(each) ? resolved(each, root) : {}));
  const kept = read.filter((each) => each.type !== "null");
  const isNullable = kept.length < read.length;
  const [only] = kept;
  if (kept.length === 1 && only) return { shape: fieldOf(only, root, depth + 1), isNullable };
  const constants = kept.filter((each) => "const" in each);
  if (kept.length > 0 && constants.length === kept.length) {
    return { shape: { kind: "choice", options: constants.map((each) => each.const) }, isNullable };
  }
  const variants = kept.map((each, at) => ({ label: variantLabel(each, at), field: fieldOf(each, root, depth + 1) }));
  return { shape: variants.length === 0 ? JSON_SHAPE : { kind: "variants", variants }, isNullable };
}

/** The title, the discriminating constant, or the type of a variant. */
function variantLabel(schema: Schema, at: number): string {
  if (typeof schema.title === "string") return schema.title;
  const members = isObject(schema.properties) ? Object.values(schema.properties) : [];
  const constant = members.find((member) => isObject(member) && typeof member.const === "string");
  if (isObject(constant)) return String(constant.const);
  return typeof schema.type === "string" ? schema.type : `Choice ${at + 1}`;
}

function ofType(type: unknown, schema: Schema, root: Schema, depth: number): FieldShape {
  if (type === "string") return ofText(schema);
  if (type === "number" || type === "integer") return { kind: "number", isInteger: type === "integer" };
  if (type === "boolean") return { kind: "boolean" };
  if (type === "array" && isObject(schema.items)) {
    return { kind: "list", item: fieldOf(schema.items, root, depth + 1) };
  }
  if (type !== "object" && type !== undefined) return JSON_SHAPE;
  if (isObject(schema.properties)) return ofProperties(schema.properties, schema.required, root, depth);
  // An object without properties at the root: a tool without arguments.
  return depth === 0 ? { kind: "object", members: [] } : JSON_SHAPE;
}

function ofText({ format, maxLength }: Schema): FieldShape {
  const isLong = typeof maxLength === "number" && maxLength > LONG_TEXT;
  return { kind: "text", isLong, format: typeof format === "string" ? format : undefined };
}

function ofProperties(properties: Schema, required: unknown, root: Schema, depth: number): FieldShape {
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    isRequired: Array.isArray(required) && required.includes(name),
    field: fieldOf(member, root, depth + 1),
  }));
  return { kind: "object", members };
}

const MAX_STEPS = 10;

/** Follows references within the schema. Keywords next to the reference take precedence. */
function resolved(given: Schema, root: Schema): Schema {
  let schema = given;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { $ref, ...siblings } = schema;
    if (typeof $ref !== "string" || !$ref.startsWith("#")) return mergedAllOf(schema, root);
    const target = $ref
      .slice(1)
      .split("/")
      .slice(1)
      .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
    if (!isObject(target)) return siblings;
    schema = { ...target, ...siblings };
  }
  return {};
}

/** An `allOf` with one entry is a common way to add a description to a reference. */
function mergedAllOf(schema: Schema, root: Schema): Schema {
  const { allOf, ...rest } = schema;
  const [only, ...more] = Array.isArray(allOf) ? allOf : [];
  return isObject(only) && more.length === 0 ? { ...resolved(only, root), ...rest } : schema;
}

/** The initial value of a form: the schema's defaults. */
export function startValue(field: Field, isRequired: boolean): unknown {
  if (field.fallback !== undefined) return field.fallback;
  if (field.kind === "const") return field.value;
  if (field.kind !== "object") return undefined;
  const given = field.members.flatMap(({ name, field: member, isRequired: isNeeded }) => {
    const value = member.kind === "const" && !isNeeded ? undefined : startValue(member, isNeeded);
    return value === undefined ? [] : [[name, value] as const];
  });
  return isRequired || given.length > 0 ? fromEntries(given) : undefined;
}

/** The variant that matches a value, or the first. */
export function variantOf(variants: ReadonlyArray<{ readonly field: Field }>, value: unknown): number {
  const found = variants.findIndex(({ field }) => fits(field, value));
  return Math.max(0, found);
}

function fits(field: Field, value: unknown): boolean {
  if (field.kind === "text") return typeof value === "string";
  if (field.kind === "number") return typeof value === "number" || typeof value === "bigint";
  if (field.kind === "boolean") return typeof value === "boolean";
  if (field.kind === "list") return Array.isArray(value);
  if (field.kind === "const") return value === field.value;
  if (field.kind === "choice") return field.options.includes(value);
  if (field.kind !== "object" || !isObject(value)) return false;
  return field.members.every(
    ({ name, field: member, isRequired }) =>
      (member.kind !== "const" || value[name] === member.value) && (!isRequired || name in value),
  );
}

/** Supports names like `__proto__`, which an object literal would treat specially. */
export function fromEntries(entries: Iterable<readonly [string, unknown]>): { [name: string]: unknown } {
  return Object.fromEntries(entries);
}
