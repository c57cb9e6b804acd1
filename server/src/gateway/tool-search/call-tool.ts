import { ByteSource } from "#lib/json/byte-source";
import { JsonFault, type Member, type Scan } from "#lib/json/scan";
import { LARGE_TEXT_BYTES, ScanInTurns } from "#lib/json/scan-in-turns";
import { scanJson } from "#lib/json/scanner";
import { type Edit, spliceParts } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import { toolsCall } from "../call/tools-call.ts";
import { type ParsedRequest, type RequestParams, readLargeRequest, readRequest } from "../envelope/read-request.ts";
import type { GatewayContext, McpRequest } from "../request.ts";

const TOP_LEVEL = { watch: watchPlan([[]]) };
const ARGUMENTS = ["name", "arguments"];

/**
 * `gatehouse__call_tool`: replaces name and arguments of the message with those of the nested call, and continues with
 * it as if the caller had sent it. All other bytes, such as `_meta` and `requestState`, are kept.
 */
export function callTool(request: McpRequest, context: GatewayContext, refuse: (problem: string) => void): void {
  const { params } = request.call;
  const args = params?.arguments;
  if (!params || !args) return refuse("name must be a string");
  const { source } = request.call;
  const { largeRequests } = context;
  const text = new ByteSource(source.parts(args.start, args.end));
  const scanned = (scan: Scan | JsonFault) => {
    const nested = scan instanceof JsonFault ? "an argument is given twice" : nestedMembers(scan);
    if (typeof nested === "string") return refuse(nested);
    const message = new ByteSource(spliceParts(source, editsFor(params, args, text, nested)));
    const call = (parsed: ParsedRequest) => {
      // Its envelope passed all checks before.
      if (parsed.kind === "request") toolsCall({ ...request, call: parsed, nested: true }, context);
    };
    if (message.length < LARGE_TEXT_BYTES) call(readRequest(message));
    else readLargeRequest(message, largeRequests, call);
  };
  if (text.length < LARGE_TEXT_BYTES) scanned(scan(text));
  else largeRequests.enqueue(new ScanInTurns(text, TOP_LEVEL, scanned));
}

function scan({ chunks }: ByteSource): Scan | JsonFault {
  try {
    return scanJson(chunks, TOP_LEVEL);
  } catch (fault) {
    // The message was well formed, so the only possible fault is a duplicate key.
    if (fault instanceof JsonFault) return fault;
    throw fault;
  }
}

interface Nested {
  readonly name: Member;
  readonly args: Member | undefined;
}

/** Their positions in the arguments, or what is wrong. Unknown members are rejected: models put arguments there. */
function nestedMembers({ objects }: Scan): Nested | string {
  const members = objects[0]?.members;
  const name = members?.get("name");
  const args = members?.get("arguments");
  if (name?.kind !== "string") return "name must be a string";
  if (args && args.kind !== "object") return "arguments must be an object";
  const unknown = [...(members?.keys() ?? [])].find((key) => !ARGUMENTS.includes(key));
  if (unknown === undefined) return { name, args };
  return `unexpected member ${JSON.stringify(unknown.slice(0, 64))}: put the arguments of the tool into "arguments"`;
}

function editsFor(params: RequestParams, outerArgs: Member, text: ByteSource, { name, args }: Nested): Edit[] {
  const edits: Edit[] = [
    { start: outerArgs.start, end: outerArgs.end, text: args ? text.slice(args.start, args.end) : "{}" },
  ];
  const outerName = params.members.get("name");
  if (outerName) edits.push({ start: outerName.start, end: outerName.end, text: text.slice(name.start, name.end) });
  return edits.sort((one, other) => one.start - other.start);
}
