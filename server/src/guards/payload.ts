import { ByteSource } from "#lib/json/byte-source";
import type { Range } from "#lib/json/scan";
import type { ToolContext } from "./checks/tool-poisoning.ts";
import type { Direction } from "./definition.ts";

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

/**
 * Text or a JSON value that is in no message yet. The path of a text is `content`. An object is examined like the
 * arguments of a request or like a result, so that a test leads to the same decision as a call.
 */
export function contentPayload(content: unknown, direction: Direction = "request"): Payload {
  const source = sourceOf(content);
  const range = { start: 0, end: source.length };
  if (typeof content === "string")
    return { ...resultPayload(source, range), prefix: "content", schemaTarget: undefined };
  return direction === "response" ? resultPayload(source, range) : { ...argumentsPayload(source, range), prefix: "" };
}

/** The definition of a tool, as a server lists it. */
export function toolPayload(definition: unknown, tool: ToolContext): Payload {
  const source = sourceOf(definition);
  return { ...argumentsPayload(source, { start: 0, end: source.length }), prefix: "", schemaTarget: undefined, tool };
}

function sourceOf(value: unknown): ByteSource {
  return new ByteSource(Buffer.from(JSON.stringify(value) ?? "null"));
}
