import { COOKIES } from "./cookies.ts";
import { answerObjects, HEADERS } from "./document-answers.ts";
import { DOCUMENT_WORDS, TAG_WORDS } from "./document-introduction.ts";
import { type Json, schemaOf } from "./document-schema.ts";
import type { Operation } from "./operation.ts";
import type { Parameter, Parameters } from "./parameters.ts";
import { routeOf, SUPPORTED_VERSION } from "./router.ts";
import { SCOPES } from "./scopes.ts";
import { CSRF_HEADER } from "./web-session.ts";

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
    info: { title: "Gatehouse administration API", version: "1.0.0", description: DOCUMENT_WORDS },
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({
      name,
      description: TAG_WORDS[name],
    })),
    security: [{ apiToken: [] }, { webSession: [] }],
    paths,
    components: {
      securitySchemes: {
        apiToken: { type: "http", scheme: "bearer", description: `An API token. Scopes: ${SCOPES.join(", ")}` },
        webSession: {
          type: "apiKey",
          in: "cookie",
          name: `__Host-${COOKIES.session}`,
          description: `The browser of a person who is signed in; without \`__Host-\` where the address is not https. What changes something also needs the header \`${CSRF_HEADER}\`, from \`GET /api/me\``,
        },
      },
      headers: HEADERS,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operationObject(operation: Operation, schemas: Json): Json {
  const { id, tag, summary, description, scope, deprecated } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, scopeSentence(operation)].filter(Boolean).join("\n\n"),
    "x-required-scope": scope,
    ...(operation.callers === "people" ? { security: [{ webSession: [] }] } : {}),
    ...(deprecated ? { deprecated: true } : {}),
    parameters: [
      ...parameterObjects("path", operation.path),
      ...parameterObjects("query", operation.query),
      ...parameterObjects("header", operation.headers),
      versionHeader,
      ...(operation.kind === "write" && operation.route.startsWith("POST ") ? [idempotencyHeader] : []),
    ],
    ...requestBody(operation, schemas),
    responses: answerObjects(operation, schemas),
  };
}

function scopeSentence({ scope, callers }: Operation): string {
  if (callers === "people") {
    const rest = scope === "any" ? "" : `, with a role that includes \`${scope}\``;
    return `Only for people who are signed in${rest}: API tokens are refused.`;
  }
  return scope === "any" ? "Any valid API token will do." : `Requires the scope \`${scope}\`.`;
}

function requestBody(operation: Operation, schemas: Json): Json {
  const schema = operation.bodyDocument ?? operation.body;
  if (!schema) return {};
  const content = { "application/json": { schema: schemaOf(schema, schemas, "input") } };
  return { requestBody: { required: !operation.bodyIsOptional, content } };
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
