import { countForUser, refuseBusyCaller, userRefusal } from "../../call/admit.ts";
import { endOwnCall } from "../../call/end-own-call.ts";
import { errorBody, INTERNAL_ERROR, resultBody } from "../../envelope/errors.ts";
import { resultTail } from "../../lists/result-members.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest, type OwnAnswer } from "../../request.ts";
import { resolve } from "../../snapshot/resolve.ts";
import type { SkillFileEntry } from "../../snapshot/skills.ts";

const METHOD = "resources/read";

/** `resources/read` of a file of a skill: the bytes that its digest covers. */
export const answerSkillFile: OwnAnswer = (request, context, target) => {
  const uri = "uri" in target ? target.uri : "";
  const tool = uri.slice(0, MAX_LOGGED_NAME);
  const found = resolve(context.holder.current(), request.principal, request.scope).skillFile(uri);
  if (!found) throw new Error("A skill was answered that the caller cannot use");
  const refusal = userRefusal(request, context);
  if (refusal) return refuseBusyCaller(request, context, { method: METHOD, serverSlug: undefined, tool }, refusal);
  const count = countForUser(request, context);
  context.skillFiles
    .read(found.file.digest)
    .then((content) => answer(request, context, tool, contentsOf(uri, found.file, content)))
    .catch((error: unknown) => fail(request, context, tool, error))
    .finally(() => count.release());
};

/** JSON text of an entry in `contents`. */
export function contentsOf(uri: string, { mimeType, isText }: SkillFileEntry, content: Buffer): string {
  const body = isText ? { text: content.toString("utf8") } : { blob: content.toString("base64") };
  return JSON.stringify({ uri, mimeType, ...body });
}

function answer(request: McpRequest, context: GatewayContext, tool: string, contents: string): void {
  const { call, era } = request;
  const body = resultBody(call.rawId, `{"contents":[${contents}]${resultTail(era, context.serverInfo, true)}}`);
  endOwnCall(request, context, METHOD, body, { outcome: "ok", tool });
}

function fail(request: McpRequest, context: GatewayContext, tool: string, error: unknown): void {
  const { exchange, call } = request;
  context.logger.error({ err: error, requestId: exchange.requestId }, "a file of a skill could not be read");
  const message = "The file could not be read; try again";
  const body = errorBody(call.rawId, INTERNAL_ERROR, message, { requestId: exchange.requestId });
  endOwnCall(request, context, METHOD, body, { outcome: "error", tool, error: message });
}
