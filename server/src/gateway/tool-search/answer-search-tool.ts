import { countForUser, refuseBusyCaller, userRefusal } from "../call/admit.ts";
import { endOwnCall } from "../call/end-own-call.ts";
import { resultBody } from "../envelope/errors.ts";
import { withView } from "../lists/list-methods.ts";
import { resultTail } from "../lists/result-members.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest, type OwnAnswer } from "../request.ts";
import { withoutSearch } from "../snapshot/scope.ts";
import { CALL_TOOL, DEFAULT_FOUND, DESCRIBE_TOOL, MAX_FOUND, MAX_QUERY_CHARACTERS } from "../snapshot/search-source.ts";
import type { View } from "../snapshot/view.ts";
import { callTool } from "./call-tool.ts";
import { definitionOf, definitionsAt, foundTool } from "./definitions.ts";

/** Valid arguments of the tools that search are far shorter. */
const MAX_ARGUMENT_BYTES = 16 * 1024;

/** F13. `find_tools` and `describe_tool` answer from the view that the caller would list without tool search. */
export const answerSearchTool: OwnAnswer = (outer, context) => {
  const tool = outer.call.params?.name ?? "";
  const request = { ...outer, scope: withoutSearch(outer.scope) };
  if (tool === CALL_TOOL) return callTool(request, context, (problem) => answerProblem(request, context, problem));
  const given = argumentsOf(request);
  if (typeof given === "string") return answerProblem(request, context, given);
  const refusal = userRefusal(request, context);
  if (refusal) {
    const to = { method: "tools/call", serverSlug: undefined, tool } as const;
    return refuseBusyCaller(request, context, to, refusal);
  }
  const count = countForUser(request, context);
  const search = tool === DESCRIBE_TOOL ? describeTool : findTools;
  withView(request, context, (view) => {
    search(view, given, context)
      .then((found) => answerFound(request, context, found))
      .catch((error: unknown) => {
        context.logger.error({ err: error, requestId: request.exchange.requestId }, "tool search failed");
        answerProblem(request, context, "Tool search failed. Try again, or call a tool whose name you know.");
      })
      .finally(() => count.release());
  });
};

/** JSON text of the structured content, or what is wrong with the arguments. */
type Found = { readonly json: string } | { readonly problem: string };

async function findTools(view: View, given: Record<string, unknown>, { toolIndexes }: GatewayContext): Promise<Found> {
  const { query, limit = DEFAULT_FOUND } = given;
  if (typeof query !== "string" || query.trim() === "") return { problem: "query must be a string that is not empty" };
  if (query.length > MAX_QUERY_CHARACTERS) return { problem: `query has more than ${MAX_QUERY_CHARACTERS} characters` };
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > MAX_FOUND)
    return { problem: `limit must be an integer from 1 to ${MAX_FOUND}` };
  const index = await toolIndexes.indexOf(view);
  const tools = definitionsAt(view, index.search(query, limit)).map(foundTool);
  return { json: `{"tools":[${tools.join(",")}]}` };
}

/** D26: the same answer for a tool that does not exist and for one that the caller cannot access. */
async function describeTool(view: View, { name }: Record<string, unknown>): Promise<Found> {
  if (typeof name !== "string") return { problem: "name must be a string" };
  const definition = definitionOf(view, name);
  return definition
    ? { json: definition.toString("utf8") }
    : { problem: `Unknown tool: ${name.slice(0, MAX_LOGGED_NAME)}` };
}

function argumentsOf({ call }: McpRequest): Record<string, unknown> | string {
  const args = call.params?.arguments;
  if (!args) return {};
  if (args.end - args.start > MAX_ARGUMENT_BYTES) return "the arguments are too long";
  // The scanner verified that it is a JSON object.
  return JSON.parse(call.source.text(args));
}

function answerFound(request: McpRequest, context: GatewayContext, found: Found): void {
  if ("problem" in found) return answerProblem(request, context, found.problem);
  const text = JSON.stringify(found.json);
  answer(request, context, `"content":[{"type":"text","text":${text}}],"structuredContent":${found.json}`);
}

/** As a result and not as a protocol error, because models see only results. */
function answerProblem(request: McpRequest, context: GatewayContext, problem: string): void {
  const content = JSON.stringify([{ type: "text", text: problem }]);
  answer(request, context, `"content":${content},"isError":true`, problem);
}

function answer(request: McpRequest, context: GatewayContext, members: string, error?: string): void {
  const { rawId, params } = request.call;
  const body = resultBody(rawId, `{${members}${resultTail(request.era, context.serverInfo, false)}}`);
  const outcome = error === undefined ? "ok" : "tool_error";
  endOwnCall(request, context, "tools/call", body, { outcome, tool: params?.name, error });
}
