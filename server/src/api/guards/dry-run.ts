import type { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import type { Direction, GuardAction, GuardDefinition } from "#guards/definition";
import type { Evaluation, Finding } from "#guards/evaluation";
import { type CallSubject, GuardSet } from "#guards/guard-set";
import { argumentsPayload, type Payload, resultPayload } from "#guards/payload";
import type { CallMethod } from "#lib/call-vocabulary";
import { ByteSource } from "#lib/json/byte-source";
import { findPayloads, type KeptBody, openPayload } from "#records/call-payloads";
import { type ListedCall, listCalls } from "#records/calls";
import type { DryRun } from "./dry-run-body.ts";

export interface DryRunPeriod {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

type Context = Pick<ApiContext, "databases" | "vault" | "guards" | "clock" | "snapshots" | "nextTurn">;

const CALLS_PER_PAGE = 200;
const TIME_BUDGET_MS = 20_000;
const MAX_SAMPLES = 50;
const MAX_RANKED = 100;
/** The methods whose payloads guards examine. */
const METHODS: readonly CallMethod[] = ["tools/call", "prompts/get", "resources/read"];

/** Runs a guard over the stored payloads of a period, in turns. Keeps no text. */
export async function dryRun(context: Context, guard: GuardDefinition, period: DryRunPeriod): Promise<DryRunReport> {
  const report = new DryRunReport();
  const set = new GuardSet([guard], context.clock);
  const end = context.clock.now() + TIME_BUDGET_MS;
  let cursor: string | undefined;
  let left = period.limit;
  do {
    const filters = { methods: METHODS, from: period.from, to: period.to };
    const limit = Math.min(left, CALLS_PER_PAGE);
    const page = await listCalls(context.databases.calls, { limit, cursor, filters });
    const rows = await findPayloads(
      context.databases.calls,
      page.calls.map(({ requestId }) => requestId),
    );
    for (const call of page.calls) {
      if (context.clock.now() >= end) {
        report.stoppedAt = call.at;
        return report;
      }
      const row = rows.get(call.requestId);
      if (row === undefined) report.withoutPayload++;
      else {
        const { request, response } = openPayload(context.vault, row);
        const evaluated = await evaluateCall(context, set, call, { request, response });
        report.add(call, nameOf(context, call), evaluated, row.capture !== "full");
        await context.nextTurn();
      }
    }
    left -= page.calls.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined && left > 0);
  report.hasMore = cursor !== undefined;
  return report;
}

interface EvaluatedCall {
  readonly evaluations: readonly Evaluation[];
  /** A body was not stored, or only its beginning. */
  readonly isCut: boolean;
}

async function evaluateCall(
  context: Context,
  set: GuardSet,
  call: ListedCall,
  bodies: { readonly request: KeptBody; readonly response: KeptBody },
): Promise<EvaluatedCall> {
  const subject = subjectOf(context, call);
  const evaluations: Evaluation[] = [];
  let isCut = false;
  for (const direction of ["request", "response"] as const) {
    const body = bodies[direction];
    if (body.bytes === 0) continue;
    const selection = set.select(subject, direction);
    if (selection === undefined) continue;
    const payload = payloadOf(body, direction);
    if (payload === "cut") isCut = true;
    else if (payload !== undefined) {
      evaluations.push(await context.guards.evaluate(selection, payload, { direction, tool: subject.tool }));
    }
  }
  return { evaluations, isCut };
}

/** Undefined if the body has nothing that guards examine. */
function payloadOf({ text, is_cut }: KeptBody, direction: Direction): Payload | "cut" | undefined {
  if (text === null || is_cut) return "cut";
  let message: { params?: { arguments?: unknown }; result?: unknown; error?: unknown };
  try {
    message = JSON.parse(text);
  } catch {
    return "cut";
  }
  const value = direction === "request" ? message?.params?.arguments : (message?.result ?? message?.error);
  if (value === undefined) return undefined;
  const source = new ByteSource(Buffer.from(JSON.stringify(value)));
  const range = { start: 0, end: source.length };
  return direction === "request" ? argumentsPayload(source, range) : resultPayload(source, range);
}

/** Who called what, with the groups that the caller has now. */
function subjectOf({ snapshots }: Context, call: ListedCall): CallSubject {
  const snapshot = snapshots.current();
  const server = snapshot.serversById.get(snapshot.serverIdBySlug.get(call.serverSlug ?? "") ?? "");
  const item = server?.tools.items.find(({ upstreamName }) => upstreamName === call.tool);
  const listed = item ? `${call.serverSlug}__${item.slug}` : call.tool && `${call.serverSlug}__${call.tool}`;
  const tool = call.method === "resources/read" ? undefined : listed;
  const exposed = call.exposedTool === undefined ? tool : `${call.serverSlug}__${call.exposedTool}`;
  return {
    server: server?.id ?? "",
    tool: exposed,
    ...(exposed !== tool && { renamedFrom: tool }),
    user: call.userId,
    groups: snapshot.usersById.get(call.userId)?.groupIds ?? [],
  };
}

function nameOf(context: Context, call: ListedCall): string {
  return subjectOf(context, call).tool ?? `${call.serverSlug ?? "gateway"}: ${call.method}`;
}

/** Adds up what a guard would have done. */
export class DryRunReport {
  withoutPayload = 0;
  /** The time budget ended before the call at this time. */
  stoppedAt: number | undefined;
  /** There are more calls than the limit. */
  hasMore = false;
  #examined = 0;
  #redacted = 0;
  #cut = 0;
  readonly #would = { block: 0, require_approval: 0, redact: 0, warn: 0, log: 0 };
  readonly #byTool = new Map<string, number>();
  readonly #byUser = new Map<string, number>();
  readonly #samples: z.input<typeof DryRun>["samples"] = [];

  add(call: ListedCall, tool: string, { evaluations, isCut }: EvaluatedCall, isRedacted: boolean): void {
    this.#examined++;
    if (isRedacted) this.#redacted++;
    if (isCut) this.#cut++;
    const action = strongest(evaluations);
    if (action === undefined) return;
    this.#would[action]++;
    this.#byTool.set(tool, (this.#byTool.get(tool) ?? 0) + 1);
    this.#byUser.set(call.userEmail, (this.#byUser.get(call.userEmail) ?? 0) + 1);
    if (this.#samples.length >= MAX_SAMPLES) return;
    const found = mostCertain(evaluations);
    this.#samples.push({
      log_id: `${call.at}-${call.id}`,
      check_id: found?.check_id ?? "",
      certainty: found?.certainty ?? 0,
      path: maskedPath(found?.path ?? ""),
    });
  }

  present(): z.input<typeof DryRun> {
    return {
      calls_examined: this.#examined,
      calls_without_payload: this.withoutPayload,
      would: this.#would,
      by_tool: ranked(this.#byTool).map(([tool, count]) => ({ tool, count })),
      by_user: ranked(this.#byUser).map(([email, count]) => ({ email, count })),
      samples: this.#samples,
    };
  }

  /** F18: what makes the result incomplete. */
  warnings(): string[] {
    const calls = (count: number) => (count === 1 ? "1 call" : `${count} calls`);
    return [
      ...(this.stoppedAt === undefined
        ? []
        : [
            `Stopped after ${TIME_BUDGET_MS / 1000} s. Calls before ${new Date(this.stoppedAt).toISOString()} were not examined`,
          ]),
      ...(this.hasMore ? ["There are more calls than the limit. The newest were examined"] : []),
      ...(this.#redacted > 0
        ? [`Incomplete for ${calls(this.#redacted)}: secrets and long texts were removed before the payload was stored`]
        : []),
      ...(this.#cut > 0
        ? [`Incomplete for ${calls(this.#cut)}: the payload was too large to be stored completely`]
        : []),
    ];
  }
}

const STRENGTH: readonly GuardAction[] = ["log", "warn", "redact", "require_approval", "block"];

function strongest(evaluations: readonly Evaluation[]): GuardAction | undefined {
  const actions = evaluations.flatMap(({ action }) => action ?? []);
  return STRENGTH.findLast((action) => actions.includes(action));
}

function mostCertain(evaluations: readonly Evaluation[]): Finding | undefined {
  const findings = evaluations.flatMap(({ results }) => results.flatMap((result) => result.findings));
  return findings.reduce<Finding | undefined>(
    (best, each) => (best === undefined || each.certainty > best.certainty ? each : best),
    undefined,
  );
}

/** Keys come from callers and can be what the guard found (decision 0090). */
function maskedPath(path: string): string {
  return path
    .split(".")
    .map((part) => (/^(?:[A-Za-z_][A-Za-z_-]{0,39}|\d{1,4})$/.test(part) ? part : "*"))
    .join(".");
}

function ranked(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MAX_RANKED);
}
