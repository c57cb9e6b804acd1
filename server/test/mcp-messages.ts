/** Messages of either era as text, so that a test controls every byte of them. */
import { MODERN_META, modernHeaders } from "./gateway-kit.ts";

export type CallerEra = "modern" | "legacy";

/** The members of a modern request's `_meta`. */
const MODERN_ENVELOPE = JSON.stringify(MODERN_META).slice(1, -1);

export interface CallText {
  readonly era: CallerEra;
  /** JSON texts that are inserted unchanged. */
  readonly id: string;
  readonly arguments?: string;
  readonly progressToken?: string;
  /** Modern era only. */
  readonly logLevel?: string;
  /** The tool's name at the gateway. */
  readonly tool: string;
}

export function callText(call: CallText): string {
  const meta = [
    ...(call.era === "modern" ? [MODERN_ENVELOPE] : []),
    ...(call.progressToken === undefined ? [] : [`"progressToken":${call.progressToken}`]),
    ...(call.logLevel === undefined ? [] : [`"io.modelcontextprotocol/logLevel":"${call.logLevel}"`]),
  ];
  const params = [
    `"name":${JSON.stringify(call.tool)}`,
    ...(call.arguments === undefined ? [] : [`"arguments":${call.arguments}`]),
    ...(meta.length === 0 ? [] : [`"_meta":{${meta.join(",")}}`]),
  ];
  return `{"jsonrpc":"2.0","id":${call.id},"method":"tools/call","params":{${params.join(",")}}}`;
}

export function listText(era: CallerEra): string {
  return requestText(era, "tools/list");
}

/** Any request with the id 1; `members` of its params are JSON texts. */
export function requestText(era: CallerEra, method: string, members: readonly string[] = []): string {
  const params = era === "modern" ? [...members, `"_meta":{${MODERN_ENVELOPE}}`] : members;
  return `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params.join(",")}}}`;
}

/** A modern caller repeats the method and the name in headers; a legacy caller needs none (Spec 4.5). */
export function eraHeaders(era: CallerEra, method: string, name?: string): Record<string, string> {
  return era === "legacy" ? {} : modernHeaders(method, name);
}
