import { STATUS_CODES } from "node:http";
import { z } from "zod";
import { type Json, schemaOf } from "./document-schema.ts";
import { TOO_MANY_CHANGES } from "./member-changes.ts";
import type { Operation } from "./operation.ts";

const ErrorBody = z
  .object({ error: z.string().meta({ description: "What went wrong, in one sentence", example: "Group not found" }) })
  .meta({ id: "Error", description: "An error response" });
const InvalidBody = z
  .object({
    code: z.string().meta({ description: "The kind of error", example: "INVALID_FORMAT" }),
    message: z
      .string()
      .meta({ description: "The field or parameter and the reason", example: "name: name is required" }),
  })
  .meta({ id: "InvalidFormat", description: "A validation error that names the faulty field or parameter" });

const text = { type: "string" };
/** Headers that responses share. */
export const HEADERS = {
  RequestId: { description: "The request ID, which is also in the server log", schema: text },
  RetryAfter: { description: "Seconds to wait before retrying", schema: { type: "integer" } },
  Authenticate: { description: "How to authenticate: `Bearer`", schema: text },
  Deprecation: { description: "When the used feature was deprecated (RFC 9745)", schema: text },
  Sunset: { description: "When the used feature will be removed (RFC 8594)", schema: text },
};

const header = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });
const requestId = { "x-request-id": header("RequestId") };
const retryAfter = { ...requestId, "Retry-After": header("RetryAfter") };
const authenticate = { ...retryAfter, "WWW-Authenticate": header("Authenticate") };
const deprecation = { Deprecation: header("Deprecation"), Sunset: header("Sunset") };

interface AnswerObject {
  readonly description: string;
  readonly headers: Json;
  readonly content: Json;
}

/** Spec 7: every response of an operation, with its body and headers. */
export function answerObjects(operation: Operation, components: Json): Json {
  const error = schemaOf(ErrorBody, components, "output");
  const invalid = schemaOf(InvalidBody, components, "output");
  const refusal = (description: string, example?: string, headers: Json = requestId) =>
    answerObject(description, headers, error, example === undefined ? undefined : { error: example });
  const { kind, route, scope, callers, onCrash, refusals } = operation;
  const isCreation = kind === "write" && route.startsWith("POST ");
  const answers: Record<string, AnswerObject> = {
    ...successes(operation, components),
    400: answerObject(
      "The request is invalid",
      requestId,
      // The operation's own body also has `error`, so it matches two of the three.
      operation.answers[400]
        ? { anyOf: [invalid, error, schemaOf(operation.answers[400], components, "output")] }
        : { oneOf: [invalid, error] },
    ),
    401: operation.isSigned
      ? refusal("The signature is missing, wrong or too old", "invalid_signature", retryAfter)
      : refusal("The API token or web session is missing or invalid", "Unauthorized", authenticate),
    403: refusal(
      "The caller lacks the required scope",
      `Insufficient permissions: requires ${callers === "people" ? "a web session" : scope}`,
    ),
    ...(refusals.includes(404) ? { 404: refusal("The target does not exist") } : {}),
    ...(isCreation || refusals.includes(409)
      ? { 409: answerObject("The Idempotency-Key was already used with a different request", requestId, invalid) }
      : {}),
    // A body is read even if the operation declares none.
    ...(route.startsWith("GET ")
      ? {}
      : { 413: refusal("The body is too large"), 415: refusal("The body is not JSON") }),
    ...(callers === "people" && scope === "any" && kind !== "read"
      ? { 429: refusal("The person made too many changes", TOO_MANY_CHANGES, retryAfter) }
      : {}),
    ...(refusals.includes(429) ? { 429: answerObject("A limit is exceeded", retryAfter, invalid) } : {}),
    ...(refusals.includes(503)
      ? { 503: refusal("The issuer does not respond", "Issuer keys are unavailable", retryAfter) }
      : {}),
    500: refusal("An internal error occurred", onCrash, retryAfter),
  };
  if (mayWarn(operation)) for (const answer of Object.values(answers)) Object.assign(answer.headers, deprecation);
  return answers;
}

function mayWarn({ deprecated, query = {}, headers = {} }: Operation): boolean {
  const parameters = [...Object.values(query), ...Object.values(headers)];
  return deprecated !== undefined || parameters.some((parameter) => parameter.deprecated);
}

function successes(operation: Operation, components: Json): Record<string, AnswerObject> {
  if (operation.media) {
    const content = Object.entries(operation.media).map(([type, description]) => [
      type,
      { schema: { type: "string", ...(type === "application/zip" && { format: "binary" }), description } },
    ]);
    return { 200: { description: "OK", headers: { ...requestId }, content: Object.fromEntries(content) } };
  }
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, schema]) => [
      status,
      answerObject(STATUS_CODES[status] ?? "Done", requestId, schemaOf(schema, components, "output")),
    ]),
  );
}

function answerObject(description: string, headers: Json, schema: Json, example?: Json): AnswerObject {
  return {
    description,
    headers: { ...headers },
    content: { "application/json": { schema, ...(example ? { example } : {}) } },
  };
}
