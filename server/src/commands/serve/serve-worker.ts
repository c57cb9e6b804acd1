import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "#compose/app";
import type { App } from "#compose/app-shape";
import type { Config } from "#config/config";
import { controlSocketPath } from "#config/data-dir";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { keepTickShape } from "#lib/tick-shape";
import type { SupervisorPort } from "#workers/processes";
import { WorkerLink } from "#workers/worker-link";

/** Longer than a call can take: nothing needs the replaced worker to end soon. */
const REPLACED_MS = 16 * 60_000;
/** Clients whose connection is idle get this time to use it once more, even if DRAIN_SECONDS is shorter. */
const MIN_RETIRED_MS = 2_000;

/** Serves as one of several workers. Only the supervisor ends it: a terminal or service manager may signal all of them. */
export async function serveWorker(config: Config, supervisor: SupervisorPort): Promise<void> {
  try {
    await runWorker(config, supervisor);
  } catch (error) {
    // A worker that cannot start must end, because the supervisor waits for it.
    supervisor.release();
    throw error;
  }
}

async function runWorker(config: Config, supervisor: SupervisorPort): Promise<void> {
  keepTickShape();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
  const worker = await WorkerLink.connect(supervisor);
  const logger = createLogger(config.logLevel).child({ worker: worker.number });
  const newId = createIds(systemClock, systemRandom);
  const app = await buildApp({ config, logger, clock: systemClock, random: systemRandom, newId, worker });
  try {
    await app.join(worker);
    const controlSocket = worker.isControl ? controlSocketPath(config.dataDir, process.pid) : undefined;
    if (controlSocket !== undefined) await app.listenForForwarded(controlSocket);
    const { adminTokenFile, setupToken, sealedBecause } = app;
    worker.ready({ port: await app.listen(), controlSocket, adminTokenFile, setupToken, sealedBecause });
  } catch (error) {
    await app.close();
    throw error;
  }
  await stopWhenTold(config, app, worker);
  // The channel to the supervisor would keep the process alive.
  process.exit(0);
}

async function stopWhenTold({ drainMs }: Config, app: App, worker: WorkerLink): Promise<void> {
  const reason = await worker.stopped;
  if (reason === "replaced") {
    app.retire();
    await sleep(Math.max(drainMs, MIN_RETIRED_MS));
    return app.close({ timeoutMs: REPLACED_MS });
  }
  app.drain();
  if (reason === "shutdown") await sleep(drainMs);
  await app.close(worker.isControl ? { untilForwardedEnd: worker.othersGone } : {});
}
