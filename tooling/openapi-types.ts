/** Generates TypeScript from the API document: its schemas, and the request and response of each operation. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly deprecated?: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly deprecated?: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Member {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
}

const PLACES = { path: "path", query: "query", header: "headers" };
/** The client sends it automatically. */
const VERSION_HEADER = "Service-API-Version";

export function typesOf(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
  );
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    description: schema.description,
  }));
  const routes = operations.map(({ route, operation }) => `  ${operation.operationId}: "${route}",`);
  return [
    "// Made by `npm run openapi` from the operations' declarations. An optional member may also be undefined: it is not sent.",
    `export interface Schemas ${objectType(schemas)}`,
    `export interface Operations ${objectType(operations.map(({ operation }) => operationMember(operation)))}`,
    `export const ROUTES = {\n${routes.join("\n")}\n} as const satisfies Readonly<Record<keyof Operations, string>>;\n`,
  ].join("\n\n");
}

function operationMember(operation: OperationObject): Member {
  const places = Object.entries(PLACES).map(([place, name]) => {
    const parameters = operation.parameters.filter((each) => each.in === place && each.name !== VERSION_HEADER);
    const members = parameters.map((parameter) => ({
      name: parameter.name,
      type: typeOf(parameter.schema),
      optional: !parameter.required,
      description: parameter.description,
      deprecated: parameter.deprecated,
    }));
    return { name, members };
  });
  const request: Member[] = places
    .filter(({ members }) => members.length > 0)
    .map(({ name, members }) => ({
      name,
      type: objectType(members),
      optional: members.every((member) => member.optional),
    }));
  const { requestBody, responses } = operation;
  if (requestBody) request.push({ name: "body", type: jsonType(requestBody), optional: requestBody.required !== true });
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const answer = [...new Set(answers.map(([, response]) => jsonType(response)))].join(" | ");
  return {
    name: operation.operationId,
    type: objectType([
      { name: "request", type: objectType(request) },
      { name: "answer", type: answer },
    ]),
    description: operation.summary,
    deprecated: operation.deprecated,
  };
}

/** Undefined without a JSON body. */
function jsonType({ content }: Content): string {
  const schema = content?.["application/json"]?.schema;
  return schema ? typeOf(schema) : "undefined";
}

export function typeOf(schema: Schema): string {
  const type = plainType(schema);
  return schema.nullable ? `${type} | null` : type;
}

function plainType(schema: Schema): string {
  if (schema.$ref) return `Schemas["${schema.$ref.replace("#/components/schemas/", "")}"]`;
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null || !schema.nullable);
    return values.map((value) => JSON.stringify(value)).join(" | ");
  }
  if (schema.allOf?.length === 1) return schema.allOf.map(typeOf).join();
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each)})`).join(" & ");
  const union = schema.oneOf ?? schema.anyOf;
  if (union) return [...new Set(union.map(typeOf))].join(" | ");
  if (schema.not) return "never";
  switch (schema.type) {
    case undefined:
      return "unknown";
    case "string":
    case "boolean":
    case "number":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {})}>`;
    case "object":
      return objectSchemaType(schema);
    default:
      throw new Error(`OpenAPI 3.0 has no type "${schema.type}"`);
  }
}

function objectSchemaType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    optional: !required.includes(name),
    description: schema.description,
    deprecated: schema.deprecated,
  }));
  const others = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
  const record = `Readonly<Record<string, ${others}>>`;
  if (members.length === 0) return record;
  return typeof additionalProperties === "object" ? `${objectType(members)} & ${record}` : objectType(members);
}

function objectType(members: readonly Member[]): string {
  if (members.length === 0) return "Readonly<Record<never, never>>";
  const lines = members.flatMap((member) => [
    ...comment(member),
    `readonly ${key(member.name)}${member.optional ? "?" : ""}: ${member.type}${member.optional ? " | undefined" : ""};`,
  ]);
  return `{\n${lines.map((line) => line.replace(/^/gm, "  ")).join("\n")}\n}`;
}

function comment({ description, deprecated }: Member): string[] {
  const text = [description, deprecated ? "@deprecated" : undefined].filter((part) => part !== undefined).join(" ");
  return text === "" ? [] : [`/** ${text.replaceAll("*/", "*\\/").replace(/\s+/g, " ")} */`];
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
