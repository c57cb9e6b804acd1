/**
 * What goes to the upstream: a message of ours around the caller's bytes. Only `jsonrpc`, `id`, `method` and `params` go
 * out (GW-7); the id is ours, so no caller can get another's answer (GW-3).
 */
import type { ByteSource } from "#lib/json/byte-source";
import type { WatchedObject } from "#lib/json/scan";
import { type Edit, splice } from "#lib/json/splice";
import { META_CLIENT_CAPABILITIES, META_PREFIX, TRACEPARENT, TRACESTATE } from "./meta-keys.ts";
import type { NotificationMessage, RequestMessage, RequestParams, ResponseMessage } from "./read-request.ts";

export interface Rewrite {
  /** Our id; absent for a notification. */
  readonly id?: number;
  /** The upstream's name of the tool or prompt; absent: `params.name` stays. */
  readonly name?: string | undefined;
  /** The upstream's address of the resource; absent: `params.uri` stays. */
  readonly uri?: string | undefined;
  /** JSON text of the reference in the upstream's words; absent: `params.ref` stays. */
  readonly ref?: string | undefined;
  /** Ours, in place of the caller's. Absent: the caller's is left out, because it would mean nothing upstream. */
  readonly progressToken?: number;
  /** JSON text of `params.progressToken` of a notification in the upstream's words; absent: it stays. */
  readonly progressOf?: string;
  /**
   * `keep`: caller and upstream are of one era. `drop`: the caller is modern, the upstream legacy. Else the members that
   * a modern upstream needs from a legacy caller, by key, as JSON text.
   */
  readonly envelope: "keep" | "drop" | ReadonlyMap<string, string>;
  /** JSON text in place of what a modern caller says that it can; absent: that stays. */
  readonly capabilities?: string | undefined;
  /** Members of `params` that stay here; not all of them. */
  readonly without?: readonly string[] | undefined;
  /** Further edits of the caller's message, outside of everything that is replaced here. */
  readonly edits?: readonly Edit[] | undefined;
  /** What `_meta` says of the trace in place of what it said, by key, as JSON text; absent: that stays. */
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
  // One copy: our head takes the place of what stood before `params`, our brace of what stood after it.
  const edits: Edit[] = [{ start: 0, end: params.start, text: `${head},"params":` }];
  addParamsEdits(edits, source, params, to);
  edits.push({ start: params.end, end: source.length, text: "}" });
  return splice(source, edits.length > MOST_IN_ORDER ? edits.sort((one, other) => one.start - other.start) : edits);
}

/** Head, one edit of the params, tail: nothing to sort. */
const MOST_IN_ORDER = 3;

function addParamsEdits(edits: Edit[], source: ByteSource, params: RequestParams, to: Rewrite): void {
  if (to.name !== undefined) exchange(edits, params, "name", JSON.stringify(to.name));
  if (to.uri !== undefined) exchange(edits, params, "uri", JSON.stringify(to.uri));
  if (to.ref !== undefined) exchange(edits, params, "ref", to.ref);
  if (to.progressOf !== undefined) exchange(edits, params, "progressToken", to.progressOf);
  const meta = metaEdit(source, params, to);
  if (meta !== undefined) edits.push(meta);
  const capabilities = to.capabilities === undefined ? undefined : params.meta?.members.get(META_CLIENT_CAPABILITIES);
  if (capabilities !== undefined && to.capabilities !== undefined && !rebuildsMeta(params, to)) {
    edits.push({ start: capabilities.start, end: capabilities.end, text: to.capabilities });
  }
  if (to.without) edits.push(...removals(params, to.without));
  if (to.edits !== undefined && to.edits.length > 0) edits.push(...to.edits);
}

function exchange(edits: Edit[], params: RequestParams, key: string, json: string): void {
  const member = params.members.get(key);
  if (member !== undefined) edits.push({ start: member.start, end: member.end, text: json });
}

/** Each with the comma that it shares with a member that stays. */
function removals({ members }: RequestParams, without: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  const inOrder = [...members];
  let stays = false;
  for (const [at, [key, { keyStart, end }]] of inOrder.entries()) {
    if (!without.includes(key)) stays = true;
    else if (stays) edits.push({ start: inOrder[at - 1]?.[1].end ?? keyStart, end, text: "" });
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

/** `_meta` put together anew: the caller's members as they came, without those that are replaced or dropped. */
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

/** What becomes of one member; empty: it is left out; undefined: it stays as it came. */
function metaMember(key: string, { envelope, progressToken, capabilities, trace }: Rewrite): string | undefined {
  if (trace !== undefined && (key === TRACEPARENT || key === TRACESTATE)) return "";
  if (key === "progressToken") return progressToken === undefined ? "" : `"progressToken":${progressToken}`;
  if (envelope !== "keep") return key.startsWith(META_PREFIX) ? "" : undefined;
  return key === META_CLIENT_CAPABILITIES && capabilities !== undefined
    ? `${JSON.stringify(key)}:${capabilities}`
    : undefined;
}

/** A caller's answer to an upstream's request, under the upstream's own id (JSON text). */
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
