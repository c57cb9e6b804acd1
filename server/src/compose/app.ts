/** The composition root. Only the files of this folder import every other folder. They contain wiring only. */

import { makeDataDir } from "#config/data-dir";
import { DiskFull, nameFullDisk } from "#config/full-disk";
import { makeWrappingKeys } from "#config/wrapping-keys";
import { offerSetup } from "#identity/set-up";
import { createJobRunner } from "#jobs/runner";
import { closePort, openPort } from "#lib/open-port";
import { VERSION } from "#lib/version";
import { registerLocalServers } from "#local-servers/register-local-servers";
import type { Databases } from "#storage/database";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import { assertWrappingKey, openVault } from "#storage/open-vault";
import { type WrappingKey, WrongWrappingKey } from "#storage/wrapping-key";
import { createMetricsListener } from "#telemetry/metrics-listener";
import type { App, World } from "./app-shape.ts";
import { ensureFirstToken } from "./bootstrap-token.ts";
import { buildControlPlane } from "./control-plane.ts";
import { buildDataPlane } from "./data-plane.ts";
import { listenerFor } from "./listener-for.ts";
import { periodicJobs } from "./periodic-jobs.ts";
import { createProxyWarning } from "./proxy-warning.ts";
import { type Release, readRelease } from "./read-release.ts";
import { sealedApp } from "./sealed-app.ts";

export async function buildApp(world: World): Promise<App> {
  try {
    return await openApp(world);
  } catch (error) {
    throw nameFullDisk(error, world.config.dataDir);
  }
}

async function openApp(world: World): Promise<App> {
  const { config, logger, clock } = world;
  makeDataDir(config.dataDir);
  const keys = makeWrappingKeys(config);
  const release = await readRelease(world);
  const databases = await openDatabases({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    logger,
    postgresTimeoutMs: world.postgresTimeoutMs,
  });
  try {
    await assertWrappingKey(databases.main, keys);
    await migrate(databases, clock);
    return await buildOpenApp(world, databases, keys, release);
  } catch (error) {
    if (error instanceof WrongWrappingKey) return sealedApp(world, databases, release.logos, error.message);
    await databases.close();
    throw error;
  }
}

/** A start on a full disk serves what it can; the setup link is offered by the next start. */
function ignoreFullDisk({ logger, config }: World): (error: unknown) => undefined {
  return (error) => {
    if (!(nameFullDisk(error, config.dataDir) instanceof DiskFull)) throw error;
    logger.error({ err: error }, "the setup link could not be stored because the disk is full");
  };
}

async function buildOpenApp(
  world: World,
  databases: Databases,
  keys: readonly WrappingKey[],
  release: Release,
): Promise<App> {
  const { config, logger, clock, newId, random } = world;
  const db = databases.main;
  const vault = await openVault(db, keys, { clock, logger });
  const adminTokenFile = await ensureFirstToken({
    db,
    clock,
    newId,
    random,
    dataDir: config.dataDir,
    given: config.bootstrapToken,
  });
  // The publisher has not started, so there is nothing to wait for.
  const setupContext = { databases, clock, newId, random, waitUntilPublished: async () => {} };
  const setupToken =
    config.role === "gateway" ? undefined : await offerSetup(setupContext).catch(ignoreFullDisk(world));
  const { localServers } = release;
  const localIds = localServers ? await registerLocalServers({ db, clock, newId }, localServers) : [];
  const plane = buildDataPlane(world, databases, vault, localServers ?? []);
  const { publisher, spool, mover, sync, registry } = plane;
  const proxyWarning = createProxyWarning(config, logger);
  const api = buildControlPlane(world, databases, vault, plane, release, proxyWarning);
  await api.ready();
  let closing = false;
  const listener = listenerFor(
    config,
    {
      gateway: config.role === "admin" ? undefined : plane.gateway.handle,
      api: (request, response) => api.routing(request, response),
      logos: release.logos,
      isDraining: () => closing,
      isOverloaded: plane.gateway.isOverloaded,
      notReadyBecause: () =>
        closing ? "shutting down" : spool.healthy() ? undefined : "the call log cannot be written",
      degradedBecause: () => (publisher.isBehind() ? "the database cannot be reached" : undefined),
    },
    proxyWarning.observe,
  );
  const periodic = periodicJobs({ databases, clock, newId, sync, registry, vault, keys });
  const jobs = createJobRunner(periodic, { db, clock, logger, holder: spool.id });
  const metrics = createMetricsListener(config, { ...plane, jobs, version: VERSION });
  await publisher.start();
  await plane.replicas?.start();
  // The first full build leaves more garbage than data. `npm start` exposes the garbage collector to free it.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  mover.start();
  jobs.start();
  for (const id of localIds) sync.soon(id);

  return {
    adminTokenFile,
    setupToken,
    sealedBecause: undefined,
    listen: () => openPort(listener, config),
    listenForMetrics: async () => metrics?.listen(),
    drain() {
      closing = true;
    },
    /** Stops what accepts work first, and what stores results last. */
    async close() {
      closing = true;
      registry?.stop();
      plane.localServers.stopStarting();
      plane.gateway.close();
      await Promise.all([closePort(listener, plane.upstreams.close), jobs.stop(), sync.stop()]);
      await plane.upstreams.close();
      await plane.replicas?.stop();
      await plane.credentials.close();
      await plane.localServers.close();
      await plane.closeCallLog();
      await plane.traces?.close();
      await publisher.stop();
      await api.close();
      await metrics?.close();
      await plane.egress.close();
      await databases.close();
    },
  };
}
