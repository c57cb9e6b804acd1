import { ByteSource } from "#lib/json/byte-source";
import type { Range } from "#lib/json/scan";
import type { ToolContext } from "./checks/tool-poisoning.ts";

/** What guards examine: one JSON value in the bytes of a message. The gateway's scanner has validated its syntax. */
export interface Payload {
  readonly source: ByteSource;
  readonly range: Range;
  /** First part of all paths. */
  readonly prefix: string;
  /** Skips images, audio and blobs. Only `size` sees them. */
  readonly skipBinary: boolean;
  /** Which json_schema checks apply, and where the value is. */
  readonly schemaTarget: "arguments" | "structuredContent" | undefined;
  /** For tool_poisoning; undefined if the payload is not the definition of a tool. */
  readonly tool: ToolContext | undefined;
}

/** The arguments of a call, with their keys. Paths start with `arguments`. */
export function argumentsPayload(source: ByteSource, range: Range): Payload {
  return { source, range, prefix: "arguments", skipBinary: false, schemaTarget: "arguments", tool: undefined };
}

/** The result of tools/call, resources/read or prompts/get. Paths start in the result, such as `content.0.text`. */
export function resultPayload(source: ByteSource, range: Range): Payload {
  return { source, range, prefix: "", skipBinary: true, schemaTarget: "structuredContent", tool: undefined };
}

/** The message of a progress notification: the range of the JSON string. */
export function progressPayload(source: ByteSource, range: Range): Payload {
  return { source, range, prefix: "message", skipBinary: false, schemaTarget: undefined, tool: undefined };
}

/** Text or a JSON value that is in no message yet. The path of a text is `content`. */
export function contentPayload(content: unknown): Payload {
  return ofValue(content, typeof content === "string" ? "content" : "", undefined);
}

/** The definition of a tool, as a server lists it. */
export function toolPayload(definition: unknown, context: ToolContext): Payload {
  return ofValue(definition, "", context);
}

function ofValue(value: unknown, prefix: string, tool: ToolContext | undefined): Payload {
  const source = new ByteSource(Buffer.from(JSON.stringify(value) ?? "null"));
  const range = { start: 0, end: source.length };
  return { source, range, prefix, skipBinary: false, schemaTarget: "arguments", tool };
}
