import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "#compose/app";
import type { App } from "#compose/app-shape";
import { type Config, readConfig } from "#config/config";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger, type Logger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { keepTickShape } from "#lib/tick-shape";

/** Serves until a signal; then finishes what is under way and ends with 0. A second signal ends at once. */
export async function serve(): Promise<void> {
  keepTickShape();
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const newId = createIds(systemClock, systemRandom);
  const app = await buildApp({ config, logger, clock: systemClock, random: systemRandom, newId });
  const [port, metricsPort] = await Promise.all([app.listen(), app.listenForMetrics()]).catch(
    async (error: unknown) => {
      await app.close();
      throw error;
    },
  );
  // Whoever reads the greeting may send a signal at once.
  const signalled = shutdownSignal(logger);
  greet(config, app, port, metricsPort);
  const signal = await signalled;
  app.drain();
  // Load balancers need a moment to see that we are going. At a terminal there is none, and Ctrl-C does not wait.
  if (signal === "SIGTERM") await sleep(config.drainMs);
  await app.close();
}

function greet(config: Config, app: App, port: number, metricsPort: number | undefined): void {
  const address = config.baseUrl.replace(/:0$/, `:${port}`);
  const lines = [
    `Gatehouse serves ${address}`,
    `  gateway  ${config.gatewayUrl.replace(/:0$/, `:${port}`)}/mcp`,
    `  API      ${address}/api, described at ${address}/docs`,
  ];
  if (!lines.some((line) => line.includes(`:${port}`))) lines.push(`  listens  on port ${port} of ${config.host}`);
  if (metricsPort !== undefined) lines.push(`  metrics  port ${metricsPort} of ${config.metricsHost}, at /metrics`);
  if (app.adminTokenFile !== undefined) lines.push(`  a first API token is in ${app.adminTokenFile}`);
  if (app.setupToken !== undefined) {
    lines.push(`  nobody owns this yet; to become its owner, within the hour: ${address}/setup-link#${app.setupToken}`);
  }
  if (app.sealedBecause !== undefined) lines.push(`  NOT READY: ${app.sealedBecause}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}

function shutdownSignal(logger: Logger): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const first = (signal: NodeJS.Signals) => {
      logger.info({ signal }, "finishing what is under way");
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
