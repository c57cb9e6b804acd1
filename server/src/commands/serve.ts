import { type Config, describeLikelyTypos, readConfig } from "#config/config";
import { createLogger } from "#lib/logger";
import { supervisorPort } from "#workers/processes";
import type { CommandLine } from "./help.ts";

/** Serves until a signal, then finishes open requests and exits with 0. A second signal exits immediately. */
export async function serve(_args: readonly string[], { didYouMean }: CommandLine): Promise<void> {
  const config = readConfig();
  const port = supervisorPort();
  // Workers have the settings of their supervisor, which has reported them.
  if (!port) for (const typo of describeLikelyTypos(didYouMean)) createLogger(config.logLevel).warn(typo);
  // Each is loaded only where it is used: the supervisor needs no service in its memory.
  if (port) await (await import("./serve/serve-worker.ts")).serveWorker(config, port);
  else if (config.workers === undefined) await (await import("./serve/serve-alone.ts")).serveAlone(config);
  else await superviseWorkers(config, config.workers);
}

async function superviseWorkers(config: Config, workers: number): Promise<void> {
  const { supervise } = await import("./serve/supervise.ts");
  await supervise(config, workers);
}
