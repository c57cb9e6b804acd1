/**
 * Encodes one spool mark per line: `B[…]#57` when a call is forwarded, `E[…]#91` when it ends. The number is the length
 * of the text before it, so a line truncated by a kill or a full disk is never read as complete. Each mark is
 * self-contained: moving a record needs only its end line, an interrupted call only its begin line.
 *
 * New fields are only appended to the array, so a release can read the spool of the previous one.
 */
import { AUTH_METHODS, CALL_GUARD_ACTIONS, CALL_METHODS, CALL_OUTCOMES } from "#lib/call-vocabulary";
import type { EndedCall, LoggedGuard, StartedCall } from "./record.ts";

export type Mark =
  | {
      readonly kind: "begin";
      readonly requestId: string;
      /** Parsed on demand: it is only needed for calls without an end mark, which are rare. */
      readonly call: StartedCall | undefined;
    }
  | { readonly kind: "end"; readonly requestId: string; readonly call: EndedCall };

const METHOD_CODES: ReadonlyMap<string, number> = new Map(CALL_METHODS.map((method, code) => [method, code]));
const VIA_CODES: ReadonlyMap<string, number> = new Map(AUTH_METHODS.map((via, code) => [via, code]));
const OUTCOME_CODES: ReadonlyMap<string, number> = new Map(CALL_OUTCOMES.map((outcome, code) => [outcome, code]));

/** Returns a string as JSON text. */
export type Quote = (text: string) => string;

export function beginLine(call: StartedCall, quote: Quote = JSON.stringify): string {
  const last = lastFields(call, quote);
  const caller = callerFields(call, quote) || (last === "" ? "" : ",null,null");
  return withLength(`B[${startedFields(call, quote)}${caller}${last}]`);
}

export function endLine(call: EndedCall, quote: Quote = JSON.stringify): string {
  const { outcome, durationUs, responseBytes, error, forwardedUs = "null" } = call;
  const ending = `${OUTCOME_CODES.get(outcome)},${durationUs},${responseBytes},${optional(error, quote)}`;
  const caller = callerFields(call, quote) || ",null,null";
  const isPlain = call.guard === undefined && call.toolkitConflict === undefined;
  const last = isPlain ? lastFields(call, quote) : guardedFields(call, quote);
  return withLength(`E[${startedFields(call, quote)},${ending}${caller},${forwardedUs}${last}]`);
}

/** The last fields, those of a guard, and the conflict of toolkits, each null if it is absent. */
function guardedFields({ traceId, toolkit, exposedTool, guard, toolkitConflict }: EndedCall, quote: Quote): string {
  const findings = guard?.findings.map(({ guard: slug, check, direction, count }) => [slug, check, direction, count]);
  const action = guard ? CALL_GUARD_ACTIONS.indexOf(guard.action) : null;
  const found = `${action},${optional(guard?.slug, quote)},${JSON.stringify(findings ?? null)}`;
  const after = `${optional(guard?.approvalId, JSON.stringify)},${optional(toolkitConflict, quote)}`;
  return `,${optional(traceId, quote)},${optional(toolkit, quote)},${optional(exposedTool, quote)},${found},${after}`;
}

/** Empty for most calls. */
function lastFields({ traceId, toolkit, exposedTool, toolkitConflict }: StartedCall, quote: Quote): string {
  if (toolkit === undefined) return traceId === undefined ? "" : `,"${traceId}"`;
  const conflict = toolkitConflict === undefined ? "" : `,${quote(toolkitConflict)}`;
  const exposed = exposedTool === undefined && conflict === "" ? "" : `,${optional(exposedTool, quote)}${conflict}`;
  return `,${traceId === undefined ? "null" : `"${traceId}"`},${quote(toolkit)}${exposed}`;
}

/** Empty for a machine user's key, which is by far the most common case. */
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

const MAX_CACHED = 4_096;

/** Caches the JSON text of strings, because the same few callers, servers, and tools recur. */
export function createQuote(): Quote {
  const cache = new Map<string, string>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    if (cache.size >= MAX_CACHED) cache.clear();
    const quoted = JSON.stringify(text);
    cache.set(text, quoted);
    return quoted;
  };
}

function withLength(mark: string): string {
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
type LastFields = [traceId?: string | null, toolkit?: string | null, exposedTool?: string | null];
type Finding = LoggedGuard["findings"][number];
type FindingFields = [guard: string, check: string, direction: Finding["direction"], count: number];
type GuardFields = [
  action?: number | null,
  slug?: string | null,
  findings?: FindingFields[] | null,
  approvalId?: string | null,
];
type ConflictField = [toolkitConflict?: string | null];
type BeginFields = [...StartedFields, ...CallerFields, ...LastFields, ...ConflictField];
type EndFields = [
  ...StartedFields,
  ...EndingFields,
  ...CallerFields,
  forwardedUs?: number | null,
  ...LastFields,
  ...GuardFields,
  ...ConflictField,
];

/** Returns undefined when the line is truncated, damaged, or of an unknown kind. */
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
    // `B["req_…",`: ids generated by the gateway contain no characters that JSON escapes.
    const end = line.indexOf('"', 3);
    const plain = line.slice(3, end);
    this.requestId = plain.includes("\\") ? (this.call?.requestId ?? plain) : plain;
  }

  get call(): StartedCall | undefined {
    const fields = readFields<BeginFields>(this.#line, this.#hash);
    if (!fields) return undefined;
    const [, , , , , , , , via, client, ...last] = fields;
    return startedCall(fields, via, client, last);
  }
}

/** The length matches, so beginLine or endLine wrote this unless the disk corrupted it later. */
function readFields<Fields extends BeginFields | EndFields>(line: string, hash: number): Fields | undefined {
  try {
    return JSON.parse(line.slice(1, hash)) as Fields; // the first letter determines the type
  } catch {
    return undefined;
  }
}

function startedCall(
  fields: BeginFields | EndFields,
  via: number | null | undefined,
  client: string | null | undefined,
  [traceId, toolkit, exposedTool, toolkitConflict]: [...LastFields, ...ConflictField],
): StartedCall {
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
    ...(typeof traceId === "string" ? { traceId } : {}),
    ...(typeof toolkit === "string" ? { toolkit } : {}),
    ...(typeof exposedTool === "string" ? { exposedTool } : {}),
    ...(typeof toolkitConflict === "string" ? { toolkitConflict } : {}),
  };
}

function endedCall(fields: EndFields): EndedCall {
  const [, , , , , , , , outcome, durationUs, responseBytes, error, via, client, forwardedUs, ...rest] = fields;
  const [traceId = null, toolkit = null, exposedTool = null, ...guardAndConflict] = rest;
  const [action = null, slug = null, findings = null, approvalId = null, toolkitConflict = null] = guardAndConflict;
  return {
    ...startedCall(fields, via, client, [traceId, toolkit, exposedTool, toolkitConflict]),
    ...loggedGuard([action, slug, findings, approvalId]),
    outcome: CALL_OUTCOMES[outcome] ?? "error",
    durationUs,
    responseBytes,
    error: error ?? undefined,
    forwardedUs: forwardedUs ?? undefined,
  };
}

function loggedGuard([code, slug, findings, approvalId]: GuardFields): { guard?: LoggedGuard } {
  const action = typeof code === "number" ? CALL_GUARD_ACTIONS[code] : undefined;
  if (action === undefined) return {};
  const found = (findings ?? []).map(([guard, check, direction, count]) => ({ guard, check, direction, count }));
  return { guard: { action, slug: slug ?? undefined, findings: found, ...(approvalId && { approvalId }) } };
}
