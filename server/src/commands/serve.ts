import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "#compose/app";
import type { App } from "#compose/app-shape";
import { type Config, readConfig } from "#config/config";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger, type Logger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { keepTickShape } from "#lib/tick-shape";

/** Serves until a signal, then finishes open requests and exits with 0. A second signal exits immediately. */
export async function serve(): Promise<void> {
  keepTickShape();
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const newId = createIds(systemClock, systemRandom);
  const app = await buildApp({
    config,
    logger,
    clock: systemClock,
    random: systemRandom,
    newId,
    locksDataDir: true,
  });
  const [port, metricsPort] = await Promise.all([app.listen(), app.listenForMetrics()]).catch(
    async (error: unknown) => {
      await app.close();
      throw error;
    },
  );
  // A signal may arrive right after the greeting.
  const signaled = shutdownSignal(logger);
  printGreeting(config, app, port, metricsPort);
  const signal = await signaled;
  app.drain();
  // Load balancers need time to see that the service is not ready. Ctrl-C at a terminal does not wait.
  if (signal === "SIGTERM") await sleep(config.drainMs);
  await app.close();
}

function printGreeting(config: Config, app: App, port: number, metricsPort: number | undefined): void {
  const url = config.baseUrl.replace(/:0$/, `:${port}`);
  const lines = [
    `Gatehouse is running at ${url}`,
    ...(config.role === "admin" ? [] : [`  Gateway    ${config.gatewayUrl.replace(/:0$/, `:${port}`)}/mcp`]),
    ...(config.role === "gateway" ? [] : [`  API        ${url}/api (documentation: ${url}/docs)`]),
  ];
  if (!lines.some((line) => line.includes(`:${port}`))) lines.push(`  Listening  port ${port} of ${config.host}`);
  if (metricsPort !== undefined) lines.push(`  Metrics    port ${metricsPort} of ${config.metricsHost}, at /metrics`);
  if (app.adminTokenFile !== undefined) lines.push(`  API token  created in ${app.adminTokenFile}`);
  if (app.sealedBecause !== undefined) lines.push(`  NOT READY: ${app.sealedBecause}`);
  if (app.setupToken !== undefined) {
    lines.push("", "No owner yet. Create the owner account within one hour:", `  ${url}/setup-link#${app.setupToken}`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

function shutdownSignal(logger: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const first = (signal: NodeJS.Signals) => {
      logger.info({ signal }, "shutting down");
      for (const each of ["SIGTERM", "SIGINT"] as const) {
        process.off(each, first);
        process.on(each, () => process.exit(1));
      }
      resolve(signal);
    };
    process.on("SIGTERM", first);
    process.on("SIGINT", first);
  });
}
