/** All metrics. docs/guide/observability.md explains how to use them. */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { EmailDeliverer } from "#email/deliverer";
import type { CallMeter } from "#gateway/call-meter";
import type { Gateway } from "#gateway/gateway";
import type { SnapshotHolder } from "#gateway/snapshot/holder";
import type { OtlpTracer } from "#gateway/tracing/otlp-tracer";
import type { Upstreams } from "#gateway/upstream/upstreams";
import type { CallMover } from "#jobs/move-calls";
import type { JobRunner } from "#jobs/runner";
import type { PayloadWriter } from "#jobs/store-payloads";
import type { ClosedConnections } from "#lib/closed-connections";
import { MetricsText } from "#lib/metrics-text";
import type { LogShipper } from "#log-shipping/shipper";
import type { Publisher } from "#publish/publisher";
import type { WebhookDeliverer } from "#webhooks/deliverer";
import type { EventQueue } from "#webhooks/event-queue";

/** Incremented where requests are rejected. */
export class RefusalCounts {
  gatewayCredentials = 0;
  apiCredentials = 0;
  egress = 0;
}

export interface Measured {
  readonly version: string;
  readonly calls: CallMeter;
  readonly upstreams: Pick<Upstreams, "stats" | "meters" | "load">;
  readonly spool: { healthy(): boolean; readonly rejectedCalls: number };
  readonly mover: Pick<CallMover, "progress">;
  readonly payloads: Pick<PayloadWriter, "dropped">;
  readonly jobs: Pick<JobRunner, "history">;
  readonly publisher: Pick<Publisher, "isBehind" | "isRestored" | "ageSeconds">;
  readonly holder: Pick<SnapshotHolder, "current">;
  readonly gateway: Pick<Gateway, "isOverloaded" | "responseMemory">;
  readonly refusals: RefusalCounts;
  readonly closedConnections: Pick<ClosedConnections, "counts">;
  readonly webhooks: Pick<WebhookDeliverer, "counts">;
  readonly emails: Pick<EmailDeliverer, "counts">;
  readonly logShipper: Pick<LogShipper, "lags">;
  readonly events: Pick<EventQueue, "dropped">;
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
      writeWebhooks(text, measured);
      writeEmails(text, measured);
      writeLogShipping(text, measured);
      writeProcess(text);
      const lag = loopDelay.count > 0 ? loopDelay.percentile(99) / 1e9 : 0;
      text.gauge(
        "nodejs_eventloop_lag_p99_seconds",
        "99th percentile of the event loop delay since the last scrape",
        lag,
      );
      loopDelay.reset();
      return String(text);
    },
    close: () => void loopDelay.disable(),
  };
}

function writeCalls(text: MetricsText, { calls, refusals, closedConnections }: Measured): void {
  text.histogram(
    "mcp_server_operation_duration_seconds",
    "Duration of requests to the gateway, from arrival to the end of the response",
    calls.durations(),
  );
  text.counter("gatehouse_auth_failures_total", "Requests with an invalid or missing credential", [
    [{ plane: "gateway" }, refusals.gatewayCredentials],
    [{ plane: "api" }, refusals.apiCredentials],
  ]);
  text.counter(
    "gatehouse_closed_connections_total",
    "Connections that Gatehouse closed: their response was not read, too many requests, or too many connections",
    Object.entries(closedConnections.counts).map(([reason, count]) => [{ reason }, count]),
  );
  text.counter("gatehouse_egress_refusals_total", "Outbound connections blocked by the address rules", refusals.egress);
}

function writeUpstreams(text: MetricsText, { upstreams }: Measured): void {
  text.histogram(
    "mcp_client_operation_duration_seconds",
    "Duration of requests to MCP servers, including queueing, to the end of the response",
    upstreams.meters.durations(),
  );
  const { calls, sessions } = upstreams.stats();
  text.gauge("gatehouse_upstream_calls", "Open requests to MCP servers", calls);
  text.gauge("gatehouse_upstream_sessions", "Legacy sessions with MCP servers", sessions);
  const load = [...upstreams.load()];
  const help = {
    in: "Requests in flight per server",
    wait: "Queued requests per server",
    paused: "Whether calls to a server are paused",
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

function writeWebhooks(text: MetricsText, { webhooks, events }: Measured): void {
  const { delivered, failed } = webhooks.counts;
  text.counter("gatehouse_webhook_attempts_total", "Requests to webhooks", [
    [{ result: "delivered" }, delivered],
    [{ result: "failed" }, failed],
  ]);
  text.counter(
    "gatehouse_webhook_events_dropped_total",
    "Events of the gateway that did not fit its queue",
    events.dropped,
  );
}

function writeEmails(text: MetricsText, { emails }: Measured): void {
  const { sent, failed } = emails.counts;
  text.counter("gatehouse_email_attempts_total", "Attempts to send an email", [
    [{ result: "sent" }, sent],
    [{ result: "failed" }, failed],
  ]);
}

function writeLogShipping(text: MetricsText, { logShipper }: Measured): void {
  const lags = logShipper.lags();
  const each = (value: (lag: (typeof lags)[number]) => number) =>
    lags.map((lag) => [{ destination: lag.destination, source: lag.source }, value(lag)] as const);
  text.gauge(
    "gatehouse_log_shipping_lag_records",
    "Records that a log destination does not have yet",
    each(({ records }) => records),
  );
  text.gauge(
    "gatehouse_log_shipping_lag_seconds",
    "How long the oldest of these records has been waiting",
    each(({ seconds }) => seconds),
  );
  text.gauge(
    "gatehouse_log_shipping_lost_records",
    "Records that retention deleted before they were shipped",
    each(({ lost }) => lost),
  );
  text.gauge(
    "gatehouse_log_shipping_failing",
    "Whether the last attempt to ship records failed",
    each(({ isFailing }) => Number(isFailing)),
  );
}

function writeState(
  text: MetricsText,
  { version, calls, spool, mover, payloads, publisher, holder, gateway }: Measured,
): void {
  const { moved, lagSeconds } = mover.progress();
  const waiting = Math.max(0, calls.recorded - moved);
  text.gauge("gatehouse_build_info", "Version of this release", [[{ version, node: process.version }, 1]]);
  text.gauge(
    "gatehouse_overloaded",
    "Whether new requests are rejected because of overload",
    Number(gateway.isOverloaded()),
  );
  text.gauge(
    "gatehouse_response_memory_bytes",
    "Large responses that their callers have not read yet",
    gateway.responseMemory.heldBytes,
  );
  text.gauge("gatehouse_call_log_waiting", "Call records of this process that are not in the database yet", waiting);
  text.gauge(
    "gatehouse_call_log_lag_seconds",
    "How long call records have been waiting for the database",
    waiting > 0 ? lagSeconds : 0,
  );
  text.counter(
    "gatehouse_payloads_dropped_total",
    "Call payloads that should have been stored but were dropped",
    payloads.dropped,
  );
  text.gauge("gatehouse_call_log_writable", "Whether the call log can be written to disk", Number(spool.healthy()));
  text.counter(
    "gatehouse_unlogged_calls_total",
    "Calls rejected because the call log could not be written to disk",
    spool.rejectedCalls,
  );
  text.gauge("gatehouse_database_up", "Whether changes can be read from the database", Number(!publisher.isBehind()));
  text.gauge(
    "gatehouse_started_from_stored_snapshot",
    "Whether this process started without the database and has not read it yet",
    Number(publisher.isRestored()),
  );
  const { revision, serversById } = holder.current();
  text.gauge("gatehouse_snapshot_revision", "Revision of the snapshot that the gateway uses", revision);
  text.gauge(
    "gatehouse_snapshot_age_seconds",
    "Time since the snapshot was last known to be up to date",
    publisher.ageSeconds(),
  );
  text.gauge("gatehouse_snapshot_servers", "MCP servers in the snapshot", serversById.size);
}

function writeTraces(text: MetricsText, { traces }: Measured): void {
  const { exported = 0, dropped = 0 } = traces?.tracer ?? {};
  text.counter("gatehouse_trace_spans_total", "Spans accepted by the collector", exported);
  text.counter(
    "gatehouse_trace_spans_dropped_total",
    "Spans dropped because the queue was full or the collector rejected them",
    dropped,
  );
}

/** The label is not named `job`, which Prometheus reserves. */
function writeJobs(text: MetricsText, { jobs }: Measured): void {
  const history = [...jobs.history()];
  text.counter(
    "gatehouse_job_runs_total",
    "Completed runs of periodic jobs",
    history.flatMap(([job, { succeeded, failed }]) => [
      [{ job_name: job, result: "ok" }, succeeded] as const,
      [{ job_name: job, result: "failed" }, failed] as const,
    ]),
  );
  text.gauge(
    "gatehouse_job_last_success_timestamp_seconds",
    "Time of the last successful run of a periodic job in this process",
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
  text.gauge("nodejs_heap_size_total_bytes", "Heap size reserved from the system", heapTotal);
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
