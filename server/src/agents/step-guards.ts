import type { Direction } from "#guards/definition";
import type { GuardEngine } from "#guards/engine";
import { blockedText, type Evaluation } from "#guards/evaluation";
import { definitionOf } from "#guards/from-record";
import { type GuardSelection, GuardSet } from "#guards/guard-set";
import { argumentsPayload, contentPayload } from "#guards/payload";
import type { Clock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { removedTexts } from "#lib/json/removed-texts";
import { splice } from "#lib/json/splice";
import { userLinks } from "#records/groups";
import { enabledGuardsOfType, joinSecrets, openSecrets } from "#records/guards";
import { findServer } from "#records/mcp-servers";
import type { AgentRow } from "#storage/agent-tables";
import type { MainDb } from "#storage/database";
import type { Vault } from "#storage/vault";
import type { Step } from "./loop/ports.ts";
import { RemovedTexts } from "./loop/removed-texts.ts";

export interface StepGuardNeeds {
  readonly db: MainDb;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly engine: Pick<GuardEngine, "evaluate">;
}

export interface GuardedSteps {
  readonly steps: readonly Step[];
  /** What guards removed from them. */
  readonly removed: RemovedTexts;
}

/**
 * Applies runtime guards to the steps that another platform reports. It stores calls as the model wrote them, also where
 * the gateway redacted or blocked them.
 */
export class StepGuards {
  readonly #needs: StepGuardNeeds;

  constructor(needs: StepGuardNeeds) {
    this.#needs = needs;
  }

  async apply(agent: Pick<AgentRow, "identity_id">, steps: readonly Step[]): Promise<GuardedSteps> {
    const removed = new RemovedTexts();
    const set = steps.some(isOfTool) ? await this.#enabled() : undefined;
    if (!set) return { steps, removed };
    const { identity_id: user } = agent;
    const groups = user === null ? [] : ((await userLinks.groupsOf(this.#needs.db, [user])).get(user) ?? []);
    const guarded: Step[] = [];
    for (const step of steps)
      guarded.push(isOfTool(step) ? await this.#guarded(set, { user: user ?? "", groups }, step, removed) : step);
    return { steps: guarded.map((step) => removed.replaceInStep(step)), removed };
  }

  async #enabled(): Promise<GuardSet | undefined> {
    const { db, vault, clock } = this.#needs;
    const rows = await enabledGuardsOfType(db, "runtime");
    if (rows.length === 0) return undefined;
    const definitions = rows.map((row) => {
      return definitionOf({ ...row, checks: joinSecrets(row.checks, openSecrets(vault, row)) });
    });
    return new GuardSet(definitions, clock);
  }

  async #guarded(
    set: GuardSet,
    caller: { readonly user: string; readonly groups: readonly string[] },
    step: Step,
    removed: RemovedTexts,
  ): Promise<Step> {
    const direction = step.type === "tool_call" ? "request" : "response";
    const tool = step.toolName ?? "";
    const server = await findServer(this.#needs.db, tool.split("__", 1)[0] ?? "");
    // A toolkit can rename a tool, so the name of an unknown server says nothing about the scope of guards.
    const selection = server
      ? set.select({ ...caller, server: server.id, tool }, direction)
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
