/** Parses an upstream's message without materializing the payload (GW-20). */
import { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Member, type Scan, type Value, type WatchedObject } from "#lib/json/scan";
import { ScanInTurns } from "#lib/json/scan-in-turns";
import { BodyScanner, type ScannerOptions } from "#lib/json/scanner";
import { readString } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import type { ReadLane } from "#lib/read-pacer";
import { INTERNAL_ERROR } from "./errors.ts";
import { META_SERVER_INFO } from "./meta-keys.ts";

export interface UpstreamResult {
  readonly kind: "result";
  readonly source: ByteSource;
  readonly root: WatchedObject;
  readonly id: Value;
  readonly rawId: string;
  readonly result: Value;
  /** The members of `result`; empty when it is not an object. */
  readonly members: ReadonlyMap<string, Member>;
  readonly isError: boolean;
  /** Undefined for legacy servers. */
  readonly resultType: string | undefined;
  readonly content: Member | undefined;
  readonly structuredContent: Member | undefined;
  readonly meta: WatchedObject | undefined;
  readonly hasServerInfo: boolean;
}

export interface UpstreamError {
  readonly kind: "error";
  readonly source: ByteSource;
  readonly root: WatchedObject;
  /** Undefined or null when the upstream could not read the request's id. */
  readonly id: Value | undefined;
  readonly rawId: string | undefined;
  readonly error: Value;
  readonly code: number;
  /** Position of the code; undefined when it is not a number. */
  readonly codeAt: Value | undefined;
  readonly message: string;
  readonly data: Member | undefined;
}

/** A request from the upstream to the caller. */
export interface UpstreamRequest {
  readonly kind: "request";
  readonly source: ByteSource;
  readonly id: Value;
  readonly rawId: string;
  readonly method: string;
  readonly params: Member | undefined;
}

export interface UpstreamNotification {
  readonly kind: "notification";
  readonly source: ByteSource;
  readonly method: string;
  readonly params: Member | undefined;
  /** `params.progressToken`: assigned by the gateway, to be replaced by the caller's. */
  readonly progressToken: Member | undefined;
  /** What people or models may read: `params.message` of progress, `params.data` of a log message. */
  readonly text: Member | undefined;
}

export interface UpstreamInvalid {
  readonly kind: "invalid";
  /** For the log; never contains the upstream's bytes. */
  readonly reason: string;
}

export type UpstreamMessage = UpstreamResult | UpstreamError | UpstreamRequest | UpstreamNotification | UpstreamInvalid;

/** Callers' parsers would likely reject deeper responses (GW-6). */
const MAX_DEPTH = 64;
const SCANNER_OPTIONS: ScannerOptions = {
  watch: watchPlan([[], ["result"], ["result", "_meta"], ["error"], ["params"]], {
    commonKeys: ["jsonrpc", "id", "method", "content", "isError", "structuredContent", "resultType", META_SERVER_INFO],
  }),
  maxDepth: MAX_DEPTH,
};
const RESPONSE_SCANNER = new BodyScanner(SCANNER_OPTIONS);
const NO_MEMBERS: ReadonlyMap<string, Member> = new Map();

/** Parses a complete message. Never throws for upstream input. */
export function readResponse(body: Buffer | readonly Buffer[] | ByteSource): UpstreamMessage {
  const source = body instanceof ByteSource ? body : new ByteSource(body);
  try {
    return readScanned(source, RESPONSE_SCANNER.scan(source.chunks));
  } catch (fault) {
    if (fault instanceof JsonFault) return invalid(fault.message);
    throw fault;
  }
}

/** Like `readResponse`, in turns. */
export function readLargeResponse(source: ByteSource, lane: ReadLane, done: (message: UpstreamMessage) => void): void {
  const read = (scan: Scan | JsonFault) =>
    done(scan instanceof JsonFault ? invalid(scan.message) : readScanned(source, scan));
  lane.enqueue(new ScanInTurns(source, SCANNER_OPTIONS, read));
}

function readScanned(source: ByteSource, scan: Scan): UpstreamMessage {
  const root = scan.objects[0];
  if (root === undefined) return invalid("not a JSON-RPC message");
  const top = root.members;
  const version = top.get("jsonrpc");
  if (version?.kind !== "string" || readString(source, version) !== "2.0") return invalid('jsonrpc is not "2.0"');

  const id = top.get("id");
  const rawId = id?.kind === "string" || id?.kind === "number" ? source.text(id) : undefined;
  const method = top.get("method");
  const result = top.get("result");
  const error = top.get("error");
  if (Number(method !== undefined) + Number(result !== undefined) + Number(error !== undefined) !== 1) {
    return invalid("exactly one of method, result and error is required");
  }
  if (method !== undefined) return readUpstreamCall(source, top, method, scan);
  if (error !== undefined) return readError(source, root, error, scan.objects[3], id, rawId);
  if (result === undefined || id === undefined || rawId === undefined) return invalid("a result without a usable id");
  return readResult(source, root, result, scan, id, rawId);
}

function readResult(
  source: ByteSource,
  root: WatchedObject,
  result: Member,
  scan: Scan,
  id: Value,
  rawId: string,
): UpstreamResult {
  const members = scan.objects[1]?.members ?? NO_MEMBERS;
  const meta = scan.objects[2];
  const resultType = members.get("resultType");
  return {
    kind: "result",
    source,
    root,
    id,
    rawId,
    result,
    members,
    isError: members.get("isError")?.kind === "true",
    resultType: resultType?.kind === "string" ? readString(source, resultType) : undefined,
    content: members.get("content"),
    structuredContent: members.get("structuredContent"),
    meta,
    hasServerInfo: meta?.members.has(META_SERVER_INFO) ?? false,
  };
}

function readError(
  source: ByteSource,
  root: WatchedObject,
  error: Member,
  object: WatchedObject | undefined,
  id: Value | undefined,
  rawId: string | undefined,
): UpstreamError {
  const code = object?.members.get("code");
  const message = object?.members.get("message");
  return {
    kind: "error",
    source,
    root,
    id,
    rawId,
    error,
    code: code?.kind === "number" ? Number(source.text(code)) : INTERNAL_ERROR,
    codeAt: code?.kind === "number" ? code : undefined,
    message: message?.kind === "string" ? readString(source, message) : "",
    data: object?.members.get("data"),
  };
}

function readUpstreamCall(
  source: ByteSource,
  top: ReadonlyMap<string, Member>,
  methodMember: Member,
  scan: Scan,
): UpstreamMessage {
  if (methodMember.kind !== "string") return invalid("method is not a string");
  const method = readString(source, methodMember);
  const params = top.get("params");
  const id = top.get("id");
  if (id === undefined) {
    const members = scan.objects[4]?.members;
    const text = members?.get(method === "notifications/message" ? "data" : "message");
    return { kind: "notification", source, method, params, progressToken: members?.get("progressToken"), text };
  }
  if (id.kind !== "string" && id.kind !== "number") return invalid("a request without a usable id");
  return { kind: "request", source, id, rawId: source.text(id), method, params };
}

function invalid(reason: string): UpstreamInvalid {
  return { kind: "invalid", reason };
}
