import { CALL_METHODS, CALL_OUTCOMES, type CallOutcome } from "#lib/call-vocabulary";
import { DurationHistogram } from "#lib/duration-histogram";
import type { EndedCall, StartedCall } from "./call-log/record.ts";
import type { CallSink, MarkCallback } from "./ports.ts";

/** Counts calls on their way to the call log, so the metrics cover exactly what is logged. */
export class CallMeter implements CallSink {
  /** Number of records passed to the log. */
  recorded = 0;
  readonly #sink: CallSink;
  readonly #durations = CALL_METHODS.map(() => CALL_OUTCOMES.map(() => new DurationHistogram()));

  constructor(sink: CallSink) {
    this.#sink = sink;
  }

  begin(call: StartedCall, forward: MarkCallback): void {
    this.#sink.begin(call, forward);
  }

  end(call: EndedCall, answer: MarkCallback): void {
    this.#sink.end(call, answer);
    this.recorded++;
    const byOutcome = this.#durations[CALL_METHODS.indexOf(call.method)];
    byOutcome?.[CALL_OUTCOMES.indexOf(call.outcome)]?.record(call.durationUs / 1e6);
  }

  /** Non-empty histograms with their method and, unless the outcome is `ok`, the outcome as the error type. */
  *durations(): Iterable<readonly [Record<string, string>, DurationHistogram]> {
    for (const [method, byOutcome] of this.#durations.entries()) {
      for (const [outcome, histogram] of byOutcome.entries()) {
        const labels = { mcp_method_name: CALL_METHODS[method] ?? "", error_type: errorType(CALL_OUTCOMES[outcome]) };
        if (histogram.counts.some((count) => count > 0)) yield [labels, histogram];
      }
    }
  }
}

function errorType(outcome: CallOutcome = "ok"): string {
  return outcome === "ok" ? "" : outcome;
}
