import { JsonFault } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { watchPlan } from "#lib/json/watch-plan";
import { HEADER_MISMATCH, INVALID_PARAMS } from "../envelope/errors.ts";
import { decodeMirrored, encodeMirrored } from "../envelope/mirrored-header.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { McpRequest } from "../request.ts";
import type { ParamHeader } from "../snapshot/shape.ts";

export interface ParamFault {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/**
 * The `Mcp-Param-*` headers with which this call goes on: those of a modern caller, once they are found to say what the
 * body says; for a legacy caller, who has none, those that a modern upstream asks for.
 */
export function paramHeadersFor(
  { exchange, call, era }: McpRequest,
  declared: readonly ParamHeader[],
): readonly string[] | ParamFault {
  const values = argumentTexts(call, declared);
  if (!values) {
    const message = "Invalid params: an argument that a header repeats is there twice";
    return { status: 200, code: INVALID_PARAMS, message };
  }
  if (era === "legacy") {
    return declared.flatMap(({ header }, at) => {
      const text = headerText(values[at]);
      return text === undefined ? [] : [header, encodeMirrored(text)];
    });
  }
  for (const [at, { header }] of declared.entries()) {
    const problem = contradiction(values[at], exchange.header(header));
    if (problem) return { status: 400, code: HEADER_MISMATCH, message: `Bad Request: the ${header} header ${problem}` };
  }
  return exchange.paramHeaders();
}

/** A value that no header repeats (null, an object, nothing at all) makes a header mean nothing. */
function contradiction(value: string | undefined, header: string | undefined): string | undefined {
  const expected = headerText(value);
  if (value === undefined || expected === undefined) return undefined;
  // Clients cannot hold such a number exactly, so they leave its header out.
  if (header === undefined) return isInexact(value) ? undefined : "is missing";
  const said = decodeMirrored(header);
  if (said === undefined) return "is not valid Base64";
  if (said === expected) return undefined;
  const sameNumber =
    DECIMAL.test(said) && !value.startsWith('"') && !isInexact(value) && Number(said) === Number(value);
  return sameNumber ? undefined : "says something else than the body";
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function isInexact(value: string): boolean {
  return /^[-\d]/.test(value) && !(Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER);
}

/** How a scalar stands in a header; undefined for what no header holds. `value` is JSON text. */
function headerText(value: string | undefined): string | undefined {
  if (value === undefined || value === "null" || value.startsWith("{") || value.startsWith("[")) return undefined;
  if (!value.startsWith('"')) return value;
  const text: string = JSON.parse(value); // the scanner has found a string
  return text;
}

/** JSON texts of the declared arguments; undefined when one could be read in two ways. */
function argumentTexts(
  { source, params }: RequestMessage,
  declared: readonly ParamHeader[],
): readonly (string | undefined)[] | undefined {
  const args = params?.arguments;
  if (args === undefined) return [];
  const parents = new Map(declared.map(({ path }) => [keyOf(path.slice(0, -1)), path.slice(0, -1)]));
  const places = [...parents.keys()];
  try {
    const { objects } = scanJson(source.parts(args.start, args.end), { watch: watchPlan([...parents.values()]) });
    return declared.map(({ path }) => {
      const member = objects[places.indexOf(keyOf(path.slice(0, -1)))]?.members.get(path.at(-1) ?? "");
      return member && source.text({ start: args.start + member.start, end: args.start + member.end });
    });
  } catch (fault) {
    // The message as a whole was found well formed; only what is read here can be ambiguous.
    if (fault instanceof JsonFault) return undefined;
    throw fault;
  }
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
