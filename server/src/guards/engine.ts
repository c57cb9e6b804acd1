import type { Clock } from "#lib/clock";
import { nextTurn } from "#lib/next-turn";
import type { CompiledGuard } from "./compile.ts";
import { decide } from "./decide.ts";
import type { Direction } from "./definition.ts";
import type { Evaluation, GuardError } from "./evaluation.ts";
import type { GuardSelection } from "./guard-set.ts";
import type { Payload } from "./payload.ts";
import { ScanPool } from "./pool/scan-pool.ts";
import { type RemotePorts, runRemoteChecks } from "./remote/run-remote.ts";
import { readsText, type ScanInput, type ScanResult, scanPayload } from "./scan.ts";
import { DEFAULT_LIMITS, type ExtractLimits } from "./text/extract.ts";

export interface EngineOptions {
  readonly clock: Clock;
  /** For webhook and llm checks; without them, such checks fail. */
  readonly ports?: RemotePorts;
  readonly limits?: ExtractLimits;
  /** Time for all local checks of a payload. Default: 2 s. */
  readonly limitMs?: number;
  /** Worker threads for large payloads. Default: 2. They start when the first one arrives. */
  readonly workers?: number;
  /** Called when a worker thread ended with an error. The payloads that it had count as failed. */
  readonly threadFailed?: (error: unknown) => void;
}

/** What webhooks and judges receive besides the text. */
export interface EvaluationContext {
  readonly direction: Direction;
  /** Gateway name of the tool or prompt. */
  readonly tool?: string | undefined;
}

/** Payloads up to this size are examined in the caller's turn; each heavy check reduces it. */
const INLINE_BYTES = 64 * 1024;
/** A synchronous examination that takes longer is repeated in a worker. */
const INLINE_LIMIT_MS = 10;
const DEFAULT_LIMIT_MS = 2_000;
const DEFAULT_WORKERS = 2;
const MAX_WAITING = 64;
/** Bytes that are copied in one turn of the event loop. */
const COPY_BYTES = 256 * 1024;
/** Larger values are not examined at all. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Evaluates payloads. Small ones synchronously; large ones, and those with webhooks or judges, with a promise. */
export class GuardEngine {
  readonly #clock: Clock;
  readonly #ports: RemotePorts | undefined;
  readonly #limits: ExtractLimits;
  readonly #pool: ScanPool;

  constructor(options: EngineOptions) {
    const { clock, ports, limits, limitMs = DEFAULT_LIMIT_MS, workers = DEFAULT_WORKERS, threadFailed } = options;
    this.#clock = clock;
    this.#ports = ports;
    this.#limits = limits ?? DEFAULT_LIMITS;
    this.#pool = new ScanPool({
      clock,
      workers,
      maxWaiting: MAX_WAITING,
      limitMs,
      ...(threadFailed && { threadFailed }),
    });
  }

  /** Never throws and never rejects: a failure is an error of the guards, and their `on_error` decides. */
  evaluate(selection: GuardSelection, payload: Payload, context: EvaluationContext): Evaluation | Promise<Evaluation> {
    const { guards } = selection;
    const inline = this.#scanInline(selection, payload);
    const whenFailed = () => failAll(guards, "failed");
    if (inline === undefined) return this.#evaluateLater(selection, payload, context).catch(whenFailed);
    if (guards.some(({ remotes }) => remotes.length > 0)) {
      return this.#withRemotes(guards, payload, context, inline).catch(whenFailed);
    }
    return decide(guards, inline, errorsOf(guards, inline));
  }

  /** Ends the worker threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Undefined if the payload belongs to a worker. */
  #scanInline({ set, guards }: GuardSelection, payload: Payload): ScanResult | undefined {
    let heavy = 0;
    for (const guard of guards) heavy += guard.heavyChecks;
    const isLarge = payload.range.end - payload.range.start > INLINE_BYTES / (1 + heavy);
    if (isLarge && readsText(guards)) return undefined;
    try {
      set.compiled.deadline.start(INLINE_LIMIT_MS);
      return scanPayload(set.compiled, guards, inputOf(payload), this.#limits);
    } catch {
      // The time is up, or a defect: a worker has more time, and can be terminated.
      return undefined;
    }
  }

  async #evaluateLater(
    { set, guards }: GuardSelection,
    payload: Payload,
    context: EvaluationContext,
  ): Promise<Evaluation> {
    if (payload.range.end - payload.range.start > MAX_BYTES) return failAll(guards, "oversize");
    const wantsLeaves = guards.some(({ remotes }) => remotes.length > 0);
    const { source: _source, range: _range, ...input } = payload;
    const copyBytes = () => copyInTurns(payload);
    const job = { set, guards, input, base: payload.range.start, copyBytes, limits: this.#limits, wantsLeaves };
    const scan = await this.#pool.scan(job);
    if (typeof scan === "string") return failAll(guards, scan);
    return this.#withRemotes(guards, payload, context, scan);
  }

  async #withRemotes(
    guards: readonly CompiledGuard[],
    payload: Payload,
    context: EvaluationContext,
    scan: ScanResult,
  ): Promise<Evaluation> {
    const errors = errorsOf(guards, scan);
    if (scan.fault !== undefined || !guards.some(({ remotes }) => remotes.length > 0))
      return decide(guards, scan, errors);
    const remote = await runRemoteChecks(guards, payload, context, scan, this.#ports, this.#clock);
    for (const [guard, error] of remote.errors) errors.set(guard, error);
    const scores = new Map(scan.scores);
    for (const [guard, score] of remote.scores) scores.set(guard, Math.max(score, scores.get(guard) ?? 0));
    return decide(guards, { ...scan, scores, findings: [...scan.findings, ...remote.findings] }, errors);
  }
}

function inputOf(payload: Payload): ScanInput {
  return inputWith(payload, payload.source.slice(payload.range.start, payload.range.end));
}

function inputWith({ range, prefix, skipBinary, schemaTarget, tool }: Payload, bytes: Buffer): ScanInput {
  return { bytes, base: range.start, prefix, skipBinary, schemaTarget, tool };
}

/** The message belongs to the gateway, so a worker gets a copy. Copying 16 MiB at a time would delay other callers. */
async function copyInTurns({ source, range }: Payload): Promise<Buffer<ArrayBuffer>> {
  const copy = Buffer.from(new ArrayBuffer(range.end - range.start));
  for (let start = range.start; start < range.end; start += COPY_BYTES) {
    if (start > range.start) await nextTurn();
    source.copy(copy, start - range.start, start, Math.min(range.end, start + COPY_BYTES));
  }
  return copy;
}

/** Text that no check has seen affects every guard that examines text. */
function errorsOf(guards: readonly CompiledGuard[], scan: ScanResult): Map<number, GuardError> {
  const errors = new Map<number, GuardError>();
  for (const guard of scan.failed) errors.set(guard, "failed");
  if (!scan.oversize) return errors;
  for (const { index, texts, poisoning, remotes } of guards) {
    if (texts.length + poisoning.length + remotes.length > 0 && !errors.has(index)) errors.set(index, "oversize");
  }
  return errors;
}

function failAll(guards: readonly CompiledGuard[], error: GuardError): Evaluation {
  const scan = { findings: [], scores: new Map(), failed: [], oversize: false, fault: undefined, leaves: [] };
  return decide(guards, scan, new Map(guards.map(({ index }) => [index, error])));
}
