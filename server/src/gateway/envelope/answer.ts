/** What goes back to the caller: the upstream's bytes with our few edits, everything else as it came (GW-20). */

import type { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Member } from "#lib/json/scan";
import { scanJson } from "#lib/json/scanner";
import { type Edit, spliceParts } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import { INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND_LEGACY, URL_ELICITATION_REQUIRED } from "./errors.ts";
import { META_SERVER_INFO } from "./meta-keys.ts";
import type { UpstreamError, UpstreamNotification, UpstreamRequest, UpstreamResult } from "./read-response.ts";

/** What modern callers must not hear any more, and what they hear instead. */
const MODERN_CODES: ReadonlyMap<number, number> = new Map([
  [RESOURCE_NOT_FOUND_LEGACY, INVALID_PARAMS],
  [URL_ELICITATION_REQUIRED, INTERNAL_ERROR],
]);
const PARAMS_META = watchPlan([["params", "_meta"]]);

export interface AnswerTo {
  /** The caller's id, as it came (GW-3). */
  readonly rawId: string;
  /** The method that is answered: a `tools/call` result gets `content` when the upstream forgot it. */
  readonly method: string;
  readonly era: "modern" | "legacy";
  /** JSON text of our `serverInfo`, for modern callers of an upstream that gave none. */
  readonly serverInfo: string;
  /** Further edits of the upstream's result, outside of everything that is added here. */
  readonly edits?: readonly Edit[] | undefined;
}

/** The answer as Buffers to be written one after the other: one for small answers, views of the source for large ones. */
export function answerParts(message: UpstreamResult | UpstreamError, to: AnswerTo): Buffer[] {
  const edits: Edit[] = [idEdit(message, to.rawId)];
  if (message.kind === "result") addResultEdits(edits, message, to);
  else if (to.era === "modern" && message.codeAt !== undefined) {
    const code = MODERN_CODES.get(message.code);
    if (code !== undefined) edits.push({ start: message.codeAt.start, end: message.codeAt.end, text: String(code) });
  }
  if (to.edits) edits.push(...to.edits);
  if (edits.length > 1) edits.sort((one, other) => one.start - other.start);
  return spliceParts(message.source, edits);
}

function idEdit(message: UpstreamResult | UpstreamError, rawId: string): Edit {
  if (message.id !== undefined) return { start: message.id.start, end: message.id.end, text: rawId };
  const inside = message.root.start + 1;
  return { start: inside, end: inside, text: `"id":${rawId},` };
}

/** Members that the caller's protocol needs and the upstream's answer lacks, put at the front of their object. */
function addResultEdits(edits: Edit[], message: UpstreamResult, to: AnswerTo): void {
  if (message.result.kind !== "object") return;
  const missing: string[] = [];
  const complete = isComplete(message);
  // Some servers leave `content` out, and clients refuse such a result.
  if (to.method === "tools/call" && complete && message.content === undefined) missing.push('"content":[]');
  if (to.era === "modern") {
    if (!message.members.has("resultType")) missing.push('"resultType":"complete"');
    if (to.method === "resources/read" && complete) addCaching(message, missing, edits);
    addServerInfo(message, to.serverInfo, missing, edits);
  }
  if (missing.length > 0) edits.push(insertion(message.result.start, missing, message.members.size));
}

/** Whether it is the answer: a modern server may have a question instead. */
export function isComplete({ resultType }: UpstreamResult): boolean {
  return resultType === undefined || resultType === "complete";
}

function addServerInfo(message: UpstreamResult, json: string, missing: string[], edits: Edit[]): void {
  const serverInfo = `"${META_SERVER_INFO}":${json}`;
  if (!message.members.has("_meta")) missing.push(`"_meta":{${serverInfo}}`);
  else if (message.meta !== undefined && !message.hasServerInfo) {
    edits.push(insertion(message.meta.start, [serverInfo], message.meta.members.size));
  }
}

/**
 * Modern results of reading say how long and for whom they hold. What one caller may read, another may not: it is
 * private, whatever the upstream thinks, who cannot know our callers.
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
 * A request of the upstream under an id of ours, which ties the caller's answer to it. A progress token is exchanged in
 * the same way, or stays where there is nothing to exchange it for.
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

/** Undefined also where `_meta` says it twice: then it means nothing to anybody. */
function progressTokenOf(source: ByteSource): Member | undefined {
  try {
    const token = scanJson(source.chunks, { watch: PARAMS_META }).objects[0]?.members.get("progressToken");
    return token?.kind === "string" || token?.kind === "number" ? token : undefined;
  } catch (fault) {
    if (fault instanceof JsonFault) return undefined;
    throw fault;
  }
}

/** A notification of the upstream; its progress token becomes the caller's, given as JSON text. */
export function notificationParts(message: UpstreamNotification, rawProgressToken?: string): Buffer[] {
  const token = message.progressToken;
  if (token === undefined || rawProgressToken === undefined) return spliceParts(message.source, []);
  return spliceParts(message.source, [{ start: token.start, end: token.end, text: rawProgressToken }]);
}
