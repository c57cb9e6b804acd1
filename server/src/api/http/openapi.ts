import { z } from "zod";
import type { Operation } from "./operation.ts";
import type { Parameter, Parameters } from "./parameters.ts";
import { routeOf, SUPPORTED_VERSION } from "./router.ts";
import { SCOPES } from "./scopes.ts";

type Json = Record<string, unknown>;

const ErrorBody = z.object({ error: z.string() }).meta({ id: "Error" });
const InvalidBody = z.object({ code: z.string(), message: z.string() }).meta({ id: "InvalidFormat" });

/** The API's description, from the operations' own declarations: it cannot say anything that the router does not do. */
export function openApiDocument(operations: readonly Operation[]): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const { method, url } = routeOf(operation);
    paths[url] = { ...paths[url], [method.toLowerCase()]: operationObject(operation, schemas) };
  }
  return {
    openapi: "3.0.3",
    info: {
      title: "Gatehouse administration API",
      version: "1.0.0",
      description: "Manages the MCP servers, groups, users and tokens of one organization.",
    },
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    security: [{ apiToken: [] }],
    paths,
    components: {
      securitySchemes: {
        apiToken: { type: "http", scheme: "bearer", description: `An API token. Scopes: ${SCOPES.join(", ")}` },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operationObject(operation: Operation, schemas: Json): Json {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: scopeSentence(operation),
    ...(operation.deprecated ? { deprecated: true } : {}),
    parameters: [
      ...parameterObjects("path", operation.path),
      ...parameterObjects("query", operation.query),
      ...parameterObjects("header", operation.headers),
      versionHeader,
      ...(operation.kind === "write" && operation.route.startsWith("POST ") ? [idempotencyHeader] : []),
    ],
    ...requestBody(operation, schemas),
    responses: responses(operation, schemas),
  };
}

function scopeSentence({ scope }: Operation): string {
  return scope === "any" ? "Any valid API token will do." : `Requires the scope \`${scope}\`.`;
}

function requestBody(operation: Operation, schemas: Json): Json {
  const schema = operation.bodyDocument ?? operation.body;
  if (!schema) return {};
  const required = !operation.bodyIsOptional;
  return { requestBody: { required, content: json(schemaOf(schema, schemas, "input")) } };
}

const versionHeader = {
  name: "Service-API-Version",
  in: "header",
  required: false,
  description: "The version of this API to use; without it, 1",
  schema: { type: "string", enum: [SUPPORTED_VERSION] },
};

const idempotencyHeader = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Within 24 hours, the same key with the same request is answered again and done once",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function parameterObjects(place: "path" | "query" | "header", parameters: Parameters | undefined): Json[] {
  return Object.entries(parameters ?? {}).map(([name, parameter]: [string, Parameter<unknown>]) => ({
    name,
    in: place,
    required: parameter.required,
    description: parameter.description,
    ...(parameter.deprecated ? { deprecated: true } : {}),
    schema: parameter.document,
  }));
}

function responses(operation: Operation, schemas: Json): Json {
  const all: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(operation.answers)) {
    all[status] = { description: "Done", content: json(schemaOf(schema, schemas, "output")) };
  }
  const error = json(schemaOf(ErrorBody, schemas, "output"));
  const invalid = json({ oneOf: [schemaOf(InvalidBody, schemas, "output"), schemaOf(ErrorBody, schemas, "output")] });
  all["400"] = { description: "Something in the request is not as it must be", content: invalid };
  all["401"] = { description: "No API token, or one that is not valid", content: error };
  all["403"] = { description: "The token does not allow this", content: error };
  if (operation.refusals.includes(404)) all["404"] = { description: "There is no such target", content: error };
  if (operation.refusals.includes(409) || (operation.kind === "write" && operation.route.startsWith("POST "))) {
    all["409"] = {
      description: "The Idempotency-Key was used with another request",
      content: json(schemaOf(InvalidBody, schemas, "output")),
    };
  }
  // A body is read where none is asked for, too.
  if (!operation.route.startsWith("GET ")) {
    all["413"] = { description: "The body is too large", content: error };
    all["415"] = { description: "The body is not JSON", content: error };
  }
  all["500"] = { description: operation.onCrash, content: error };
  return all;
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

/** Schemas with an id become components; zod puts them under `definitions`. */
function schemaOf(schema: z.ZodType, schemas: Json, io: "input" | "output"): Json {
  const converted = z.toJSONSchema(schema, {
    target: "openapi-3.0",
    io,
    reused: "inline",
    unrepresentable: "any",
  }) as Json;
  const {
    definitions,
    $schema: _dialect,
    id,
    ...rest
  } = moved(converted) as Json & { definitions?: Json; id?: string };
  for (const [name, definition] of Object.entries(definitions ?? {})) schemas[name] = withoutId(definition as Json);
  if (id === undefined) return rest;
  schemas[id] = rest;
  return { $ref: `#/components/schemas/${id}` };
}

function withoutId({ id: _id, ...schema }: Json): Json {
  return schema;
}

function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      name === "$ref" && typeof entry === "string"
        ? entry.replace("#/definitions/", "#/components/schemas/")
        : moved(entry),
    ]),
  );
}
