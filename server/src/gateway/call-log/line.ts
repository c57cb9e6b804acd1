/**
 * One mark of the spool as one line of text: `B[…]#57` when a call is forwarded, `E[…]#91` when it ends. The number is
 * the length of what stands before it, so a line cut off by a kill or a full disk is never taken for a whole one.
 * Both kinds stand alone: moving a record needs only its end line, an interrupted call only its begin line.
 *
 * Fields are only ever added at the end of the array, so a release reads the spool of the one before it.
 */
import { AUTH_METHODS, CALL_METHODS, CALL_OUTCOMES } from "#lib/call-vocabulary";
import type { EndedCall, StartedCall } from "./record.ts";

export type Mark =
  | {
      readonly kind: "begin";
      readonly requestId: string;
      /** Read only when it is asked for: nearly every begin is followed by its end, and then nobody asks. */
      readonly call: StartedCall | undefined;
    }
  | { readonly kind: "end"; readonly requestId: string; readonly call: EndedCall };

const METHOD_CODES: ReadonlyMap<string, number> = new Map(CALL_METHODS.map((method, code) => [method, code]));
const VIA_CODES: ReadonlyMap<string, number> = new Map(AUTH_METHODS.map((via, code) => [via, code]));
const OUTCOME_CODES: ReadonlyMap<string, number> = new Map(CALL_OUTCOMES.map((outcome, code) => [outcome, code]));

/** JSON text of a string. */
export type Quote = (text: string) => string;

export function beginLine(call: StartedCall, quote: Quote = JSON.stringify): string {
  return closed(`B[${startedFields(call, quote)}${callerFields(call, quote)}]`);
}

export function endLine(call: EndedCall, quote: Quote = JSON.stringify): string {
  const { outcome, durationUs, responseBytes, error, forwardedUs = "null", traceId } = call;
  const ending = `${OUTCOME_CODES.get(outcome)},${durationUs},${responseBytes},${optional(error, quote)}`;
  const caller = callerFields(call, quote) || ",null,null";
  return closed(
    `E[${startedFields(call, quote)},${ending}${caller},${forwardedUs}${traceId === undefined ? "" : `,"${traceId}"`}]`,
  );
}

/** Nothing for a machine user's key, by which nearly all calls come. */
function callerFields({ via, client }: StartedCall, quote: Quote): string {
  return via === undefined ? "" : `,${VIA_CODES.get(via)},${optional(client, quote)}`;
}

/** JSON escapes line breaks, so a mark never spans two lines. */
function startedFields(call: StartedCall, quote: Quote): string {
  const caller = `${quote(call.userId)},${quote(call.userEmail)}`;
  const target = `${optional(call.serverSlug, quote)},${optional(call.tool, quote)}`;
  return `${JSON.stringify(call.requestId)},${call.at},${METHOD_CODES.get(call.method)},${caller},${target},${call.requestBytes}`;
}

function optional(value: string | undefined, quote: Quote): string {
  return value === undefined ? "null" : quote(value);
}

const MOST_QUOTED = 4_096;

/** The same few callers, servers and tools come again and again: their JSON text is made once. */
export function createQuote(): Quote {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_QUOTED) known.clear();
    const quoted = JSON.stringify(text);
    known.set(text, quoted);
    return quoted;
  };
}

function closed(mark: string): string {
  return `${mark}#${mark.length}\n`;
}

type StartedFields = [
  requestId: string,
  at: number,
  method: number,
  userId: string,
  userEmail: string,
  serverSlug: string | null,
  tool: string | null,
  requestBytes: number,
];
type CallerFields = [via?: number | null, client?: string | null];
type EndingFields = [outcome: number, durationUs: number, responseBytes: number, error: string | null];
type TimingFields = [forwardedUs?: number | null, traceId?: string];
type BeginFields = [...StartedFields, ...CallerFields];
type EndFields = [...StartedFields, ...EndingFields, ...CallerFields, ...TimingFields];

/** Undefined when the line is torn, damaged, or of a kind that this release does not know. */
export function parseLine(line: string): Mark | undefined {
  const hash = line.lastIndexOf("#");
  if (hash < 0 || line.slice(hash + 1) !== String(hash)) return undefined;
  switch (line.charAt(0)) {
    case "B":
      return new BeginMark(line, hash);
    case "E": {
      const fields = readFields<EndFields>(line, hash);
      return fields && { kind: "end", requestId: fields[0], call: endedCall(fields) };
    }
    default:
      return undefined;
  }
}

class BeginMark {
  readonly kind = "begin";
  readonly requestId: string;
  readonly #line: string;
  readonly #hash: number;

  constructor(line: string, hash: number) {
    this.#line = line;
    this.#hash = hash;
    // `B["req_…",`: our own ids hold nothing that JSON would escape.
    const end = line.indexOf('"', 3);
    const plain = line.slice(3, end);
    this.requestId = plain.includes("\\") ? (this.call?.requestId ?? plain) : plain;
  }

  get call(): StartedCall | undefined {
    const fields = readFields<BeginFields>(this.#line, this.#hash);
    return fields && startedCall(fields, fields[8], fields[9]);
  }
}

/** The length held, so this is what beginLine or endLine wrote, unless the disk changed it since. */
function readFields<Fields extends BeginFields | EndFields>(line: string, hash: number): Fields | undefined {
  try {
    return JSON.parse(line.slice(1, hash)) as Fields; // by its first letter
  } catch {
    return undefined;
  }
}

function startedCall(fields: BeginFields | EndFields, ...[via, client]: CallerFields): StartedCall {
  const [requestId, at, method, userId, userEmail, serverSlug, tool, requestBytes] = fields;
  return {
    requestId,
    at,
    method: CALL_METHODS[method] ?? "other",
    userId,
    userEmail,
    serverSlug: serverSlug ?? undefined,
    tool: tool ?? undefined,
    requestBytes,
    ...(typeof via === "number" ? { via: AUTH_METHODS[via], client: client ?? undefined } : {}),
  };
}

function endedCall(fields: EndFields): EndedCall {
  const [, , , , , , , , outcome, durationUs, responseBytes, error, via, client, forwardedUs, traceId] = fields;
  return {
    ...startedCall(fields, via, client),
    outcome: CALL_OUTCOMES[outcome] ?? "error",
    durationUs,
    responseBytes,
    error: error ?? undefined,
    forwardedUs: forwardedUs ?? undefined,
    ...(traceId === undefined ? {} : { traceId }),
  };
}
