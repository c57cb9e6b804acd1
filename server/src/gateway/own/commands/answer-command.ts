/** `prompts/get` of a command: renders it from the snapshot. */
import { renderCommand } from "#lib/command-values";
import { ByteSource } from "#lib/json/byte-source";
import { type Edit, splice } from "#lib/json/splice";
import { countForUser, refuseBusyCaller, userRefusal } from "../../call/admit.ts";
import { deny } from "../../call/deny.ts";
import { endOwnCall } from "../../call/end-own-call.ts";
import { guardMeta } from "../../call/guard-reports.ts";
import { type CheckOutcome, runChecks } from "../../call/run-checks.ts";
import { errorBody, GUARD_BLOCKED, INTERNAL_ERROR, resultBody } from "../../envelope/errors.ts";
import { resultTail } from "../../lists/result-members.ts";
import type { GatewayContext, McpRequest, OwnAnswer } from "../../request.ts";
import { GATEWAY_AS_SERVER } from "../../snapshot/command-source.ts";
import type { CommandEntry } from "../../snapshot/commands.ts";
import { resolve } from "../../snapshot/resolve.ts";
import type { CheckTarget, GuardReport } from "../../snapshot/shape.ts";
import { type Arguments, readValues } from "./read-values.ts";

const METHOD = "prompts/get";
const CHECK_FAILED = "The call could not be checked";

export const answerCommand: OwnAnswer = (request, context) => {
  const slug = request.call.params?.name ?? "";
  const resolution = resolve(context.holder.current(), request.principal, request.scope);
  const command = resolution.command(slug);
  if (!command) throw new Error("A command was answered that the caller cannot use");
  const refusal = userRefusal(request, context);
  if (refusal)
    return refuseBusyCaller(request, context, { method: METHOD, serverSlug: undefined, tool: slug }, refusal);
  const count = countForUser(request, context);
  const skills = command.skills.filter((name) => resolution.skill(name));
  const proceed = (outcome: CheckOutcome) => afterChecks(request, context, { command, skills }, outcome);
  const outcome = check(request, context, command);
  if (!(outcome instanceof Promise)) {
    proceed(outcome);
    count.release();
    return;
  }
  void outcome
    .then(proceed)
    .catch((error: unknown) => proceed({ kind: "failed", error }))
    .finally(() => count.release());
};

interface Rendering {
  readonly command: CommandEntry;
  /** Slugs of those that the caller can use. */
  readonly skills: readonly string[];
}

/** Request guards see the values of the arguments. */
function check(
  { call, exchange, principal }: McpRequest,
  { holder }: GatewayContext,
  { item, slug }: CommandEntry,
): CheckOutcome | Promise<CheckOutcome> {
  const target: CheckTarget = { user: principal.user, server: GATEWAY_AS_SERVER, item };
  const { source, params } = call;
  const checked = {
    ...{ ...target, requestId: exchange.requestId, method: METHOD, tool: slug, source },
    ...{ arguments: params?.arguments, edits: [] },
  };
  return runChecks(holder.current().checks.request, { ...target, checked }, undefined);
}

function afterChecks(
  request: McpRequest,
  context: GatewayContext,
  { command, skills }: Rendering,
  outcome: CheckOutcome,
): void {
  const { slug } = command;
  if (outcome.kind === "failed") {
    const { requestId } = request.exchange;
    context.logger.error({ err: outcome.error, requestId }, "a check failed, so the call was blocked");
    return refuse(request, context, slug, { code: INTERNAL_ERROR, message: CHECK_FAILED, outcome: "error" });
  }
  if (outcome.kind !== "passed") {
    // A prompt cannot wait for an approval: a person asks for it, and nothing happens yet.
    const message = outcome.kind === "held" ? `Blocked by guard "${outcome.guard.name}"` : outcome.message;
    const guard = outcome.report;
    return refuse(request, context, slug, { code: GUARD_BLOCKED, message, outcome: "blocked", guard });
  }
  const values = readValues(redacted(request, outcome.edits), command.names);
  const rendered = values instanceof Map ? renderCommand(command.template, values, skills) : values;
  if ("problem" in rendered) return deny(request, context, { method: METHOD, name: slug, message: rendered.problem });
  answer(request, context, command, rendered.text, outcome.report);
}

/** The arguments after the guards have replaced parts of them. */
function redacted({ call }: McpRequest, edits: readonly Edit[]): Arguments {
  const args = call.params?.arguments;
  if (!args || edits.length === 0) return { source: call.source, range: args };
  const own = new ByteSource(call.source.slice(args.start, args.end));
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - args.start, end: edit.end - args.start }));
  const text = splice(own, moved);
  return { source: new ByteSource(text), range: { start: 0, end: text.length } };
}

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly outcome: "blocked" | "error";
  readonly guard?: GuardReport | undefined;
}

function refuse(request: McpRequest, context: GatewayContext, tool: string, refusal: Refusal): void {
  const { exchange, call } = request;
  const { code, message, outcome, guard } = refusal;
  const body = errorBody(call.rawId, code, message, { requestId: exchange.requestId });
  endOwnCall(request, context, METHOD, body, { outcome, tool, error: message, guard });
}

function answer(
  request: McpRequest,
  context: GatewayContext,
  { slug, description }: CommandEntry,
  text: string,
  guard: GuardReport | undefined,
): void {
  const { call, era } = request;
  const messages = JSON.stringify([{ role: "user", content: { type: "text", text } }]);
  const meta = guardMeta(guard);
  const tail = resultTail(era, context.serverInfo, false, "", meta && `"${meta.key}":${meta.json}`);
  const body = resultBody(call.rawId, `{"description":${JSON.stringify(description)},"messages":${messages}${tail}}`);
  endOwnCall(request, context, METHOD, body, { outcome: "ok", tool: slug, guard });
}
