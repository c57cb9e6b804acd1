import { isObject } from "#openapi/json";
import { badUsage } from "./failure.ts";
import type { Call } from "./verb.ts";

/** The text of a `--json` value: JSON as it stands, `@file`, or `-` for standard input. Checked to be an object. */
export async function jsonText({ readText }: Pick<Call, "readText">, given: string): Promise<string> {
  const inline = given !== "-" && !given.startsWith("@");
  const text = inline ? given : await readText(given.replace(/^@/, ""));
  const value = parsed(text);
  if (!isObject(value)) throw badUsage("--json must be a JSON object, @file, or - for standard input");
  return text;
}

/** The fields of a body that come as JSON; a secret among them must not stand in the arguments. */
export async function jsonBody<Body extends object>(
  call: Pick<Call, "readText">,
  given: string | undefined,
): Promise<Partial<Body>> {
  if (given === undefined) return {};
  const text = await jsonText(call, given);
  if (text === given && /"clientSecret"/i.test(text)) {
    throw badUsage("others can read arguments: give a body with a secret as @file or on standard input");
  }
  return JSON.parse(text) as Partial<Body>; // an object, as jsonText found; its fields are for the API to judge
}

export function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

/** Undefined for what is not JSON: JSON itself has no undefined. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without the members that nobody gave: omitted and null differ in the API. */
export function given<Fields extends object>(fields: Fields): Partial<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Fields>; // the same members, some of them left out
}
