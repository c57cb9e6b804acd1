import { SKILL_MD, skillUri } from "#lib/skill-uri";
import { countForUser, refuseBusyCaller, userRefusal } from "../../call/admit.ts";
import { endOwnCall } from "../../call/end-own-call.ts";
import { resultBody } from "../../envelope/errors.ts";
import { resultTail } from "../../lists/result-members.ts";
import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest, type OwnAnswer } from "../../request.ts";
import { resolve } from "../../snapshot/resolve.ts";
import { LIST_SKILLS } from "../../snapshot/skill-tools.ts";
import { contentsOf } from "./read-skill-file.ts";

const METHOD = "tools/call";
const MAX_ARGUMENT_BYTES = 16 * 1024;

/** Members of a result as JSON text, or what is wrong. */
type Answer = { readonly members: string } | { readonly problem: string };

export const answerSkillTool: OwnAnswer = (request, context) => {
  const tool = request.call.params?.name ?? "";
  const refusal = userRefusal(request, context);
  if (refusal) return refuseBusyCaller(request, context, { method: METHOD, serverSlug: undefined, tool }, refusal);
  const count = countForUser(request, context);
  const answer = tool === LIST_SKILLS ? listSkills(request, context) : loadSkill(request, context);
  void answer
    .catch((error: unknown): Answer => {
      context.logger.error({ err: error, requestId: request.exchange.requestId }, "a skill could not be loaded");
      return { problem: "The skill could not be loaded; try again" };
    })
    .then((answered) => send(request, context, tool, answered))
    .finally(() => count.release());
};

async function listSkills({ principal, scope }: McpRequest, { holder }: GatewayContext): Promise<Answer> {
  const skills = holder.viewFor(principal, scope).skills.map(({ slug, description, version, files }) => {
    return { name: slug, description, version, files: [...files.keys()] };
  });
  const json = JSON.stringify({ skills });
  return { members: `"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}` };
}

/** D26: the same answer for a skill that does not exist and for one out of reach. */
async function loadSkill(request: McpRequest, context: GatewayContext): Promise<Answer> {
  const { name, path = SKILL_MD } = argumentsOf(request);
  if (typeof name !== "string") return { problem: "name must be a string" };
  if (typeof path !== "string") return { problem: "path must be a string" };
  const skill = resolve(context.holder.current(), request.principal, request.scope).skill(name);
  if (!skill) return { problem: `Unknown skill: ${name.slice(0, MAX_LOGGED_NAME)}` };
  const file = skill.files.get(path);
  if (!file) return { problem: `The skill ${skill.slug} has no file ${path.slice(0, MAX_LOGGED_NAME)}` };
  const content = await context.skillFiles.read(file.digest);
  if (file.isText) {
    return { members: `"content":[{"type":"text","text":${JSON.stringify(content.toString("utf8"))}}]` };
  }
  const resource = contentsOf(skillUri(skill.slug, path), file, content);
  return { members: `"content":[{"type":"resource","resource":${resource}}]` };
}

function argumentsOf({ call }: McpRequest): Record<string, unknown> {
  const args = call.params?.arguments;
  if (!args || args.end - args.start > MAX_ARGUMENT_BYTES) return {};
  // The scanner verified that it is a JSON object.
  return JSON.parse(call.source.text(args));
}

/** Problems are results and not protocol errors, because models see only results. */
function send(request: McpRequest, context: GatewayContext, tool: string, answer: Answer): void {
  const { call, era } = request;
  const error = "problem" in answer ? answer.problem : undefined;
  const members =
    "problem" in answer
      ? `"content":${JSON.stringify([{ type: "text", text: answer.problem }])},"isError":true`
      : answer.members;
  const body = resultBody(call.rawId, `{${members}${resultTail(era, context.serverInfo, false)}}`);
  endOwnCall(request, context, METHOD, body, { outcome: error === undefined ? "ok" : "tool_error", tool, error });
}
