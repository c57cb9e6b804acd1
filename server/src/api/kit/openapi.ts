import { COOKIES } from "./cookies.ts";
import { answerObjects, HEADERS } from "./document-answers.ts";
import { API_DESCRIPTION, TAG_DESCRIPTIONS } from "./document-introduction.ts";
import { type Json, schemaOf } from "./document-schema.ts";
import type { Operation } from "./operation.ts";
import type { Parameter, Parameters } from "./parameters.ts";
import { routeOf, SUPPORTED_VERSION } from "./router.ts";
import { SCOPES } from "./scopes.ts";
import { ZIP } from "./send-download.ts";
import { CSRF_HEADER } from "./web-session.ts";

/** Generates the API document from the same declarations that the router uses, so the two cannot disagree. */
export function openApiDocument(operations: readonly Operation[]): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const { method, url } = routeOf(operation);
    paths[url] = { ...paths[url], [method.toLowerCase()]: operationObject(operation, schemas) };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Gatehouse administration API", version: "1.0.0", description: API_DESCRIPTION },
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({
      name,
      description: TAG_DESCRIPTIONS[name],
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
          description: `The browser session of a signed-in person; without \`__Host-\` if the URL is not https. Requests that change something also need the header \`${CSRF_HEADER}\`, from \`GET /api/me\``,
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
    ...SECURITY[operation.callers ?? "all"],
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

/** Only of operations with other callers than most. */
const SECURITY: Readonly<Record<"all" | NonNullable<Operation["callers"]>, Json>> = {
  all: {},
  people: { security: [{ webSession: [] }] },
  anyone: { security: [] },
  jwt: { security: [{ apiToken: [] }, {}] },
};

function scopeSentence({ scope, callers, isSigned }: Operation): string {
  if (isSigned) return "Requires no API token: the request is signed.";
  if (callers === "anyone") return "Requires no API token: the body contains the credential.";
  if (callers === "people") {
    const rest = scope === "any" ? "" : `, with a role that includes \`${scope}\``;
    return `Only for signed-in people${rest}: API tokens are rejected.`;
  }
  return scope === "any" ? "Requires any valid API token." : `Requires the scope \`${scope}\`.`;
}

function requestBody(operation: Operation, schemas: Json): Json {
  const schema = operation.bodyDocument ?? operation.body;
  if (!schema) return {};
  const content = {
    "application/json": { schema: schemaOf(schema, schemas, "input") },
    ...(operation.archive !== undefined && {
      [ZIP]: { schema: { type: "string", format: "binary", description: operation.archive } },
    }),
  };
  return { requestBody: { required: !operation.bodyIsOptional, content } };
}

const versionHeader = {
  name: "Service-API-Version",
  in: "header",
  required: false,
  description: "The API version to use; defaults to 1",
  schema: { type: "string", enum: [SUPPORTED_VERSION] },
};

const idempotencyHeader = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A request that repeats a key within 24 hours gets the stored response and is not run again",
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
