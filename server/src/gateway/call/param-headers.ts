import { JsonFault } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { type Edit, splice } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import { HEADER_MISMATCH, INVALID_PARAMS } from "../envelope/errors.ts";
import { decodeMirrored, encodeMirrored } from "../envelope/mirrored-header.ts";
import { type RequestMessage, readRequest } from "../envelope/read-request.ts";
import type { McpRequest } from "../request.ts";
import type { NamedItem, ParamHeader } from "../snapshot/shape.ts";
import type { ArgumentChanges } from "../snapshot/toolkits.ts";

export interface ParamFault {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/**
 * The `Mcp-Param-*` headers for the forwarded call: a modern caller's headers, after checking that they match the body;
 * for a legacy caller and for a nested call, which have none, the headers that a modern upstream requires.
 */
export function paramHeadersFor(
  { exchange, call, era, nested }: McpRequest,
  declared: readonly ParamHeader[],
  changes?: ArgumentChanges,
): readonly string[] | ParamFault {
  const values = argumentTexts(call, declared);
  if (!values) {
    const message = "Invalid params: duplicate argument that is repeated in a header";
    return { status: 200, code: INVALID_PARAMS, message };
  }
  const sent = () => (changes ? changedTexts(call, declared, values, changes) : values);
  if (era === "legacy" || nested) return headersOf(declared, sent());
  for (const [at, { header }] of declared.entries()) {
    const problem = contradiction(values[at], exchange.header(header));
    if (problem) return { status: 400, code: HEADER_MISMATCH, message: `Bad Request: the ${header} header ${problem}` };
  }
  return changes ? headersOf(declared, sent()) : exchange.paramHeaders();
}

/** The headers for a message whose arguments were edited: those of the caller would repeat the original values. */
export function editedParamHeaders(
  call: RequestMessage,
  edits: readonly Edit[],
  item: NamedItem | undefined,
): readonly string[] {
  const declared = item?.paramHeaders;
  if (declared === undefined) return [];
  const edited = readRequest(splice(call.source, edits));
  const values = edited.kind === "request" ? argumentTexts(edited, declared) : undefined;
  if (edited.kind !== "request" || values === undefined) return [];
  const changes = item?.argumentChanges;
  return headersOf(declared, changes ? changedTexts(edited, declared, values, changes) : values);
}

function headersOf(declared: readonly ParamHeader[], values: readonly (string | undefined)[]): string[] {
  return declared.flatMap(({ header }, at) => {
    const text = headerText(values[at]);
    return text === undefined ? [] : [header, encodeMirrored(text)];
  });
}

/** JSON texts of the arguments as the upstream receives them, after the changes of a toolkit. */
function changedTexts(
  call: RequestMessage,
  declared: readonly ParamHeader[],
  values: readonly (string | undefined)[],
  { fixed, defaults, hidden }: ArgumentChanges,
): (string | undefined)[] {
  const topLevel = argumentTexts(
    call,
    declared.map(({ header, path }) => ({ header, path: path.slice(0, 1) })),
  );
  return declared.map(({ path: [name = "", ...rest] }, at) => {
    const isGiven = topLevel?.[at] !== undefined && !hidden.has(name);
    const set = fixed.get(name)?.json ?? (isGiven ? undefined : defaults.get(name));
    if (set === undefined) return isGiven ? values[at] : undefined;
    const value = rest.reduce<unknown>((object, key) => Object(object)[key], JSON.parse(set));
    return value === undefined ? undefined : JSON.stringify(value);
  });
}

/** Values without a header form (null, objects, absent) match any header. */
function contradiction(value: string | undefined, header: string | undefined): string | undefined {
  const expected = headerText(value);
  if (value === undefined || expected === undefined) return undefined;
  // Clients cannot represent such a number exactly, so they omit its header.
  if (header === undefined) return isInexact(value) ? undefined : "is missing";
  const actual = decodeMirrored(header);
  if (actual === undefined) return "is not valid Base64";
  if (actual === expected) return undefined;
  const sameNumber =
    DECIMAL.test(actual) && !value.startsWith('"') && !isInexact(value) && Number(actual) === Number(value);
  return sameNumber ? undefined : "does not match the body";
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function isInexact(value: string): boolean {
  return /^[-\d]/.test(value) && !(Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER);
}

/** The header form of a scalar, given as JSON text; undefined for values without one. */
function headerText(value: string | undefined): string | undefined {
  if (value === undefined || value === "null" || value.startsWith("{") || value.startsWith("[")) return undefined;
  if (!value.startsWith('"')) return value;
  const text: string = JSON.parse(value); // the scanner verified that it is a string
  return text;
}

/** JSON texts of the declared arguments; undefined if one of them is ambiguous. */
function argumentTexts(
  { source, params }: RequestMessage,
  declared: readonly ParamHeader[],
): readonly (string | undefined)[] | undefined {
  const args = params?.arguments;
  if (args === undefined) return [];
  const parents = new Map(declared.map(({ path }) => [keyOf(path.slice(0, -1)), path.slice(0, -1)]));
  const parentKeys = [...parents.keys()];
  try {
    const { objects } = scanJson(source.parts(args.start, args.end), { watch: watchPlan([...parents.values()]) });
    return declared.map(({ path }) => {
      const member = objects[parentKeys.indexOf(keyOf(path.slice(0, -1)))]?.members.get(path.at(-1) ?? "");
      return member && source.text({ start: args.start + member.start, end: args.start + member.end });
    });
  } catch (fault) {
    // The complete message was already parsed, so only duplicate keys in the arguments can fail here.
    if (fault instanceof JsonFault) return undefined;
    throw fault;
  }
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
