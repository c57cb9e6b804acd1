import { isObject } from "#openapi/json";
import { badUsage } from "./failure.ts";
import type { Call } from "./verb.ts";

/** The text of a `--json` value: JSON, `@file`, or `-` for standard input. Always a JSON object. */
export async function jsonText({ readText }: Pick<Call, "readText">, given: string): Promise<string> {
  const inline = given !== "-" && !given.startsWith("@");
  const text = inline ? given : await readText(given.replace(/^@/, ""));
  const value = parsed(text);
  if (!isObject(value)) throw badUsage("--json must be a JSON object, @file, or - for standard input");
  return text;
}

/** The fields of a `--json` value. Rejects a secret in the arguments. */
export async function jsonBody<Body extends object>(
  call: Pick<Call, "readText">,
  given: string | undefined,
): Promise<Partial<Body>> {
  if (given === undefined) return {};
  const text = await jsonText(call, given);
  if (text === given && /"(?:clientSecret|sharedHeaders|headers|key)"/i.test(text)) {
    throw badUsage("Other users can read arguments. Pass JSON with a secret as @file, or - for standard input.");
  }
  return JSON.parse(text) as Partial<Body>; // jsonText checked that it is an object; the API validates its fields
}

export function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes undefined members: omitted and null differ in the API. */
export function given<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Fields>; // a subset of the same members
}
