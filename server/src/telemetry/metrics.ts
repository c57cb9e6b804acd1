/** All metrics. docs/guide/observability.md explains how to use them. */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { CallMeter } from "#gateway/call-meter";
import type { Gateway } from "#gateway/gateway";
import type { SnapshotHolder } from "#gateway/snapshot/holder";
import type { OtlpTracer } from "#gateway/tracing/otlp-tracer";
import type { Upstreams } from "#gateway/upstream/upstreams";
import type { PayloadKeeper } from "#jobs/keep-payloads";
import type { CallMover } from "#jobs/move-calls";
import type { JobRunner } from "#jobs/runner";
import { MetricsText } from "#lib/metrics-text";
import type { Publisher } from "#publish/publisher";

/** Incremented where the refusals happen. */
export class RefusalCounts {
  gatewayCredentials = 0;
  apiCredentials = 0;
  egress = 0;
}

export interface Measured {
  readonly version: string;
  readonly calls: CallMeter;
  readonly upstreams: Pick<Upstreams, "stats" | "meters" | "load">;
  readonly spool: { healthy(): boolean };
  readonly mover: Pick<CallMover, "progress">;
  readonly payloads: Pick<PayloadKeeper, "dropped">;
  readonly jobs: Pick<JobRunner, "history">;
  readonly publisher: Pick<Publisher, "isBehind" | "ageSeconds">;
  readonly holder: Pick<SnapshotHolder, "current">;
  readonly gateway: Pick<Gateway, "isOverloaded">;
  readonly refusals: RefusalCounts;
  readonly traces: { readonly tracer: Pick<OtlpTracer, "exported" | "dropped"> } | undefined;
}

/** Starts monitoring the event loop's delay. */
export function createMetrics(measured: Measured): { render(): string; close(): void } {
  const loopDelay = monitorEventLoopDelay();
  loopDelay.enable();
  return {
    render() {
      const text = new MetricsText();
      writeCalls(text, measured);
      writeUpstreams(text, measured);
      writeState(text, measured);
      writeTraces(text, measured);
      writeJobs(text, measured);
      writeProcess(text);
      const lag = loopDelay.count > 0 ? loopDelay.percentile(99) / 1e9 : 0;
      text.gauge(
        "nodejs_eventloop_lag_p99_seconds",
        "99th percentile of the event loop's delay since the last look",
        lag,
      );
      loopDelay.reset();
      return String(text);
    },
    close: () => void loopDelay.disable(),
  };
}

function writeCalls(text: MetricsText, { calls, refusals }: Measured): void {
  text.histogram(
    "mcp_server_operation_duration_seconds",
    "Requests of callers, from their arrival to the end of the answer",
    calls.durations(),
  );
  text.counter("gatehouse_auth_failures_total", "Requests with a wrong credential or none", [
    [{ plane: "gateway" }, refusals.gatewayCredentials],
    [{ plane: "api" }, refusals.apiCredentials],
  ]);
  text.counter("gatehouse_egress_refusals_total", "Connections that the address rules forbade", refusals.egress);
}

function writeUpstreams(text: MetricsText, { upstreams }: Measured): void {
  text.histogram(
    "mcp_client_operation_duration_seconds",
    "Requests to MCP servers, from the wish to send them to the end of the answer",
    upstreams.meters.durations(),
  );
  const { calls, sessions } = upstreams.stats();
  text.gauge("gatehouse_upstream_calls", "Requests to MCP servers that are open", calls);
  text.gauge("gatehouse_upstream_sessions", "Legacy sessions with MCP servers", sessions);
  const load = [...upstreams.load()];
  const help = {
    in: "Requests under way at a server",
    wait: "Requests that wait for room",
    paused: "Whether a server is left alone for a while",
  };
  text.gauge(
    "gatehouse_upstream_in_flight",
    help.in,
    load.map(([server, { inside }]) => [{ server }, inside]),
  );
  text.gauge(
    "gatehouse_upstream_queued",
    help.wait,
    load.map(([server, { waiting }]) => [{ server }, waiting]),
  );
  text.gauge(
    "gatehouse_upstream_paused",
    help.paused,
    load.map(([server, { paused }]) => [{ server }, paused]),
  );
}

function writeState(
  text: MetricsText,
  { version, calls, spool, mover, payloads, publisher, holder, gateway }: Measured,
): void {
  const { moved, lagSeconds } = mover.progress();
  const waiting = Math.max(0, calls.recorded - moved);
  text.gauge("gatehouse_build_info", "The release", [[{ version, node: process.version }, 1]]);
  text.gauge("gatehouse_overloaded", "Whether new work is sent away", Number(gateway.isOverloaded()));
  text.gauge("gatehouse_call_log_waiting", "Records of this process that are not in the database yet", waiting);
  text.gauge(
    "gatehouse_call_log_lag_seconds",
    "For how long records have waited for the database",
    waiting > 0 ? lagSeconds : 0,
  );
  text.counter(
    "gatehouse_payloads_dropped_total",
    "Calls whose arguments and results were to be kept and are not",
    payloads.dropped,
  );
  text.gauge("gatehouse_call_log_writable", "Whether the disk takes the call log", Number(spool.healthy()));
  text.gauge("gatehouse_database_up", "Whether changes can be read from the database", Number(!publisher.isBehind()));
  const { revision, serversById } = holder.current();
  text.gauge("gatehouse_snapshot_revision", "The last change that the gateway obeys", revision);
  text.gauge(
    "gatehouse_snapshot_age_seconds",
    "How long ago the snapshot was known to be as new as the database",
    publisher.ageSeconds(),
  );
  text.gauge("gatehouse_snapshot_servers", "MCP servers that the gateway knows", serversById.size);
}

function writeTraces(text: MetricsText, { traces }: Measured): void {
  const { exported = 0, dropped = 0 } = traces?.tracer ?? {};
  text.counter("gatehouse_trace_spans_total", "Spans that the collector took", exported);
  text.counter("gatehouse_trace_spans_dropped_total", "Spans that found no room or were refused", dropped);
}

/** The label is not named `job`, which Prometheus reserves. */
function writeJobs(text: MetricsText, { jobs }: Measured): void {
  const history = [...jobs.history()];
  text.counter(
    "gatehouse_job_runs_total",
    "Turns of periodic jobs that came to their end",
    history.flatMap(([job, { succeeded, failed }]) => [
      [{ job_name: job, result: "ok" }, succeeded] as const,
      [{ job_name: job, result: "failed" }, failed] as const,
    ]),
  );
  text.gauge(
    "gatehouse_job_last_success_timestamp_seconds",
    "When a periodic job last succeeded in this process",
    history.flatMap(([job, { succeededAt }]) =>
      succeededAt === undefined ? [] : [[{ job_name: job }, succeededAt / 1000] as const],
    ),
  );
}

function writeProcess(text: MetricsText): void {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  text.counter("process_cpu_seconds_total", "User and system time", (user + system) / 1e6);
  text.gauge("process_resident_memory_bytes", "Resident memory", rss);
  text.gauge("nodejs_heap_size_used_bytes", "Heap in use", heapUsed);
  text.gauge("nodejs_heap_size_total_bytes", "Heap taken from the system", heapTotal);
  text.gauge("nodejs_external_memory_bytes", "Memory of buffers outside the heap", external);
  text.gauge("process_start_time_seconds", "When the process started", performance.timeOrigin / 1000);
  const files = openFiles();
  if (files !== undefined) text.gauge("process_open_fds", "Open files and sockets", files);
}

/** Undefined where the operating system does not report it. */
function openFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}
