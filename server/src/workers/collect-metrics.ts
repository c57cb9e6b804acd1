import { MetricsText } from "#lib/metrics-text";
import { mergeMetrics } from "./merge-metrics.ts";
import type { Supervisor } from "./supervisor.ts";

/** The metrics of all workers that serve, and how many do. A worker that does not respond in time is missing. */
export async function collectMetrics(supervisor: Supervisor): Promise<string> {
  const responses = await Promise.all(
    supervisor.serving().map((member) => supervisor.members.askOne(member, { kind: "metrics" })),
  );
  const texts = responses.map(({ member, text = "" }) => [member.number, text] as const);
  const own = new MetricsText();
  own.gauge("gatehouse_workers", "Workers that serve requests", supervisor.serving().length);
  own.counter(
    "gatehouse_worker_restarts_total",
    "Workers that ended unexpectedly and were started again",
    supervisor.restartCount,
  );
  return `${mergeMetrics(texts)}${own}`;
}
