import { z } from "zod";
import { isObject } from "#lib/is-object";
import { MAX_SHARED_HEADERS, sharedHeaderNameFault, sharedHeaderValueFault } from "#records/mcp-servers";

/** Read here and not by a schema of zod, so that no message repeats a value. */
export const headersField = z
  .unknown()
  .transform((value, context): Record<string, string> => readHeaders(value, context))
  .meta({
    type: "object",
    maxProperties: MAX_SHARED_HEADERS,
    additionalProperties: { type: "string", maxLength: 8192 },
    writeOnly: true,
    example: { Authorization: "Bearer …" },
  });

function readHeaders(value: unknown, context: z.core.$RefinementCtx): Record<string, string> {
  const addProblem = (message: string, ...path: string[]) => context.addIssue({ code: "custom", message, path });
  const headers = new Map<string, string>();
  if (!isObject(value)) {
    addProblem("must be an object of header names and values");
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_SHARED_HEADERS) addProblem(`must contain at most ${MAX_SHARED_HEADERS} headers`);
  const names = entries.map(([name]) => name.toLowerCase());
  for (const [index, [name, text]] of entries.entries()) {
    const nameFault =
      names.indexOf(name.toLowerCase()) < index ? `${name} is given more than once` : sharedHeaderNameFault(name);
    const valueFault = typeof text === "string" ? sharedHeaderValueFault(text) : "must be a string";
    if (nameFault !== undefined) addProblem(nameFault);
    else if (valueFault !== undefined) addProblem(valueFault, name);
    else headers.set(name, String(text));
  }
  return Object.fromEntries(headers);
}
