import type { z } from "zod";
import { Refusal } from "#lib/errors";

/** Parses and validates the body. The error names the first faulty field in declaration order (Spec 7). */
export function readBody<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array | undefined): z.output<Schema> {
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Refusal("invalid", "body: must be a JSON object");
  }
  return checkFields(schema, value);
}

/** Validates a JSON object. */
export function checkFields<Schema extends z.ZodType>(schema: Schema, value: object): z.output<Schema> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const field = issue?.path.join(".") || "body";
  throw new Refusal("invalid", `${field}: ${issue?.message ?? "is invalid"}`);
}

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal("invalid", "body: must be valid JSON");
  }
}
