/** The composition root. Only the files of this folder import every other folder. They contain wiring only. */

import type { ServerResponse } from "node:http";
import { REPORT_WORKER } from "#api/ai-discovery/thread/program";
import { makeDataDir } from "#config/data-dir";
import { nameFullDisk } from "#config/full-disk";
import { makeWrappingKeys } from "#config/wrapping-keys";
import { Discovery } from "#discovery/discovery";
import { restorePeer } from "#egress/forward-request";
import { createJobRunner, type Job } from "#jobs/runner";
import { closePort, openPort, openSocket, stopAccepting } from "#lib/open-port";
import { VERSION } from "#lib/version";
import type { Publisher } from "#publish/publisher";
import type { LoadedSnapshot, StoredSnapshot } from "#publish/stored-snapshot";
import { isDatabaseAway } from "#storage/constraints";
import type { Databases } from "#storage/database";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import { assertUsable, openVault, readNewDataKeys } from "#storage/open-vault";
import { assertPublishable } from "#storage/required-rows";
import { type WrappingKey, WrongWrappingKey } from "#storage/wrapping-key";
import { createMetrics } from "#telemetry/metrics";
import { createMetricsListener } from "#telemetry/metrics-listener";
import type { App, CloseOptions, World } from "./app-shape.ts";
import { buildControlPlane } from "./control-plane.ts";
import { buildDataPlane } from "./data-plane.ts";
import { ensureFirstRecords, type FirstRecords } from "./first-records.ts";
import { awaitDatabase } from "./late-database.ts";
import type { RequestHandlers } from "./listener.ts";
import { listenerFor } from "./listener-for.ts";
import { createClientDocuments } from "./oauth-server.ts";
import { periodicJobs } from "./periodic-jobs.ts";
import { createProxyWarning } from "./proxy-warning.ts";
import { type Release, readRelease } from "./read-release.ts";
import { sealedApp } from "./sealed-app.ts";
import { STORE_SNAPSHOT, storedSnapshotOf, storeSnapshotJob } from "./stored-snapshot.ts";
import { forwardToControl, isControl, joinWorkers, startSharingCounts } from "./worker.ts";

export async function buildApp(world: World): Promise<App> {
  try {
    return await openApp(world);
  } catch (error) {
    throw nameFullDisk(error, world.config.dataDir);
  }
}

async function openApp(world: World): Promise<App> {
  const { config, logger } = world;
  makeDataDir(config.dataDir);
  const keys = makeWrappingKeys(config);
  const release = await readRelease(world);
  const databases = await openDatabases({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    logger,
    isService: world.locksDataDir ?? false,
    postgresTimeouts: world.postgresTimeouts,
    sqliteDurability: world.sqliteDurability,
  });
  try {
    const stored = storedSnapshotOf(world);
    const loaded = await prepareDatabase(world, databases, keys).catch(async (error: unknown) => {
      const usable = isDatabaseAway(error) ? await stored?.load(keys, config.snapshotMaxAgeMs) : undefined;
      if (!usable) throw error;
      return usable;
    });
    return await buildOpenApp(world, databases, keys, release, { stored, loaded: loaded ?? undefined });
  } catch (error) {
    if (error instanceof WrongWrappingKey) return sealedApp(world, databases, release.logos, error.message);
    await databases.close();
    throw error;
  }
}

/** The key file is checked before anything is changed. */
async function prepareDatabase(
  { clock, logger }: World,
  databases: Databases,
  keys: readonly WrappingKey[],
): Promise<void> {
  await assertUsable(databases.main, keys);
  await migrate(databases, clock);
  await assertPublishable(databases, (message) => logger.error(message));
}

interface Snapshots {
  readonly stored: StoredSnapshot | undefined;
  /** Set if the database is away. */
  readonly loaded: LoadedSnapshot | undefined;
}

async function buildOpenApp(
  world: World,
  databases: Databases,
  keys: readonly WrappingKey[],
  release: Release,
  { stored, loaded }: Snapshots,
): Promise<App> {
  const { config, logger, clock, newId } = world;
  const db = databases.main;
  const vault = loaded?.vault ?? (await openVault(db, keys, { clock, logger }));
  const hasControl = isControl(world);
  const first = loaded || !hasControl ? NO_RECORDS : await ensureFirstRecords(world, databases, release);
  const plane = buildDataPlane(world, databases, vault, release.localServers ?? []);
  const { publisher, spool, mover, sync, registry } = plane;
  const proxyWarning = createProxyWarning(config, logger);
  const clientDocuments = createClientDocuments(world, databases, () => plane.refusals.egress++);
  const discovery = new Discovery({
    ...{ databases, clock, newId, logger, connectors: release.connectors, gatewayUrl: config.gatewayUrl },
    reportWorker: REPORT_WORKER,
    nextTurn: () => plane.egress.pacer.nextTurn(),
  });
  const needs = { plane, discovery, documents: clientDocuments.documents };
  const api = hasControl ? buildControlPlane(world, databases, vault, needs, release, proxyWarning) : undefined;
  await api?.ready();
  const forward = forwardToControl(world);
  let closing = false;
  let retired = false;
  const handlers: RequestHandlers = {
    gateway: config.role === "admin" ? undefined : plane.gateway.handle,
    api(request, response) {
      if (!api) forward(request, response);
      else if (publisher.isRestored()) refuseApi(response);
      else api.routing(request, response);
    },
    logos: release.logos,
    isDraining: () => closing || retired,
    isOverloaded: plane.gateway.isOverloaded,
    notReadyBecause: () =>
      closing && !retired ? "shutting down" : spool.healthy() ? undefined : "the call log cannot be written",
    degradedBecause: () => degradedBecause(publisher) ?? world.worker?.missingWorkers,
  };
  const connections = { observe: proxyWarning.observe, closed: plane.closedConnections };
  const listener = listenerFor(config, handlers, connections);
  const forwarded = listenerFor(config, handlers, connections).prependListener("request", restorePeer);
  const periodic = [
    ...periodicJobs({
      databases,
      clock,
      newId,
      sync,
      registry,
      ...{ logger, agents: plane.agents },
      // A process without the OAuth server may be in another network.
      documents: config.role === "gateway" ? undefined : clientDocuments.documents,
      vault,
      keys,
      discovery,
    }),
    ...(stored ? [storeSnapshotJob(world, stored, { databases, kinds: plane.kinds, vault })] : []),
  ];
  const jobs = createJobRunner(hasControl ? periodic : periodic.filter(isForEachWorker), {
    db,
    clock,
    logger,
    holder: spool.id,
  });
  const metrics = isMeasured(world) ? createMetrics({ ...plane, jobs, version: VERSION }) : undefined;
  const renderMetrics = () => metrics?.render() ?? "";
  const metricsListener = world.worker ? undefined : createMetricsListener(config, renderMetrics);
  const sharedCounts = startSharingCounts(world, plane.gateway);
  const startWork = (localServerIds: readonly string[]) => {
    mover.start();
    jobs.start();
    if (sendsAutomatically(world)) {
      plane.webhooks.start();
      void plane.emails.start();
      plane.logShipper.start();
      plane.agents.start();
    }
    for (const id of localServerIds) sync.soon(id);
  };
  const late =
    loaded &&
    startLate(world, publisher, loaded, {
      async prepare() {
        await prepareDatabase(world, databases, keys);
        await openVault(db, keys, { clock, logger });
        await readNewDataKeys(db, keys, vault);
        return hasControl ? (await ensureFirstRecords(world, databases, release)).localServerIds : [];
      },
      startWork,
    });
  if (late) await late.started;
  else await publisher.start();
  await plane.replicas?.start();
  // The first full build leaves more garbage than data. `npm start` exposes the garbage collector to free it.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  if (!late) startWork(first.localServerIds);

  return {
    adminTokenFile: first.adminTokenFile,
    setupToken: first.setupToken,
    sealedBecause: undefined,
    listen() {
      plane.gateway.listening();
      return openPort(listener, config);
    },
    listenForMetrics: async () => metricsListener?.listen(),
    drain() {
      closing = true;
    },
    retire() {
      retired = true;
      stopAccepting(listener);
    },
    join: (worker) => joinWorkers(worker, plane, renderMetrics),
    listenForForwarded: (path) => openSocket(forwarded, path),
    /** Stops what accepts work first, and what stores results last. */
    async close({ timeoutMs, untilForwardedEnd }: CloseOptions = {}) {
      closing = true;
      late?.stop();
      registry?.stop();
      plane.localServers.stopStarting();
      plane.gateway.close();
      const closed = Promise.all([
        closePort(listener, plane.upstreams.close, timeoutMs),
        Promise.resolve(untilForwardedEnd).then(() => closePort(forwarded, plane.upstreams.close, timeoutMs)),
      ]);
      await Promise.all([closed, plane.agents.stop(), discovery.stop(), jobs.stop(), sync.stop()]);
      world.worker?.leave();
      await Promise.all([plane.webhooks.stop(), plane.emails.stop(), plane.logShipper.stop()]);
      await plane.guards.close();
      await plane.events.flush();
      await plane.upstreams.close();
      await plane.replicas?.stop();
      await plane.credentials.close();
      await plane.localServers.close();
      await plane.closeCallLog();
      await plane.traces?.close();
      await publisher.stop();
      await api?.close();
      clientDocuments.close();
      sharedCounts?.stop();
      metrics?.close();
      await metricsListener?.close();
      await plane.egress.close();
      await databases.close();
    },
  };
}

/** The supervisor serves the metrics of a worker. */
function isMeasured({ worker, config }: World): boolean {
  return worker !== undefined || config.metricsPort !== undefined;
}

/** A process without the API may be in another network. */
function sendsAutomatically(world: World): boolean {
  return world.config.role !== "gateway" && isControl(world);
}

/** The snapshot in the folder that the workers share is stored by the control worker. */
function isForEachWorker({ oncePerOrganization, name }: Job): boolean {
  return !oncePerOrganization && name !== STORE_SNAPSHOT;
}

const NO_RECORDS: FirstRecords = { adminTokenFile: undefined, setupToken: undefined, localServerIds: [] };

interface LateWork {
  /** Resolves to the IDs of local servers to sync. */
  prepare(): Promise<readonly string[]>;
  startWork(localServerIds: readonly string[]): void;
}

/** Serves the stored snapshot until the database is ready, and then continues as after any other start. */
function startLate({ clock, logger }: World, publisher: Publisher, loaded: LoadedSnapshot, work: LateWork) {
  const ageSeconds = Math.round(loaded.ageMs / 1000);
  logger.warn({ ageSeconds }, "started without the database, from a stored snapshot: recent changes are missing");
  let localServerIds: readonly string[] = [];
  const { ready, stop } = awaitDatabase(clock, async () => {
    localServerIds = await work.prepare();
  });
  const following = ready.then(() => {
    logger.info("the database is reachable again after a start without it");
    work.startWork(localServerIds);
  });
  return { started: publisher.startFrom(loaded, following), stop };
}

function degradedBecause(publisher: Publisher): string | undefined {
  if (publisher.isRestored()) return "the database cannot be reached; started from a stored snapshot";
  return publisher.isBehind() ? "the database cannot be reached" : undefined;
}

function refuseApi(response: ServerResponse): void {
  response.writeHead(503, { "content-type": "application/json", "retry-after": "5" });
  response.end(JSON.stringify({ error: "The database cannot be reached" }));
}
