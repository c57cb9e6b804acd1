/**
 * Builds messages for the upstream around the caller's bytes. Only `jsonrpc`, `id`, `method`, and `params` are sent
 * (GW-7), and the gateway assigns the id so that no caller can receive another caller's response (GW-3).
 */
import type { ByteSource } from "#lib/json/byte-source";
import type { WatchedObject } from "#lib/json/scan";
import { type Edit, splice } from "#lib/json/splice";
import { META_CLIENT_CAPABILITIES, META_PREFIX, TRACEPARENT, TRACESTATE } from "./meta-keys.ts";
import type { NotificationMessage, RequestMessage, RequestParams, ResponseMessage } from "./read-request.ts";

export interface Rewrite {
  /** Assigned by the gateway; absent for a notification. */
  readonly id?: number;
  /** The upstream's name for the tool or prompt; absent: keep `params.name`. */
  readonly name?: string | undefined;
  /** The upstream's URI of the resource; absent: keep `params.uri`. */
  readonly uri?: string | undefined;
  /** JSON text of the reference with the upstream's names; absent: keep `params.ref`. */
  readonly ref?: string | undefined;
  /** Replaces the caller's token. Absent: remove it, because it means nothing to the upstream. */
  readonly progressToken?: number;
  /** JSON text that replaces `params.progressToken` of a notification; absent: keep it. */
  readonly progressOf?: string;
  /**
   * `keep`: caller and upstream have the same era. `drop`: modern caller, legacy upstream. Otherwise the members, as
   * JSON text by key, that a modern upstream requires and a legacy caller does not send.
   */
  readonly envelope: "keep" | "drop" | ReadonlyMap<string, string>;
  /** JSON text that replaces a modern caller's capabilities; absent: keep them. */
  readonly capabilities?: string | undefined;
  /** Members of `params` that are not forwarded; never all of them. */
  readonly without?: readonly string[] | undefined;
  /** Additional edits of the caller's message; must not overlap the edits made here. */
  readonly edits?: readonly Edit[] | undefined;
  /** Trace members of `_meta`, as JSON text by key, that replace the caller's; absent: keep them. */
  readonly trace?: ReadonlyMap<string, string> | undefined;
}

export function rewriteCall(message: RequestMessage | NotificationMessage, to: Rewrite): Buffer {
  const id = to.id === undefined ? "" : `"id":${to.id},`;
  const head = `{"jsonrpc":"2.0",${id}"method":${JSON.stringify(message.method)}`;
  const { params, source } = message;
  if (params === undefined) {
    const meta = addsToMeta(to) ? `,"params":{"_meta":${metaText(source, undefined, to)}}` : "";
    return Buffer.from(`${head}${meta}}`);
  }
  // Copies once: our head replaces everything before `params`, our closing brace everything after it.
  const edits: Edit[] = [{ start: 0, end: params.start, text: `${head},"params":` }];
  addParamsEdits(edits, source, params, to);
  edits.push({ start: params.end, end: source.length, text: "}" });
  return splice(
    source,
    edits.length > MAX_EDITS_IN_ORDER ? edits.sort((one, other) => one.start - other.start) : edits,
  );
}

/** Head, one edit of the params, and tail are already in order. */
const MAX_EDITS_IN_ORDER = 3;

function addParamsEdits(edits: Edit[], source: ByteSource, params: RequestParams, to: Rewrite): void {
  if (to.name !== undefined) replaceMember(edits, params, "name", JSON.stringify(to.name));
  if (to.uri !== undefined) replaceMember(edits, params, "uri", JSON.stringify(to.uri));
  if (to.ref !== undefined) replaceMember(edits, params, "ref", to.ref);
  if (to.progressOf !== undefined) replaceMember(edits, params, "progressToken", to.progressOf);
  const meta = metaEdit(source, params, to);
  if (meta !== undefined) edits.push(meta);
  const capabilities = to.capabilities === undefined ? undefined : params.meta?.members.get(META_CLIENT_CAPABILITIES);
  if (capabilities !== undefined && to.capabilities !== undefined && !rebuildsMeta(params, to)) {
    edits.push({ start: capabilities.start, end: capabilities.end, text: to.capabilities });
  }
  if (to.without) edits.push(...removals(params, to.without));
  if (to.edits !== undefined && to.edits.length > 0) edits.push(...to.edits);
}

function replaceMember(edits: Edit[], params: RequestParams, key: string, json: string): void {
  const member = params.members.get(key);
  if (member !== undefined) edits.push({ start: member.start, end: member.end, text: json });
}

/** Each removal includes the comma between the member and a neighbor that is kept. */
function removals({ members }: RequestParams, without: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  const inOrder = [...members];
  let keptBefore = false;
  for (const [at, [key, { keyStart, end }]] of inOrder.entries()) {
    if (!without.includes(key)) keptBefore = true;
    else if (keptBefore) edits.push({ start: inOrder[at - 1]?.[1].end ?? keyStart, end, text: "" });
    else edits.push({ start: keyStart, end: inOrder[at + 1]?.[1].keyStart ?? end, text: "" });
  }
  return edits;
}

function metaEdit(source: ByteSource, params: RequestParams, to: Rewrite): Edit | undefined {
  const { meta, progressToken } = params;
  if (meta === undefined) {
    if (!addsToMeta(to)) return undefined;
    const text = `"_meta":${metaText(source, undefined, to)}${params.members.size > 0 ? "," : ""}`;
    return { start: params.start + 1, end: params.start + 1, text };
  }
  if (rebuildsMeta(params, to)) {
    return { start: meta.start, end: meta.end, text: metaText(source, meta, to) };
  }
  if (progressToken === undefined) return undefined;
  return { start: progressToken.start, end: progressToken.end, text: String(to.progressToken) };
}

function rebuildsMeta({ progressToken }: RequestParams, to: Rewrite): boolean {
  if (to.envelope !== "keep" || to.trace !== undefined) return true;
  return progressToken !== undefined && to.progressToken === undefined;
}

function addsToMeta({ envelope, trace }: Rewrite): boolean {
  return typeof envelope !== "string" || (trace !== undefined && trace.size > 0);
}

/** Rebuilds `_meta` from the caller's members, without the ones that are replaced or dropped. */
function metaText(source: ByteSource, meta: WatchedObject | undefined, to: Rewrite): string {
  const members: string[] = [];
  for (const [key, member] of meta?.members ?? []) {
    const text = metaMember(key, to) ?? source.text({ start: member.keyStart, end: member.end });
    if (text !== "") members.push(text);
  }
  if (typeof to.envelope !== "string") {
    for (const [key, json] of to.envelope) members.push(`${JSON.stringify(key)}:${json}`);
  }
  for (const [key, json] of to.trace ?? []) members.push(`"${key}":${json}`);
  return `{${members.join(",")}}`;
}

/** Text of one member after rewriting: empty removes it, undefined keeps it unchanged. */
function metaMember(key: string, { envelope, progressToken, capabilities, trace }: Rewrite): string | undefined {
  if (trace !== undefined && (key === TRACEPARENT || key === TRACESTATE)) return "";
  if (key === "progressToken") return progressToken === undefined ? "" : `"progressToken":${progressToken}`;
  if (envelope !== "keep") return key.startsWith(META_PREFIX) ? "" : undefined;
  return key === META_CLIENT_CAPABILITIES && capabilities !== undefined
    ? `${JSON.stringify(key)}:${capabilities}`
    : undefined;
}

/** The caller's message without some members of its `params`; never without all of them. */
export function withoutParams({ source, params }: RequestMessage, names: readonly string[]): Buffer {
  return splice(source, params ? removals(params, names) : []);
}

/** Builds a caller's response to an upstream's request with the upstream's id (JSON text). */
export function rewriteResponse(message: ResponseMessage, rawId: string): Buffer {
  const answer = message.result ?? message.error;
  if (answer === undefined) throw new TypeError("a response holds a result or an error");
  const key = message.result === undefined ? "error" : "result";
  const { source } = message;
  return splice(source, [
    { start: 0, end: answer.start, text: `{"jsonrpc":"2.0","id":${rawId},"${key}":` },
    { start: answer.end, end: source.length, text: "}" },
  ]);
}
