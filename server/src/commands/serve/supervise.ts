import type { Config } from "#config/config";
import { assertSocketPath, makeDataDir, removeControlSockets } from "#config/data-dir";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { lockDataDir } from "#storage/open-databases";
import { createMetricsListener } from "#telemetry/metrics-listener";
import { collectMetrics } from "#workers/collect-metrics";
import { WorkerDidNotStart } from "#workers/member";
import type { WorkerReport } from "#workers/messages";
import { startWorkerProcess } from "#workers/processes";
import { Supervisor } from "#workers/supervisor";
import { printGreeting, printSetupLink } from "./greeting.ts";
import { shutdownSignal } from "./shutdown-signal.ts";

/** A worker finishes its open requests within 31 s and then stores what is left. */
const STOP_MS = 60_000;
const FAILED = 1;

/** Starts the workers and waits for signals: SIGHUP restarts the workers one by one, SIGTERM and SIGINT end the service. */
export async function supervise(config: Config, workers: number): Promise<void> {
  const logger = createLogger(config.logLevel);
  makeDataDir(config.dataDir);
  assertSocketPath(config.dataDir);
  // With Postgres, several services may share the folder, as before.
  const lock = config.databaseUrl === undefined ? await lockDataDir(config.dataDir) : undefined;
  if (lock) removeControlSockets(config.dataDir);
  // While all workers are starting again, nothing else keeps this process alive.
  const alive = setInterval(() => {}, 60_000);
  let isGreeted = false;
  let control: WorkerReport | undefined;
  const failed = Promise.withResolvers<string>();
  const supervisor = new Supervisor({
    workers,
    clock: systemClock,
    logger,
    startProcess: startWorkerProcess,
    shutdownMs: config.drainMs + STOP_MS,
    controlReady(report) {
      control = report;
      if (isGreeted && report.setupToken !== undefined) printSetupLink(config, report.port, report.setupToken);
    },
    failed: failed.resolve,
  });
  const metrics = createMetricsListener(config, () => collectMetrics(supervisor));
  const signaled = shutdownSignal(logger, () => {
    supervisor.killAll();
    process.exit(FAILED);
  });
  process.on("SIGHUP", () => void supervisor.restartAll());
  try {
    const metricsPort = await metrics?.listen();
    await Promise.race([supervisor.start(), signaled]);
    if (control) printGreeting(config, { ...control, metricsPort });
    isGreeted = true;
    const end = await Promise.race([signaled, failed.promise.then((message) => ({ message }))]);
    if (typeof end === "object") reportFailure(end.message);
    await supervisor.stop(end === "SIGINT" ? "interrupt" : "shutdown");
  } catch (error) {
    supervisor.killAll();
    if (!(error instanceof WorkerDidNotStart)) throw error;
    // The worker has printed the reason.
    process.exitCode = error.exitCode;
  } finally {
    clearInterval(alive);
    await metrics?.close();
    await lock?.close();
  }
}

function reportFailure(message: string): void {
  process.stderr.write(`gatehouse: ${message}\n`);
  process.exitCode = FAILED;
}
