import assert from "node:assert/strict";
import { Ajv, type ValidateFunction } from "ajv";
import { type Answer, send } from "./http.ts";

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly deprecated?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Undefined without a body. */
  readonly body: Schema | undefined;
  readonly statuses: readonly string[];
  /** Whether it needs no API token: the request proves itself, as with a refresh token. */
  readonly isOpen: boolean;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** The target's API document, and the validation of its responses (API-12). */
export class ApiDocument {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the document at every depth
  readonly json: any;
  readonly operations: readonly Operation[];
  readonly #ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  // biome-ignore lint/suspicious/noExplicitAny: its content is validated here
  constructor(json: any) {
    this.json = json;
    this.#ajv.addSchema(asJsonSchema(json) as Schema, "document");
    this.operations = Object.entries<Record<string, DocumentedOperation>>(json.paths).flatMap(([path, byMethod]) =>
      Object.entries(byMethod)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => ({
          operationId: operation.operationId,
          method: method.toUpperCase(),
          path,
          parameters: operation.parameters ?? [],
          body: operation.requestBody?.content["application/json"]?.schema,
          statuses: Object.keys(operation.responses),
          isOpen: operation.security?.length === 0,
        })),
    );
  }

  static async read(url: string): Promise<ApiDocument> {
    const answer = await send(url, "/openapi.json");
    assert.equal(answer.status, 200, answer.text);
    return new ApiDocument(answer.body);
  }

  /** The operation of a method and path; undefined if there is none, or if the path is not valid text. */
  find(method: string, path: string): Operation | undefined {
    const plain = path.split("?")[0] ?? "";
    if (!isDecodable(plain)) return undefined;
    const ofMethod = this.operations.filter((operation) => operation.method === method);
    // A path without parameters takes precedence over one with parameters.
    return (
      ofMethod.find((operation) => operation.path === plain) ??
      ofMethod.find((operation) => new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]*")}$`).test(plain))
    );
  }

  /** Fails if the document does not declare the status or the body of the response. */
  judge(method: string, path: string, answer: Answer): void {
    const operation = this.find(method, path);
    if (!operation) return;
    const about = `${method} ${path} answered ${answer.status} ${answer.text.slice(0, 2_000)}`;
    assert.ok(operation.statuses.includes(String(answer.status)), `${about}: an undocumented status`);
    const [type = ""] = String(answer.headers["content-type"]).split(";");
    const { content } = this.json.paths[operation.path][method.toLowerCase()].responses[answer.status];
    assert.ok(type in content, `${about}: an undocumented content type`);
    if (type !== "application/json") return;
    const valid = this.#validator(operation, answer.status);
    assert.ok(valid(answer.body), `${about}: ${this.#ajv.errorsText(valid.errors)}`);
  }

  #validator({ method, path }: Operation, status: number): ValidateFunction {
    const at = [
      "paths",
      path,
      method.toLowerCase(),
      "responses",
      String(status),
      "content",
      "application/json",
      "schema",
    ];
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const known = this.#validators.get(pointer);
    if (known) return known;
    const validator = this.#ajv.compile({ $ref: `document#/${pointer}` });
    this.#validators.set(pointer, validator);
    return validator;
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

interface DocumentedOperation {
  readonly security?: readonly unknown[];
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

/** OpenAPI 3.0 differs from JSON Schema in two ways: `nullable`, and exclusive bounds as flags. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asJsonSchema(member)]),
  );
  for (const [flag, bound] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof members[flag] !== "boolean") continue;
    if (members[flag]) members[flag] = members[bound];
    else delete members[flag];
  }
  const { nullable, ...schema } = members;
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : members;
}
