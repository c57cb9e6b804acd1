import { compileStored } from "#guards/compile-stored";
import type { Direction, GuardDefinition } from "#guards/definition";
import type { GuardEngine } from "#guards/engine";
import { blockedText, type Evaluation } from "#guards/evaluation";
import type { GuardSelection, GuardSet } from "#guards/guard-set";
import { argumentsPayload, contentPayload } from "#guards/payload";
import type { Clock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { removedTexts } from "#lib/json/removed-texts";
import { splice } from "#lib/json/splice";
import type { AgentRow } from "#storage/agent-tables";
import type { GuardedText, Step } from "./loop/ports.ts";
import { RemovedTexts } from "./loop/removed-texts.ts";

/** What the gateway of this process currently applies. */
export interface AppliedGuards {
  /** The enabled guards, by ID. The same map until one changes. */
  guards(): ReadonlyMap<string, GuardDefinition>;
  groupsOf(userId: string): readonly string[];
  serverIdOf(slug: string): string | undefined;
}

export interface StepGuardNeeds {
  readonly applied: AppliedGuards;
  readonly clock: Clock;
  readonly engine: Pick<GuardEngine, "evaluate">;
}

/** What another platform reports of a session. */
interface Reported {
  readonly steps: readonly Step[];
  readonly input?: string;
  readonly output: string | null;
  readonly error: string | null;
}

type Agent = Pick<AgentRow, "identity_id">;

interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
}

/**
 * Applies runtime guards to texts of sessions that the gateway does not pass on: inputs, answers of models, and the steps
 * that another platform reports. That platform stores calls as the model wrote them, also where the gateway redacted or
 * blocked them.
 */
export class StepGuards {
  readonly #needs: StepGuardNeeds;
  /** The guards that were last used, compiled. Undefined: none of them applies to calls. */
  #known: { readonly guards: ReadonlyMap<string, GuardDefinition>; readonly set: GuardSet | undefined } | undefined;

  constructor(needs: StepGuardNeeds) {
    this.#needs = needs;
  }

  async apply<Session extends Reported>(agent: Agent, session: Session): Promise<Session> {
    const set = this.#enabled();
    if (!set) return session;
    const caller = this.#callerOf(agent);
    const removed = new RemovedTexts();
    const shown = async (text: string): Promise<string> => {
      const guarded = await this.#guardedText(set, caller, text);
      removed.add(guarded.removed);
      return guarded.text;
    };
    const steps: Step[] = [];
    for (const step of session.steps) {
      if (isOfTool(step)) steps.push(await this.#guarded(set, caller, step, removed));
      else steps.push(step.text === undefined ? step : { ...step, text: await shown(step.text) });
    }
    const input = await shown(session.input ?? "");
    const output = session.output === null ? null : await shown(session.output);
    const error = session.error === null ? null : await shown(session.error);
    return {
      ...session,
      steps: steps.map((step) => removed.replaceInStep(step)),
      ...(session.input !== undefined && { input: removed.replaceIn(input) }),
      output: output && removed.replaceIn(output),
      error: error && removed.replaceIn(error),
    };
  }

  /**
   * Only guards that redact: blocking and approvals decide about calls. Guards of both directions and of all servers,
   * because the text can come from a result and become part of any call.
   */
  async guardText(agent: Agent, text: string): Promise<GuardedText> {
    const set = this.#enabled();
    return set ? this.#guardedText(set, this.#callerOf(agent), text) : { text, removed: [] };
  }

  async #guardedText(set: GuardSet, caller: Caller, text: string): Promise<GuardedText> {
    const selection = text === "" ? undefined : set.selectRedacting(caller);
    if (!selection) return { text, removed: [] };
    const payload = contentPayload(text);
    const evaluation = await this.#needs.engine.evaluate(selection, payload, { direction: "request" });
    const guard = evaluation.guard?.slug;
    // A check failed, so nothing of the text can be shown.
    if (isBlocked(evaluation)) return { text: blockedText(evaluation), removed: [], guard };
    const json = payload.source.slice(payload.range.start, payload.range.end);
    const shown = String(JSON.parse(splice(payload.source, evaluation.edits).toString("utf8")));
    return { text: shown, removed: removedTexts(json, evaluation.edits), guard };
  }

  /** Like `guardText`, for the values of an object. */
  async guardValues(agent: Agent, values: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const selection = this.#enabled()?.selectRedacting(this.#callerOf(agent));
    if (!selection) return values;
    const json = Buffer.from(JSON.stringify(values));
    const payload = argumentsPayload(new ByteSource(json), { start: 0, end: json.length });
    const evaluation = await this.#needs.engine.evaluate(selection, payload, { direction: "request" });
    if (isBlocked(evaluation)) return { removed: blockedText(evaluation) };
    return JSON.parse(splice(payload.source, evaluation.edits).toString("utf8"));
  }

  #callerOf({ identity_id: user }: Agent): Caller {
    return { user: user ?? "", groups: user === null ? [] : this.#needs.applied.groupsOf(user) };
  }

  #enabled(): GuardSet | undefined {
    const guards = this.#needs.applied.guards();
    if (this.#known?.guards !== guards) {
      const runtime = [...guards.values()].filter(({ type }) => type === "runtime");
      this.#known = { guards, set: runtime.length > 0 ? compileStored(runtime, this.#needs.clock) : undefined };
    }
    return this.#known.set;
  }

  async #guarded(set: GuardSet, caller: Caller, step: Step, removed: RemovedTexts): Promise<Step> {
    const direction = step.type === "tool_call" ? "request" : "response";
    const tool = step.toolName ?? "";
    const server = this.#needs.applied.serverIdOf(tool.split("__", 1)[0] ?? "");
    // A toolkit can rename a tool, so the name of an unknown server says nothing about the scope of guards.
    const selection = server
      ? set.select({ ...caller, server, tool }, direction)
      : set.selectForCaller(caller, direction);
    if (!selection) return step;
    return direction === "request"
      ? this.#guardedCall(selection, step, removed)
      : this.#guardedResult(selection, step, removed);
  }

  async #guardedCall(selection: GuardSelection, step: Step, removed: RemovedTexts): Promise<Step> {
    const json = Buffer.from(step.arguments ?? "{}");
    const payload = isJson(json)
      ? argumentsPayload(new ByteSource(json), { start: 0, end: json.length })
      : contentPayload(step.arguments);
    const evaluation = await this.#evaluate(selection, payload, "request", step, removed);
    const isWithheld = isBlocked(evaluation) || !isJson(json);
    const input = isWithheld ? undefined : splice(payload.source, evaluation.edits).toString("utf8");
    return { ...step, arguments: input, ...noteOf(evaluation) };
  }

  async #guardedResult(selection: GuardSelection, step: Step, removed: RemovedTexts): Promise<Step> {
    const payload = contentPayload(step.text ?? "", "response");
    const evaluation = await this.#evaluate(selection, payload, "response", step, removed);
    const text = isBlocked(evaluation)
      ? blockedText(evaluation)
      : String(JSON.parse(splice(payload.source, evaluation.edits).toString("utf8")));
    return { ...step, text, ...noteOf(evaluation) };
  }

  async #evaluate(
    selection: GuardSelection,
    payload: Parameters<GuardEngine["evaluate"]>[1],
    direction: Direction,
    step: Step,
    removed: RemovedTexts,
  ): Promise<Evaluation> {
    const evaluation = await this.#needs.engine.evaluate(selection, payload, { direction, tool: step.toolName });
    const { start, end } = payload.range;
    removed.add(removedTexts(payload.source.slice(start, end), evaluation.edits));
    return evaluation;
  }
}

function isOfTool({ type }: Step): boolean {
  return type === "tool_call" || type === "tool_result";
}

function isBlocked({ action, refused }: Evaluation): boolean {
  return action === "block" || action === "require_approval" || refused !== undefined;
}

/** Guards that only log are not shown. */
function noteOf({ action, guard }: Evaluation): Pick<Step, "guard" | "guardAction"> {
  if (action === undefined || action === "log" || !guard) return {};
  return { guard: guard.slug, guardAction: action };
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
