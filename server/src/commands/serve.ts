import { type Config, readConfig } from "#config/config";
import { supervisorPort } from "#workers/processes";

/** Serves until a signal, then finishes open requests and exits with 0. A second signal exits immediately. */
export async function serve(): Promise<void> {
  const config = readConfig();
  const port = supervisorPort();
  // Each is loaded only where it is used: the supervisor needs no service in its memory.
  if (port) await (await import("./serve/serve-worker.ts")).serveWorker(config, port);
  else if (config.workers === undefined) await (await import("./serve/serve-alone.ts")).serveAlone(config);
  else await superviseWorkers(config, config.workers);
}

async function superviseWorkers(config: Config, workers: number): Promise<void> {
  const { supervise } = await import("./serve/supervise.ts");
  await supervise(config, workers);
}
