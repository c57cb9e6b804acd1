import { endOwnCall } from "../../call/end-own-call.ts";
import { resultBody } from "../../envelope/errors.ts";
import { resultTail } from "../../lists/result-members.ts";
import type { GatewayContext, McpRequest } from "../../request.ts";
import type { CommandEntry } from "../../snapshot/commands.ts";

const METHOD = "completion/complete";
const MAX_VALUES = 100;
/** A prefix of an allowed value is far shorter. */
const MAX_ARGUMENT_BYTES = 16 * 1024;

/** `completion/complete` for an argument of a command: its allowed values by prefix, case-insensitive. */
export function completeArgument(request: McpRequest, context: GatewayContext, { slug, listed }: CommandEntry): void {
  const { call, era } = request;
  const { name, value } = givenArgument(request);
  const prefix = String(value ?? "").toLowerCase();
  const allowed = listed.find((argument) => argument.name === name)?.enum ?? [];
  const found = allowed.filter((each) => each.toLowerCase().startsWith(prefix));
  const values = found.slice(0, MAX_VALUES);
  const completion = { values, total: found.length, hasMore: found.length > values.length };
  const tail = resultTail(era, context.serverInfo, false);
  const body = resultBody(call.rawId, `{"completion":${JSON.stringify(completion)}${tail}}`);
  endOwnCall(request, context, METHOD, body, { outcome: "ok", tool: slug });
}

function givenArgument({ call }: McpRequest): { readonly name?: unknown; readonly value?: unknown } {
  const member = call.params?.members.get("argument");
  if (member?.kind !== "object" || member.end - member.start > MAX_ARGUMENT_BYTES) return {};
  return JSON.parse(call.source.text(member));
}
