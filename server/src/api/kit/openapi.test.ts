import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { z } from "zod";
import { operations } from "#api/operations";
import { onSqliteApi } from "#test/api";
import { schemaOf } from "./document-schema.ts";
import { openApiDocument } from "./openapi.ts";
import { routeOf } from "./router.ts";
import { SCOPES } from "./scopes.ts";

// biome-ignore lint/suspicious/noExplicitAny: the test reads the document at every depth
type Document = any;
const COMMITTED = new URL("../../../../openapi/admin.openapi.json", import.meta.url);

describe("the API document", () => {
  const document: Document = openApiDocument(operations);
  const entryOf = (id: string) => {
    const operation = operations.find((each) => each.id === id);
    assert.ok(operation, id);
    const { method, url } = routeOf(operation);
    return document.paths[url][method.toLowerCase()];
  };

  it("matches the committed file", () => {
    assert.equal(readFileSync(COMMITTED, "utf8"), `${JSON.stringify(document, null, 2)}\n`);
  });

  it("is OpenAPI 3.0.3, version 1.0.0 (Spec 1)", () => {
    assert.deepEqual([document.openapi, document.info.version], ["3.0.3", "1.0.0"]);
  });

  it("is valid according to the OpenAPI schema", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors, null, 2));
  });

  it("lists every operation under its route, with its id, tag and scope", () => {
    const count = Object.values(document.paths).reduce((sum: number, path) => sum + Object.keys(path ?? {}).length, 0);
    assert.equal(count, operations.length);
    assert.equal(new Set(operations.map((operation) => operation.id)).size, operations.length);
    for (const operation of operations) {
      const entry = entryOf(operation.id);
      assert.equal(entry.operationId, operation.id);
      assert.deepEqual(entry.tags, [operation.tag]);
      assert.ok(document.tags.some((tag: { name: string }) => tag.name === operation.tag));
      const { scope, callers } = operation;
      const sentences = { people: "Only for signed-in people", anyone: "Requires no API token", jwt: undefined };
      const expected = (callers && sentences[callers]) ?? (scope === "any" ? "any valid API token" : `\`${scope}\``);
      assert.ok(entry.description.includes(expected), operation.id);
      const security = { people: [{ webSession: [] }], anyone: [], jwt: [{ apiToken: [] }, {}] };
      assert.deepEqual(entry.security, callers && security[callers]);
      assert.equal(entry["x-required-scope"], scope);
      for (const status of ["400", "401", "403", "500", ...Object.keys(operation.answers)]) {
        assert.ok(entry.responses[status]?.content["application/json"].schema, `${operation.id} ${status}`);
      }
      assert.equal("requestBody" in entry, operation.body !== undefined, operation.id);
    }
  });

  it("offers exactly the scopes that an operation requires", () => {
    // The others are required for parts of operations (decisions 0009 and 0043), and for SCIM.
    const required = new Set([...operations.map(({ scope }) => scope), "all", "logs:payloads", "admin:scim"]);
    assert.deepEqual(
      SCOPES.filter((scope) => required.has(scope)),
      SCOPES,
    );
    for (const scope of SCOPES) assert.ok(JSON.stringify(document).includes(`"${scope}"`), scope);
  });

  it("declares each parameter of a path exactly once", () => {
    for (const [path, methods] of Object.entries<Record<string, Document>>(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const entry of Object.values(methods)) {
        const declared = entry.parameters.filter((parameter: Document) => parameter.in === "path");
        assert.deepEqual(
          declared.map((parameter: Document) => parameter.name),
          inPath,
          path,
        );
        assert.ok(declared.every((parameter: Document) => parameter.required === true));
        const names = entry.parameters.map((parameter: Document) => `${parameter.in} ${parameter.name.toLowerCase()}`);
        assert.equal(new Set(names).size, names.length, path);
        assert.ok(names.includes("header service-api-version"), path);
      }
    }
  });

  it("has no broken references, no unused schemas, and no keywords beyond OpenAPI 3.0", () => {
    const references = new Set<string>();
    walk(document, (name, value) => {
      if (name === "$ref") references.add(String(value));
      assert.ok(!["$defs", "definitions", "$schema", "const", "$id"].includes(name), name);
      // A list of types is OpenAPI 3.1; an object is a property with the name "type".
      if (name === "type") assert.ok(!Array.isArray(value));
    });
    const components = ["schemas", "headers"].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    assert.deepEqual([...references].sort(), components.sort());
  });

  it("marks secrets as write-only, and returns them only in responses that show them once (SEC-4)", () => {
    const secret = /secret$|password|privateKey|apiKey|^token$|token_hash/i;
    const shownOnce = [
      ...["Credentials.secret", "createApiToken.token", "createPlaygroundToken.token", "createMyLibraryToken.token"],
      ...[
        "createWebhook.secret",
        "createLogDestination.secret",
        "rotateWebhookSecret.secret",
        "rotateAgentSecret.secret",
      ],
    ];
    const { AuthSettings, CreateMachineUser } = document.components.schemas;
    assert.equal(AuthSettings.properties.clientSecret.writeOnly, true);
    assert.equal(CreateMachineUser.properties.client_credentials.properties.clientSecret.writeOnly, true);
    for (const [name, schema] of [
      ...Object.entries(document.components.schemas),
      ...operations.map(({ id }) => [id, entryOf(id).responses] as const),
    ]) {
      walkFields(schema, (field, { writeOnly, type }) => {
        if (!secret.test(field) || type === "boolean" || type === "object" || shownOnce.includes(`${name}.${field}`))
          return;
        assert.equal(writeOnly, true, `${name}.${field}`);
      });
    }
  });

  it("declares the request ID on every response, and Retry-After where a retry can help", () => {
    for (const operation of operations) {
      for (const [status, answer] of Object.entries<Document>(entryOf(operation.id).responses)) {
        assert.ok(answer.headers["x-request-id"], `${operation.id} ${status}`);
        assert.equal(
          "Retry-After" in answer.headers,
          ["401", "429", "500", "503"].includes(status),
          `${operation.id} ${status}`,
        );
      }
    }
  });

  it("has only body examples that the operation accepts", () => {
    for (const operation of operations) {
      const { schema } = entryOf(operation.id).requestBody?.content["application/json"] ?? {};
      for (const variant of schema?.anyOf ?? [schema]) {
        const { example } = document.components.schemas[variant?.$ref?.split("/").at(-1)] ?? {};
        if (example !== undefined) operation.body?.parse(example);
      }
    }
  });

  it("marks deprecated operations and parameters", () => {
    const { parameters } = entryOf("listMcpServers");
    const deprecated = parameters.filter((parameter: Document) => parameter.deprecated);
    assert.deepEqual(
      deprecated.map((parameter: Document) => parameter.name),
      ["include_tools"],
    );
    const warns = (id: string) => ["Deprecation", "Sunset"].every((name) => name in entryOf(id).responses[200].headers);
    assert.deepEqual([warns("listMcpServers"), warns("listGroups")], [true, false]);
  });

  it("names what the spec requires and permits", () => {
    const { CreateMcpServer, UpdateMcpServer, CreateGroup, CreatePerson, CreateMachineUser } =
      document.components.schemas;
    assert.deepEqual(CreateMcpServer.required, ["name"]);
    assert.equal(UpdateMcpServer.required, undefined);
    assert.deepEqual(CreateGroup.required, ["name"]);
    assert.deepEqual(CreatePerson.required, ["name", "email"]);
    assert.deepEqual(CreateMachineUser.required, ["is_machine_user", "name"]);
    assert.equal(CreateMcpServer.properties.mcp_proxy.type, "string");
    const limit = entryOf("listUsers").parameters.find((parameter: Document) => parameter.name === "limit");
    assert.deepEqual(limit.schema, { type: "integer", minimum: 1, maximum: 200, default: 100 });
  });
});

describe("a schema in the document", () => {
  it("keeps fields that are named like JSON Schema keywords, and keeps examples unchanged", () => {
    const field = z.strictObject({ minimum: z.int(), default: z.boolean() });
    const example = { additionalProperties: false, $ref: "#/definitions/x" };
    const schema = schemaOf(
      z.object({ properties: field, enum: z.enum(["a"]).nullable() }).meta({ example }),
      {},
      "input",
    );
    assert.deepEqual(schema, {
      type: "object",
      properties: {
        properties: {
          type: "object",
          properties: { minimum: { type: "integer" }, default: { type: "boolean" } },
          required: ["minimum", "default"],
        },
        enum: { type: "string", enum: ["a", null], nullable: true },
      },
      required: ["properties", "enum"],
      example,
    });
  });

  it("rejects two shapes with one name", () => {
    const components = {};
    schemaOf(z.object({ a: z.string() }).meta({ id: "Same" }), components, "input");
    const other = z.object({ b: z.string() }).meta({ id: "Same" });
    assert.throws(() => schemaOf(other, components, "output"), /two schemas are called Same/);
  });
});

onSqliteApi("the served document", (api) => {
  it("is the committed one and needs no credential", async () => {
    const answer = await api.service.http("/openapi.json");
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, JSON.parse(readFileSync(COMMITTED, "utf8")));
  });
});

function walk(value: unknown, visit: (name: string, value: unknown) => void): void {
  if (Array.isArray(value)) for (const entry of value) walk(entry, visit);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [name, entry] of Object.entries(value)) {
    visit(name, entry);
    walk(entry, visit);
  }
}

/** Every property of every object schema, at every depth. */
function walkFields(schema: Document, visit: (name: string, field: Document) => void): void {
  walk({ schema }, (keyword, value) => {
    if (keyword !== "properties") return;
    for (const [name, field] of Object.entries(value as Document)) visit(name, field);
  });
}
