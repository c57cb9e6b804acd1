import { type DocumentOperation, nameOf, resolved, type Schema, type Schemas, schemaIn } from "./document.ts";

const BY_FORMAT: Readonly<Record<string, string>> = {
  "date-time": "2027-01-31T09:30:00Z",
  email: "ada@example.com",
  uri: "https://example.com",
};
/** Deeper than any schema of the API; ends the recursion of a schema that contains itself. */
const DEEPEST = 8;

/** The schema's example, or one assembled from its parts. */
export function exampleOf(schema: Schema, schemas: Schemas, way: "request" | "answer", depth = 0): unknown {
  const whole = resolved(schema, schemas);
  const { example, enum: values, oneOf, anyOf } = whole;
  if (example !== undefined) return example;
  if (values) return values[0];
  const variant = (oneOf ?? anyOf)?.[0];
  if (variant && depth < DEEPEST) return exampleOf(variant, schemas, way, depth + 1);
  if (whole.properties && depth < DEEPEST) return objectExample(whole, schemas, way, depth);
  if (whole.type === "array")
    return whole.items && depth < DEEPEST ? [exampleOf(whole.items, schemas, way, depth + 1)] : [];
  return plainExample(whole);
}

/** Includes required fields and, in responses, fields with an example; all fields if none is required. */
function objectExample(schema: Schema, schemas: Schemas, way: "request" | "answer", depth: number): unknown {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).filter(([, field]) => way === "request" || !field.writeOnly);
  const must = fields.filter(
    ([name, field]) => required.includes(name) || (way === "answer" && resolved(field, schemas).example !== undefined),
  );
  const shown = way === "answer" && required.length === 0 ? fields : must;
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, schemas, way, depth + 1)]));
}

function plainExample({ type, format, default: fallback, minimum }: Schema): unknown {
  if (fallback !== undefined) return fallback;
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "object") return {};
  return BY_FORMAT[format ?? ""] ?? "string";
}

/** The operation as a curl command, with example parameters and the token in `$TOKEN`. */
export function curlOf(
  { method, path, operation }: { method: string; path: string; operation: DocumentOperation },
  schemas: Schemas,
  baseUrl: string,
): string {
  const shown = (name: string, schema: Schema) => String(exampleOf(namedExample(name, schema), schemas, "request"));
  const required = operation.parameters.filter((parameter) => parameter.required);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = required.find((each) => each.in === "path" && each.name === name);
    return encodeURIComponent(shown(name, parameter?.schema ?? {}));
  });
  const query = required
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => `${name}=${encodeURIComponent(shown(name, schema)).replaceAll("%40", "@")}`);
  const url = `${baseUrl}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`;
  const body = operation.requestBody && schemaIn(operation.requestBody);
  return [
    `curl ${quoted(url)}`,
    ...(method === "GET" || (method === "POST" && body) ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body
      ? [
          `-H "Content-Type: application/json"`,
          `-d ${quoted(JSON.stringify(exampleOf(body, schemas, "request"), null, 2))}`,
        ]
      : []),
  ].join(" \\\n  ");
}

/** A parameter without an example is shown by its name. */
function namedExample(name: string, schema: Schema): Schema {
  const says = [schema.example, schema.enum, schema.default].some((each) => each !== undefined) || nameOf(schema);
  return says || schema.type !== "string" || schema.format ? schema : { ...schema, example: name.toUpperCase() };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
