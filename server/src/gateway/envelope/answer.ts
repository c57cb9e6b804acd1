/** Builds responses for the caller: the upstream's bytes, unchanged except for a few edits (GW-20). */

import type { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Member } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { type Edit, spliceParts } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import { INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND_LEGACY, URL_ELICITATION_REQUIRED } from "./errors.ts";
import { mergeEdits } from "./merge-edits.ts";
import { META_SERVER_INFO } from "./meta-keys.ts";
import type { UpstreamError, UpstreamNotification, UpstreamRequest, UpstreamResult } from "./read-response.ts";

/** Error codes that the modern protocol forbids, with their replacements. */
const MODERN_CODES: ReadonlyMap<number, number> = new Map([
  [RESOURCE_NOT_FOUND_LEGACY, INVALID_PARAMS],
  [URL_ELICITATION_REQUIRED, INTERNAL_ERROR],
]);
const PARAMS_META = watchPlan([["params", "_meta"]]);

export interface AnswerTo {
  /** The id exactly as the caller sent it (GW-3). */
  readonly rawId: string;
  /** The method of the request: a `tools/call` result gets an empty `content` when the upstream omitted it. */
  readonly method: string;
  readonly era: "modern" | "legacy";
  /** JSON text of the gateway's `serverInfo`, added for modern callers when the upstream sent none. */
  readonly serverInfo: string;
  /** Additional edits of the upstream's result or error. Where they overlap those made here, the latter apply. */
  readonly edits?: readonly Edit[] | undefined;
  /** A member for `_meta` of the result as JSON text, which replaces the upstream's. */
  readonly meta?: MetaMember | undefined;
}

export interface MetaMember {
  readonly key: string;
  readonly json: string;
}

/** Returns the response as buffers to write in order: one for a small response, views of the source for a large one. */
export function answerParts(message: UpstreamResult | UpstreamError, to: AnswerTo): Buffer[] {
  const edits: Edit[] = [idEdit(message, to.rawId)];
  if (message.kind === "result") addResultEdits(edits, message, to);
  else if (to.era === "modern" && message.codeAt !== undefined) {
    const code = MODERN_CODES.get(message.code);
    if (code !== undefined) edits.push({ start: message.codeAt.start, end: message.codeAt.end, text: String(code) });
  }
  if (to.edits && to.edits.length > 0) return spliceParts(message.source, mergeEdits([...edits, ...to.edits]));
  if (edits.length > 1) edits.sort((one, other) => one.start - other.start);
  return spliceParts(message.source, edits);
}

function idEdit(message: UpstreamResult | UpstreamError, rawId: string): Edit {
  if (message.id !== undefined) return { start: message.id.start, end: message.id.end, text: rawId };
  const inside = message.root.start + 1;
  return { start: inside, end: inside, text: `"id":${rawId},` };
}

/** Inserts members that the caller's protocol requires and the upstream omitted at the start of their object. */
function addResultEdits(edits: Edit[], message: UpstreamResult, to: AnswerTo): void {
  if (message.result.kind !== "object") return;
  const missing: string[] = [];
  const complete = isComplete(message);
  // Some servers omit `content`, and clients reject such a result.
  if (to.method === "tools/call" && complete && message.content === undefined) missing.push('"content":[]');
  if (to.era === "modern") {
    if (!message.members.has("resultType")) missing.push('"resultType":"complete"');
    if (to.method === "resources/read" && complete) addCaching(message, missing, edits);
  }
  addMeta(message, to, missing, edits);
  if (missing.length > 0) edits.push(insertion(message.result.start, missing, keptMembers(message, to.edits)));
}

/** Whether this is the final result: a modern server may return an input request instead. */
export function isComplete({ resultType }: UpstreamResult): boolean {
  return resultType === undefined || resultType === "complete";
}

/** Whether the upstream will respond later: a task of the extension, or of MCP 2025-11-25. */
export function isTask({ resultType, members, content }: UpstreamResult): boolean {
  return resultType === "task" || (content === undefined && members.get("task")?.kind === "object");
}

/** The number of members of the result that an edit does not remove. */
function keptMembers({ members }: UpstreamResult, edits: readonly Edit[] = []): number {
  if (edits.length === 0) return members.size;
  const isKept = ({ keyStart, end }: Member) => !edits.some((edit) => edit.start <= keyStart && edit.end >= end);
  return [...members.values()].filter(isKept).length;
}

function addMeta(message: UpstreamResult, { era, serverInfo, meta }: AnswerTo, missing: string[], edits: Edit[]): void {
  const needsInfo = era === "modern" && !message.hasServerInfo;
  if (!needsInfo && meta === undefined) return;
  const added = needsInfo ? [`"${META_SERVER_INFO}":${serverInfo}`] : [];
  const given = meta && message.meta?.members.get(meta.key);
  if (given) edits.push({ start: given.start, end: given.end, text: meta.json });
  else if (meta) added.push(`"${meta.key}":${meta.json}`);
  if (added.length === 0) return;
  if (!message.members.has("_meta")) missing.push(`"_meta":{${added.join(",")}}`);
  else if (message.meta !== undefined) edits.push(insertion(message.meta.start, added, message.meta.members.size));
}

/**
 * Modern read results state a cache lifetime and scope. The scope is always private because the upstream does not know
 * which callers may read the resource.
 */
function addCaching({ members }: UpstreamResult, missing: string[], edits: Edit[]): void {
  if (!members.has("ttlMs")) missing.push('"ttlMs":0');
  const scope = members.get("cacheScope");
  if (scope !== undefined) edits.push({ start: scope.start, end: scope.end, text: '"private"' });
  else missing.push('"cacheScope":"private"');
}

function insertion(objectStart: number, members: readonly string[], present: number): Edit {
  const text = members.join(",");
  return { start: objectStart + 1, end: objectStart + 1, text: present > 0 ? `${text},` : text };
}

/**
 * Builds an upstream's request with a gateway id, which ties the caller's response to it. A progress token is replaced
 * the same way, or stays unchanged when `tokenFor` returns undefined.
 */
export function questionParts(
  { source, id }: UpstreamRequest,
  token: string,
  tokenFor: (rawProgressToken: string) => string | undefined,
): Buffer[] {
  const edits: Edit[] = [{ start: id.start, end: id.end, text: JSON.stringify(token) }];
  const progressToken = progressTokenOf(source);
  const ours = progressToken && tokenFor(source.text(progressToken));
  if (progressToken && ours !== undefined)
    edits.push({ start: progressToken.start, end: progressToken.end, text: JSON.stringify(ours) });
  return spliceParts(
    source,
    edits.sort((one, other) => one.start - other.start),
  );
}

/** Returns undefined also when `_meta` contains the token twice, because it is then ambiguous. */
function progressTokenOf(source: ByteSource): Member | undefined {
  try {
    const token = scanJson(source.chunks, { watch: PARAMS_META }).objects[0]?.members.get("progressToken");
    return token?.kind === "string" || token?.kind === "number" ? token : undefined;
  } catch (fault) {
    if (fault instanceof JsonFault) return undefined;
    throw fault;
  }
}

/** Builds an upstream's notification with its progress token replaced by the caller's, given as JSON text. */
export function notificationParts(
  { source, progressToken: token }: UpstreamNotification,
  rawProgressToken?: string,
  edits: readonly Edit[] = [],
): Buffer[] {
  if (token === undefined || rawProgressToken === undefined) return spliceParts(source, edits);
  return spliceParts(source, mergeEdits([{ start: token.start, end: token.end, text: rawProgressToken }, ...edits]));
}
