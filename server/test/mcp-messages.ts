/** Messages of either era as text, so that a test decides over every byte of them. */

export type CallerEra = "modern" | "legacy";

const MODERN_VERSION = "2026-07-28";
const MODERN_ENVELOPE = `"io.modelcontextprotocol/protocolVersion":"${MODERN_VERSION}","io.modelcontextprotocol/clientCapabilities":{}`;

export interface CallText {
  readonly era: CallerEra;
  /** JSON texts, put into the message as they are. */
  readonly id: string;
  readonly arguments?: string;
  readonly progressToken?: string;
  /** Of the modern era. */
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

/** Any request under the id 1; `members` of its params are JSON texts. */
export function requestText(era: CallerEra, method: string, members: readonly string[] = []): string {
  const params = era === "modern" ? [...members, `"_meta":{${MODERN_ENVELOPE}}`] : members;
  return `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params.join(",")}}}`;
}

/** What a modern caller repeats in headers; a legacy one needs none (Spec 4.5). */
export function eraHeaders(era: CallerEra, method: string, name?: string): Record<string, string> {
  if (era === "legacy") return {};
  return {
    "mcp-protocol-version": MODERN_VERSION,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

/** The messages of an event stream, each as its text. */
export function eventsOf(stream: string): string[] {
  const events = stream.split("\n\n").filter((event) => event !== "");
  return events.map((event) =>
    event
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => line.slice("data: ".length))
      .join("\n"),
  );
}
