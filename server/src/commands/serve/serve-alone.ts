import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "#compose/app";
import type { Config } from "#config/config";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { keepTickShape } from "#lib/tick-shape";
import { printGreeting } from "./greeting.ts";
import { shutdownSignal } from "./shutdown-signal.ts";

/** Serves everything in this process. */
export async function serveAlone(config: Config): Promise<void> {
  keepTickShape();
  const logger = createLogger(config.logLevel);
  const newId = createIds(systemClock, systemRandom);
  const world = { config, logger, clock: systemClock, random: systemRandom, newId };
  const app = await buildApp({ ...world, locksDataDir: true });
  const [port, metricsPort] = await Promise.all([app.listen(), app.listenForMetrics()]).catch(
    async (error: unknown) => {
      await app.close();
      throw error;
    },
  );
  // A signal may arrive right after the greeting.
  const signaled = shutdownSignal(logger, () => process.exit(1));
  // A service manager reloads with SIGHUP, which must not end the service. A terminal that closes sends it too.
  if (!process.stdin.isTTY) process.on("SIGHUP", () => logger.warn("SIGHUP restarts workers only if WORKERS is set"));
  const { adminTokenFile, setupToken, sealedBecause } = app;
  printGreeting(config, { port, metricsPort, adminTokenFile, setupToken, sealedBecause });
  const signal = await signaled;
  app.drain();
  // Load balancers need time to see that the service is not ready. Ctrl-C at a terminal does not wait.
  if (signal === "SIGTERM") await sleep(config.drainMs);
  await app.close();
}
