/** What goes back to the caller: the upstream's bytes with our few edits, everything else as it came (GW-20). */
import { type Edit, spliceParts } from "../json/splice.ts";
import { META_SERVER_INFO } from "./meta-keys.ts";
import type { UpstreamError, UpstreamNotification, UpstreamRequest, UpstreamResult } from "./read-response.ts";

export interface AnswerTo {
  /** The caller's id, as it came (GW-3). */
  readonly rawId: string;
  /** The method that is answered: a `tools/call` result gets `content` when the upstream forgot it. */
  readonly method: string;
  readonly era: "modern" | "legacy";
  /** JSON text of our `serverInfo`, for modern callers of an upstream that gave none. */
  readonly serverInfo: string;
}

/** The answer as Buffers to be written one after the other: one for small answers, views of the source for large ones. */
export function answerParts(message: UpstreamResult | UpstreamError, to: AnswerTo): Buffer[] {
  const edits: Edit[] = [idEdit(message, to.rawId)];
  if (message.kind === "result") edits.push(...resultEdits(message, to));
  return spliceParts(
    message.source,
    edits.sort((one, other) => one.start - other.start),
  );
}

function idEdit(message: UpstreamResult | UpstreamError, rawId: string): Edit {
  if (message.id !== undefined) return { start: message.id.start, end: message.id.end, text: rawId };
  const inside = message.root.start + 1;
  return { start: inside, end: inside, text: `"id":${rawId},` };
}

/** Members that the caller's protocol needs and the upstream's answer lacks, put at the front of their object. */
function resultEdits(message: UpstreamResult, to: AnswerTo): Edit[] {
  if (message.result.kind !== "object") return [];
  const edits: Edit[] = [];
  const missing: string[] = [];
  const complete = message.resultType === undefined || message.resultType === "complete";
  // Some servers leave `content` out, and clients refuse such a result.
  if (to.method === "tools/call" && complete && message.content === undefined) missing.push('"content":[]');
  if (to.era === "modern") {
    if (!message.members.has("resultType")) missing.push('"resultType":"complete"');
    const serverInfo = `"${META_SERVER_INFO}":${to.serverInfo}`;
    if (!message.members.has("_meta")) missing.push(`"_meta":{${serverInfo}}`);
    else if (message.meta !== undefined && !message.hasServerInfo) {
      edits.push(insertion(message.meta.start, [serverInfo], message.meta.members.size));
    }
  }
  if (missing.length > 0) edits.push(insertion(message.result.start, missing, message.members.size));
  return edits;
}

function insertion(objectStart: number, members: readonly string[], present: number): Edit {
  const text = members.join(",");
  return { start: objectStart + 1, end: objectStart + 1, text: present > 0 ? `${text},` : text };
}

/** A request of the upstream under an id of ours, which ties the caller's answer to it. */
export function requestParts(message: UpstreamRequest, rawId: string): Buffer[] {
  return spliceParts(message.source, [{ start: message.id.start, end: message.id.end, text: rawId }]);
}

/** A notification of the upstream; its progress token becomes the caller's, given as JSON text. */
export function notificationParts(message: UpstreamNotification, rawProgressToken?: string): Buffer[] {
  const token = message.progressToken;
  if (token === undefined || rawProgressToken === undefined) return spliceParts(message.source, []);
  return spliceParts(message.source, [{ start: token.start, end: token.end, text: rawProgressToken }]);
}
