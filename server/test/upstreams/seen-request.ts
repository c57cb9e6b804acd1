/** An HTTP request as a raw upstream received it. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { objectMembers, rawMembers, rawString } from "./raw-json.ts";

const VERSION_META = "io.modelcontextprotocol/protocolVersion";

export interface SeenRequest {
  readonly httpMethod: string;
  /** JSON-RPC method; `response` for a response to the upstream's request; empty on GET and DELETE. */
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly id: string | undefined;
  readonly era: "modern" | "legacy";
  readonly tool: string | undefined;
  readonly uri: string | undefined;
  /** Whether the response was sent completely. */
  answered: boolean;
  /** Whether the client disconnected before the response was complete. */
  aborted: boolean;
}

/** Undefined if the body is not a JSON object. */
export function readSeen(request: IncomingMessage, body: Buffer): SeenRequest | undefined {
  const common = { httpMethod: request.method ?? "", headers: request.headers, body, answered: false, aborted: false };
  if (request.method !== "POST")
    return { ...common, method: "", id: undefined, era: "legacy", tool: undefined, uri: undefined };
  try {
    const message = rawMembers(body.toString("latin1"));
    const params = objectMembers(message.get("params"));
    return {
      ...common,
      method: rawString(message.get("method")) ?? "response",
      id: message.get("id"),
      era: objectMembers(params.get("_meta")).has(VERSION_META) ? "modern" : "legacy",
      tool: rawString(params.get("name")),
      uri: rawString(params.get("uri")),
    };
  } catch {
    return undefined;
  }
}
