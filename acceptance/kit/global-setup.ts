import { type Registry, startRegistry } from "./registry.ts";
import { type Installation, spawnInstallation } from "./spawn-installation.ts";
import { givenTarget, SPAWNED } from "./target.ts";

const installations: Installation[] = [];
let registry: Registry | undefined;

/** Starts the installations once, before the first test file, unless the environment sets one. */
export async function globalSetup(): Promise<void> {
  if (givenTarget()) return;
  const postgresUrl = process.env.TEST_DATABASE_URL;
  registry = await startRegistry();
  installations.push(await spawnInstallation({ registryUrl: registry.url }));
  if (postgresUrl) installations.push(await spawnInstallation({ registryUrl: registry.url, postgresUrl }));
  process.env[SPAWNED] = JSON.stringify(installations.map(({ target }) => target));
}

export async function globalTeardown(): Promise<void> {
  for (const installation of installations) await installation.stop();
  await registry?.close();
}
