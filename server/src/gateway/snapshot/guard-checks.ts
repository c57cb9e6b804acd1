/** Guards as checks of calls. Evaluations of content in the API use the same engine and the same set. */
import type { CompiledGuard } from "#guards/compile";
import { compileStored } from "#guards/compile-stored";
import type { Direction, GuardDefinition } from "#guards/definition";
import type { GuardEngine } from "#guards/engine";
import { blockedText, type Evaluation } from "#guards/evaluation";
import { type GuardSelection, type GuardSet, isFor, isForEveryone } from "#guards/guard-set";
import { argumentsPayload, type Payload, progressPayload, resultPayload } from "#guards/payload";
import type { Clock } from "#lib/clock";
import { GATEWAY_AS_SERVER } from "./command-source.ts";
import { fitTool } from "./fit-tool.ts";
import type {
  CallChecks,
  CheckedCall,
  CheckedResult,
  CheckTarget,
  GuardReport,
  HoldingGuard,
  LoggedFinding,
  NamedItem,
  ServerEntry,
  Verdict,
} from "./shape.ts";

/** Receives what guards did. Must not wait. */
export interface GuardObserver {
  /** The same array for the same guards, so that a call without findings is counted once and not for each guard. */
  evaluated(guardIds: readonly string[], fired: readonly string[]): void;
  blocked(event: BlockedCall): void;
}

export interface BlockedCall {
  readonly guard: Pick<GuardDefinition, "slug" | "name"> | undefined;
  readonly direction: Direction;
  readonly call: CheckedCall;
}

export interface GuardServices {
  readonly engine: Pick<GuardEngine, "evaluate">;
  readonly clock: Clock;
  readonly observer: GuardObserver;
}

const NO_CHECKS: CallChecks = { request: [], response: [], message: [] };

/** `guards`: the enabled ones, by ID. */
export function guardChecks(guards: ReadonlyMap<string, GuardDefinition>, services: GuardServices): CallChecks {
  const set = compileStored([...guards.values()], services.clock);
  if (!set.hasRuntimeGuards) return NO_CHECKS;
  const ids = new Map([...guards].map(([id, { slug }]) => [slug, id]));
  const request = new DirectionGuards(set, "request", ids, services);
  const response = new DirectionGuards(set, "response", ids, services);
  return {
    request: request.isEmpty ? [] : [{ covers: request.covers, check: (call) => request.checkArguments(call) }],
    ...(response.isEmpty
      ? { response: [], message: [] }
      : {
          response: [{ covers: response.covers, check: (call, result) => response.checkResult(call, result) }],
          message: [
            {
              covers: response.covers,
              check: (call, { source, range }) => response.evaluate(call, progressPayload(source, range)),
            },
          ],
        }),
  };
}

interface Coverage {
  readonly guards: readonly CompiledGuard[];
  readonly isForEveryone: boolean;
  /** If all are for everyone. */
  readonly selection: GuardSelection | undefined;
}

const NONE_FIRED: readonly string[] = [];

/** The guards for requests, or those for responses. */
class DirectionGuards {
  readonly isEmpty: boolean;
  readonly #set: GuardSet;
  readonly #direction: Direction;
  readonly #ids: ReadonlyMap<string, string>;
  readonly #services: GuardServices;
  /** By item, or by the entry itself for resources. An entry is replaced when its server changes. */
  readonly #coverage = new WeakMap<ServerEntry, WeakMap<ServerEntry | NamedItem, Coverage>>();
  readonly #guardIds = new WeakMap<readonly CompiledGuard[], readonly string[]>();

  constructor(set: GuardSet, direction: Direction, ids: ReadonlyMap<string, string>, services: GuardServices) {
    this.#set = set;
    this.#direction = direction;
    this.#ids = ids;
    this.#services = services;
    const other = direction === "request" ? "response" : "request";
    this.isEmpty = !set.definitions.some((guard) => guard.type === "runtime" && guard.direction !== other);
  }

  /** One lookup, and no allocation, for a call that no guard covers. */
  readonly covers = (target: CheckTarget): boolean => {
    const { guards, isForEveryone: covered } = this.#coverageOf(target);
    if (guards.length === 0 || covered) return covered;
    for (const guard of guards) if (isFor(guard, target.user.id, target.user.groupIds)) return true;
    return false;
  };

  checkArguments(call: CheckedCall): Verdict | Promise<Verdict> {
    const { source, arguments: range } = call;
    return range && this.evaluate(call, argumentsPayload(source, range));
  }

  checkResult(call: CheckedCall, result: CheckedResult): Verdict | Promise<Verdict> {
    const fitted = (verdict: Verdict) =>
      verdict?.kind === "edit" ? { ...verdict, edits: fitTool(call, result, verdict.edits) } : verdict;
    const verdict = this.evaluate(call, resultPayload(result.source, result.result));
    return verdict instanceof Promise ? verdict.then(fitted) : fitted(verdict);
  }

  evaluate(call: CheckedCall, payload: Payload): Verdict | Promise<Verdict> {
    const selection = this.#coverageOf(call).selection ?? this.#selectFor(call);
    if (selection === undefined) return undefined;
    const tool = gatewayName(call);
    const evaluation = this.#services.engine.evaluate(selection, payload, { direction: this.#direction, tool });
    if (evaluation instanceof Promise) return evaluation.then((late) => this.#decide(call, selection.guards, late));
    return this.#decide(call, selection.guards, evaluation);
  }

  #selectFor(call: CheckedCall): GuardSelection | undefined {
    const { server, user } = call;
    const target = { server: server.id, tool: gatewayName(call), renamedFrom: nameAtServer(call) };
    return this.#set.select({ ...target, user: user.id, groups: user.groupIds }, this.#direction);
  }

  #decide(call: CheckedCall, guards: readonly CompiledGuard[], evaluation: Evaluation): Verdict {
    const { observer } = this.#services;
    const { action, guard, results, edits } = evaluation;
    const fired =
      results.length === 0
        ? NONE_FIRED
        : results.flatMap(({ guard_slug: slug, passed }) => (passed ? [] : (this.#ids.get(slug) ?? [])));
    observer.evaluated(this.#idsOf(guards), fired);
    if (action === undefined) return undefined;
    const report = reportOf(evaluation, action, this.#direction);
    // Guards that require approvals are not evaluated on responses, so the strongest action there is another one.
    if (action === "require_approval" && guard)
      return { kind: "hold", guard: holdingGuard(guard, report), edits, report };
    if (action !== "block") return { kind: "edit", edits, report };
    observer.blocked({ guard, direction: this.#direction, call });
    return { kind: "block", message: blockedText(evaluation), report };
  }

  #idsOf(guards: readonly CompiledGuard[]): readonly string[] {
    const known = this.#guardIds.get(guards);
    if (known !== undefined) return known;
    const ids = guards.flatMap(({ definition }) => this.#ids.get(definition.slug) ?? []);
    this.#guardIds.set(guards, ids);
    return ids;
  }

  #coverageOf(target: CheckTarget): Coverage {
    const { server, item } = target;
    const ofServer = this.#coverage.get(server);
    const known = ofServer?.get(item ?? server);
    if (known !== undefined) return known;
    const tool = { server: server.id, tool: gatewayName(target), renamedFrom: nameAtServer(target) };
    const guards = this.#set.covering(tool, this.#direction);
    const covered = guards.length > 0 && guards.every(isForEveryone);
    const coverage = { guards, isForEveryone: covered, selection: covered ? { set: this.#set, guards } : undefined };
    // Items that a toolkit changes are new for each call, so the set remembers them by name.
    if (ofServer === undefined) this.#coverage.set(server, new WeakMap([[item ?? server, coverage]]));
    else ofServer.set(item ?? server, coverage);
    return coverage;
  }
}

/** The name that scopes of guards refer to. */
function gatewayName({ server, item }: CheckTarget): string | undefined {
  return item && (server === GATEWAY_AS_SERVER ? item.slug : `${server.slug}__${item.slug}`);
}

/** The tool's gateway name without a toolkit. Undefined: no toolkit renames it. */
function nameAtServer({ server, item }: CheckTarget): string | undefined {
  if (!item || server.tools.byKey.get(item.slug)?.upstreamName === item.upstreamName) return undefined;
  const listed = server.tools.items.find(({ upstreamName }) => upstreamName === item.upstreamName);
  return listed && `${server.slug}__${listed.slug}`;
}

function holdingGuard({ slug, name, message }: GuardDefinition, { findings }: GuardReport): HoldingGuard {
  const checks = findings.filter(({ guard }) => guard === slug).map(({ check }) => check);
  return { slug, name, message, checks: [...new Set(checks)] };
}

function reportOf(
  { guard, results, redactions }: Evaluation,
  action: GuardReport["action"],
  direction: Direction,
): GuardReport {
  const findings: LoggedFinding[] = [];
  for (const { guard_slug: slug, findings: found } of results) {
    const byCheck = Map.groupBy(found, ({ check_name: name }) => name);
    for (const [check, { length: count }] of byCheck) findings.push({ guard: slug, check, direction, count });
  }
  return { action, slug: guard?.slug, direction, redactions: redactions.length, findings };
}
