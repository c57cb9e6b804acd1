/** Parses a caller's message as strict JSON-RPC 2.0 (GW-3, GW-6, GW-7) without materializing the payload. */
import { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Member, type Range, type Scan, type Value, type WatchedObject } from "#lib/json/scan";
import { ScanInTurns } from "#lib/json/scan-in-turns";
import { BodyScanner, type ScannerOptions } from "#lib/json/scanner";
import { readString } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import type { ReadLane } from "#lib/read-pacer";
import { INVALID_REQUEST, PARSE_ERROR } from "./errors.ts";
import { META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_LOG_LEVEL, META_PROTOCOL_VERSION } from "./meta-keys.ts";
import { StrictKeys } from "./strict-keys.ts";

export interface RequestParams extends Range {
  readonly members: ReadonlyMap<string, Member>;
  /** Decoded; undefined when absent or not a string. The same applies to `uri`, `cursor`, and `protocolVersion`. */
  readonly name: string | undefined;
  readonly uri: string | undefined;
  readonly cursor: string | undefined;
  readonly protocolVersion: string | undefined;
  /** Any JSON type; its bytes are copied, never re-serialized (GW-20). */
  readonly arguments: Member | undefined;
  readonly meta: WatchedObject | undefined;
  /** `_meta.progressToken`: a string or a number. */
  readonly progressToken: Member | undefined;
}

export interface RequestMessage {
  readonly kind: "request";
  readonly source: ByteSource;
  readonly method: string;
  /** JSON text of the id exactly as received: echoed, never parsed (GW-3). */
  readonly rawId: string;
  readonly params: RequestParams | undefined;
}

export interface NotificationMessage {
  readonly kind: "notification";
  readonly source: ByteSource;
  readonly method: string;
  readonly params: RequestParams | undefined;
}

/** A caller's response to an upstream's request. */
export interface ResponseMessage {
  readonly kind: "response";
  readonly source: ByteSource;
  readonly id: Value;
  readonly rawId: string;
  /** Exactly one of the two is defined. */
  readonly result: Member | undefined;
  readonly error: Member | undefined;
}

export interface BatchMessage {
  readonly kind: "batch";
  readonly source: ByteSource;
  /** The first `MAX_BATCH` elements. Parse each one with `readRequest(source.slice(start, end))`. */
  readonly elements: readonly Value[];
  readonly elementCount: number;
}

export interface InvalidMessage {
  readonly kind: "invalid";
  readonly jsonRpcCode: typeof PARSE_ERROR | typeof INVALID_REQUEST;
  /** Public: included in the response. */
  readonly message: string;
  readonly rawId: string | undefined;
}

export type Message = RequestMessage | NotificationMessage | ResponseMessage | InvalidMessage;
export type ParsedRequest = Message | BatchMessage;

/** GW-6. */
const MAX_DEPTH = 64;
const MAX_KEYS = 10_000;
export const MAX_BATCH = 20;

const TOP = ["jsonrpc", "id", "method", "params", "result", "error"];
const PARAMS = ["name", "arguments", "uri", "cursor", "protocolVersion", "_meta"];
const META = ["progressToken", META_PROTOCOL_VERSION, META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_LOG_LEVEL];
const TOP_KEYS = new StrictKeys(TOP);
const PARAMS_KEYS = new StrictKeys(PARAMS);
const META_KEYS = new StrictKeys(META);
const SCANNER_OPTIONS: ScannerOptions = {
  watch: watchPlan([[], ["params"], ["params", "_meta"]], {
    elements: MAX_BATCH,
    commonKeys: [...TOP, ...PARAMS, ...META],
  }),
  maxDepth: MAX_DEPTH,
  maxKeys: MAX_KEYS,
};
const REQUEST_SCANNER = new BodyScanner(SCANNER_OPTIONS);

/** Parses a complete body in the chunks it arrived in. Never throws for caller input. */
export function readRequest(body: Buffer | readonly Buffer[] | ByteSource): ParsedRequest {
  const source = body instanceof ByteSource ? body : new ByteSource(body);
  try {
    return readScanned(source, REQUEST_SCANNER.scan(source.chunks));
  } catch (fault) {
    if (fault instanceof JsonFault) return invalidFromFault(fault);
    throw fault;
  }
}

/** Like `readRequest`, in turns. */
export function readLargeRequest(source: ByteSource, lane: ReadLane, done: (parsed: ParsedRequest) => void): void {
  const read = (scan: Scan | JsonFault) =>
    done(scan instanceof JsonFault ? invalidFromFault(scan) : readScanned(source, scan));
  lane.enqueue(new ScanInTurns(source, SCANNER_OPTIONS, read));
}

function readScanned(source: ByteSource, scan: Scan): ParsedRequest {
  if (scan.root.kind === "array") {
    return { kind: "batch", source, elements: scan.elements, elementCount: scan.elementCount };
  }
  const top = scan.objects[0];
  if (top === undefined) return invalid("Invalid Request: the body is not a JSON-RPC message", undefined);
  return readMessage(source, top.members, scan);
}

function readMessage(source: ByteSource, top: ReadonlyMap<string, Member>, scan: Scan): ParsedRequest {
  const id = top.get("id");
  const rawId = id?.kind === "string" || id?.kind === "number" ? source.text(id) : undefined;
  const problem = envelopeProblem(source, top, scan);
  if (problem !== undefined) return invalid(`Invalid Request: ${problem}`, rawId);
  if (id !== undefined && rawId === undefined)
    return invalid("Invalid Request: id must be a string or a number", rawId);

  const method = top.get("method");
  if (method === undefined) {
    if (id === undefined || rawId === undefined) return invalid("Invalid Request: method is missing", undefined);
    return { kind: "response", source, id, rawId, result: top.get("result"), error: top.get("error") };
  }
  const name = readString(source, method);
  const params = readParams(source, scan);
  if (rawId === undefined) return { kind: "notification", source, method: name, params };
  return { kind: "request", source, method: name, rawId, params };
}

/** Returns what is wrong with the envelope of any kind of message, or undefined. */
function envelopeProblem(source: ByteSource, top: ReadonlyMap<string, Member>, scan: Scan): string | undefined {
  const lookalike = findLookalike(scan);
  if (lookalike !== undefined) return `unexpected member ${JSON.stringify(lookalike)}`;
  const version = top.get("jsonrpc");
  if (version?.kind !== "string" || readString(source, version) !== "2.0") return 'jsonrpc must be "2.0"';
  const method = top.get("method");
  const resultCount = (top.has("result") ? 1 : 0) + (top.has("error") ? 1 : 0);
  if (resultCount !== (method === undefined ? 1 : 0)) return "exactly one of method, result and error is required";
  if (method !== undefined && method.kind !== "string") return "method must be a string";
  return paramsProblem(top, scan);
}

function findLookalike(scan: Scan): string | undefined {
  const [top, params, meta] = scan.objects;
  return (
    (top && TOP_KEYS.lookalike(top.members)) ??
    (params && PARAMS_KEYS.lookalike(params.members)) ??
    (meta && META_KEYS.lookalike(meta.members))
  );
}

function paramsProblem(top: ReadonlyMap<string, Member>, scan: Scan): string | undefined {
  const [, params, meta] = scan.objects;
  if (top.has("params") && params === undefined) return "params must be an object";
  if (params?.members.has("_meta") && meta === undefined) return "params._meta must be an object";
  const token = meta?.members.get("progressToken");
  if (token === undefined || token.kind === "string" || token.kind === "number") return undefined;
  return "progressToken must be a string or a number";
}

function readParams(source: ByteSource, scan: Scan): RequestParams | undefined {
  const params = scan.objects[1];
  if (params === undefined) return undefined;
  const { start, end, members } = params;
  const meta = scan.objects[2];
  return {
    start,
    end,
    members,
    name: textOf(source, members.get("name")),
    uri: textOf(source, members.get("uri")),
    cursor: textOf(source, members.get("cursor")),
    protocolVersion: textOf(source, members.get("protocolVersion")),
    arguments: members.get("arguments"),
    meta,
    progressToken: meta?.members.get("progressToken"),
  };
}

function textOf(source: ByteSource, member: Member | undefined): string | undefined {
  return member?.kind === "string" ? readString(source, member) : undefined;
}

function invalid(message: string, rawId: string | undefined): InvalidMessage {
  return { kind: "invalid", jsonRpcCode: INVALID_REQUEST, message, rawId };
}

/** JSON beyond our limits is an invalid request; everything else is a parse error. */
function invalidFromFault(fault: JsonFault): InvalidMessage {
  switch (fault.kind) {
    case "too-deep":
      return invalid(`Invalid Request: nested deeper than ${MAX_DEPTH} levels`, undefined);
    case "too-many-keys":
      return invalid(`Invalid Request: more than ${MAX_KEYS} keys`, undefined);
    case "duplicate-key":
      return invalid("Invalid Request: duplicate member", undefined);
    default:
      return { kind: "invalid", jsonRpcCode: PARSE_ERROR, message: "Parse error: invalid JSON", rawId: undefined };
  }
}
