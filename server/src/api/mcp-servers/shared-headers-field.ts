import { z } from "zod";
import {
  MAX_SHARED_HEADERS,
  type SharedHeadersPatch,
  sharedHeaderNameFault,
  sharedHeaderValueFault,
} from "#records/mcp-servers";

/** Read here and not by a schema of zod, so that no message repeats a value. */
export const sharedHeadersField = z
  .unknown()
  .transform((value, context): SharedHeadersPatch => readSharedHeaders(value, context))
  .meta({
    type: "object",
    maxProperties: MAX_SHARED_HEADERS,
    additionalProperties: { type: "string", nullable: true, maxLength: 8192 },
    writeOnly: true,
    example: { "X-Api-Key": "…" },
  });

/** `path` leads from the field of the schema to the headers. */
export function readSharedHeaders(
  value: unknown,
  context: z.core.$RefinementCtx,
  path: readonly string[] = [],
): SharedHeadersPatch {
  const addProblem = (message: string, name: readonly string[] = []) =>
    context.addIssue({ code: "custom", message, path: [...path, ...name] });
  if (typeof value !== "object" || Array.isArray(value)) {
    addProblem("must be an object of header names and values");
    return null;
  }
  if (value === null) return null;
  const headers = new Map<string, string | null>();
  for (const [name, text] of Object.entries(value)) {
    const isRepeated = [...headers.keys()].some((other) => other.toLowerCase() === name.toLowerCase());
    const nameFault = isRepeated ? `${name} is given more than once` : sharedHeaderNameFault(name);
    const fault = nameFault ?? valueFault(text);
    if (fault === undefined) headers.set(name, text);
    else addProblem(fault, nameFault === undefined ? [name] : []);
  }
  return headers;
}

function valueFault(value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === "string" ? sharedHeaderValueFault(value) : "must be a string, or null to remove it";
}
