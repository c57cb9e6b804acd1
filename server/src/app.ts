/** The composition root: the one file that knows every room. It holds no logic, only who needs whom. */
import { mountApp } from "#api/app/mount-app";
import { mountConnect } from "#api/connect/mount-connect";
import { mountDocs } from "#api/docs/mount-docs";
import { createApiServer } from "#api/http/server";
import type { ApiWorld } from "#api/http/world";
import type { Logos } from "#api/logos/logos";
import { mountResourceMetadata } from "#api/oauth/mount-oauth";
import { operations } from "#api/operations";
import { mountSignIn } from "#api/sign-in/mount-sign-in";
import { createConnect } from "#connect/connect";
import { tryConnection } from "#connect/try-connection";
import { UpstreamCredentials } from "#connect/upstream-credentials";
import { createEgress } from "#egress/egress";
import { createGateway } from "#gateway/gateway";
import { SnapshotHolder } from "#gateway/snapshot/holder";
import type { ServerEntry } from "#gateway/snapshot/shape";
import { type LocalServer, LocalServers } from "#gateway/upstream/local-servers";
import { createUpstreams } from "#gateway/upstream/upstreams";
import { resourceMetadataUrl } from "#identity/oauth-server/metadata";
import { createPasswords, type PasswordCost } from "#identity/passwords";
import { offerSetup } from "#identity/set-up";
import { createSsoClient } from "#identity/sso-client";
import { createJobRunner } from "#jobs/runner";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import { type RandomBytes, randomBase62 } from "#lib/random";
import { createRequestIds } from "#lib/request-ids";
import { createCredentialRefresh } from "#publish/credential-refresh";
import { createPublisher } from "#publish/publisher";
import type { Databases } from "#storage/database";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import { assertWrappingKey, openVault } from "#storage/open-vault";
import type { Vault } from "#storage/vault";
import { type WrappingKey, WrongWrappingKey } from "#storage/wrapping-key";
import { createRegistrySync } from "#sync/registry/registry-sync";
import { createServerSync } from "#sync/sync-server";
import { ensureFirstToken } from "./bootstrap-token.ts";
import type { Config } from "./config.ts";
import { createCallLog } from "./create-call-log.ts";
import { createTracer } from "./create-tracer.ts";
import { makeDataDir } from "./data-dir.ts";
import { listenerFor } from "./listener-for.ts";
import { RefusalCounts } from "./metrics.ts";
import { createMetricsListener } from "./metrics-listener.ts";
import { mountOAuthServer } from "./mount-oauth-server.ts";
import { closePort, openPort } from "./open-port.ts";
import { periodicJobs } from "./periodic-jobs.ts";
import { type Release, readRelease } from "./read-release.ts";
import { registerLocalServers } from "./register-local-servers.ts";
import { createSessionRecords, presentedSeal } from "./session-records.ts";
import { createSharedSessions } from "./shared-sessions.ts";
import { makeWrappingKeys } from "./wrapping-keys.ts";

export interface World {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly newId: NewId;
  /** Tests let an undeclared status or field fail; production cuts it off. */
  readonly undeclaredAnswers?: "fails" | "is-cut";
  /** Tests take a cheap one. */
  readonly passwordCost?: PasswordCost;
  /** Tests bring built-in connectors of their own. */
  readonly connectorsFolder?: URL;
  /** Tests bring an admin app of their own, or none. */
  readonly appFolder?: URL;
  /** Tests say how full the heap is. */
  readonly heapShare?: () => number;
  /** Tests do not wait as long for a Postgres that is silent. */
  readonly postgresSilenceMs?: number;
}

export interface App {
  /** Answers the port. */
  listen(): Promise<number>;
  /** Likewise; undefined when none are served. */
  listenForMetrics(): Promise<number | undefined>;
  /** Announces the end: not ready any more, and each answer ends its connection; everything is served still (OPS-1). */
  drain(): void;
  close(): Promise<void>;
  /** Where a token that we made on the first start can be read. */
  readonly adminTokenFile: string | undefined;
  /** Of the link by which the first owner is made, while there is none (AUTH-11). */
  readonly setupToken: string | undefined;
  /** Why nothing is served: the key file does not fit the database (SEC-7). */
  readonly sealedBecause: string | undefined;
}

const VERSION = "0.1.0";
const WRONG_CREDENTIALS_PER_MINUTE = 100;

export async function buildApp(world: World): Promise<App> {
  const { config, logger, clock } = world;
  makeDataDir(config.dataDir);
  const keys = makeWrappingKeys(config);
  const release = await readRelease(world);
  const { dataDir, databaseUrl } = config;
  const databases = await openDatabases({ dataDir, databaseUrl, logger, postgresSilenceMs: world.postgresSilenceMs });
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

async function buildOpenApp(
  world: World,
  databases: Databases,
  keys: readonly WrappingKey[],
  release: Release,
): Promise<App> {
  const { config, logger, clock, newId, random } = world;
  const db = databases.main;
  const vault = await openVault(db, keys, { clock, logger });
  const given = config.bootstrapToken;
  const adminTokenFile = await ensureFirstToken({ db, clock, newId, random, dataDir: config.dataDir, given });
  const setupWorld = { databases, clock, newId, random, obeyed: async () => {} };
  const setupToken = config.role === "gateway" ? undefined : await offerSetup(setupWorld);
  const { localServers } = release;
  const localIds = localServers ? await registerLocalServers({ db, clock, newId }, localServers) : [];
  const plane = buildDataPlane(world, databases, vault, localServers ?? []);
  const { publisher, spool, mover, sync, registry } = plane;
  const api = buildApi(world, databases, vault, plane, release);
  await api.ready();
  let closing = false;
  const listener = listenerFor(config, {
    gateway: config.role === "admin" ? undefined : plane.gateway.handle,
    api: (request, response) => api.routing(request, response),
    logos: release.logos,
    isDraining: () => closing,
    isOverloaded: plane.gateway.isOverloaded,
    notReadyBecause: () => (closing ? "shutting down" : spool.healthy() ? undefined : "the call log cannot be written"),
    degradedBecause: () => (publisher.isBehind() ? "the database cannot be reached" : undefined),
  });
  const periodic = periodicJobs({ databases, clock, newId, sync, registry, vault, keys });
  const jobs = createJobRunner(periodic, { db, clock, logger, holder: spool.id });
  const metrics = createMetricsListener(config, { ...plane, jobs, version: VERSION });
  await publisher.start();
  // The first full build leaves more garbage than it keeps: under `npm start`, which allows it, that is given back.
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
    /** What takes work in stops first; what stores its outcome stops last. */
    async close() {
      closing = true;
      registry?.stop();
      plane.localServers.stopStarting();
      plane.gateway.close();
      await Promise.all([closePort(listener, plane.upstreams.close), jobs.stop(), sync.stop()]);
      await plane.upstreams.close();
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

/** Everything that a request at the gateway touches, and what feeds it. */
function buildDataPlane(world: World, databases: Databases, vault: Vault, servers: readonly LocalServer[]) {
  const { config, logger, clock, newId, random } = world;
  const db = databases.main;
  const refusals = new RefusalCounts();
  const egress = createEgress({ allow: config.egressAllow, clock, refused: () => refusals.egress++ });
  const holder = new SnapshotHolder();
  const obeyed = (revision: number) => publisher.applyUpTo(revision);
  const connect = createConnect({
    ...{ db, clock, newId, random, logger, vault, egress, obeyed },
    ...{ baseUrl: config.baseUrl, orgName: config.orgName },
    connected: (serverId, userId) => sync.soon(serverId, userId),
    tryHeaders: (server, headers) => sync.tryHeaders(server, headers),
  });
  const used = (serverId: string, userId: string) => sync.used(serverId, userId);
  const credentials = new UpstreamCredentials({ db, clock, newId, vault, logger, ...connect, used });
  const connectionsChanged = (keys: Iterable<string> | undefined) => {
    credentials.forget(keys);
    upstreams.connectionsChanged(keys);
  };
  const publisher = createPublisher({
    ...{ databases, clock, logger, holder, connectionsChanged },
    sessionsChanged: (sessions) => gateway.sessionsChanged(sessions),
  });
  const callLog = createCallLog({ dataDir: config.dataDir, db: databases.calls, vault, clock, newId, logger });
  const localServers = new LocalServers({ servers, clock, logger, environment: config.localEnvironment });
  const credentialOf = async (serverId: string, userId: string) => {
    const server = holder.current().serversById.get(serverId);
    const found = server ? await credentials.of(server, userId) : "not_connected";
    return typeof found === "object" ? { ...found, url: server?.upstream?.url } : found;
  };
  const sync = createServerSync({ db, clock, newId, logger, egress, localServers, obeyed, credentialOf });
  const eraObserver = { observed: (server: ServerEntry) => sync.soon(server.id) };
  const upstreams = createUpstreams({
    ...{ egress, clock, logger, eraObserver, localServers, credentials },
    shared: createSharedSessions({ db, clock, newId, vault, logger }),
    limits: () => holder.current().limits.server,
  });
  const traces = createTracer(config.traces, { clock, logger, random, version: VERSION });
  const gateway = createGateway({
    holder,
    tracer: traces?.tracer,
    verifier: vault,
    credentialRefresh: createCredentialRefresh({ publisher, clock, db }),
    firstSync: sync,
    listSync: sync,
    credentials,
    sessionRecords: createSessionRecords({ db, clock, newId }),
    calls: callLog.calls,
    payloads: callLog.payloads,
    credentialRefused: () => refusals.gatewayCredentials++,
    ...{ upstreams, clock, logger },
    newRequestId: createRequestIds(random),
    sessionSeal: presentedSeal(vault, "mcp-session-id"),
    resourceMetadataUrl: (host) => resourceMetadataUrl(config.gatewayUrl, host),
    connectUrl: (slug) => `${config.baseUrl}/connect/${slug}`,
    questionSeal: presentedSeal(vault, "question-id"),
    newSessionId: () => randomBase62(random, 22),
    alone: config.databaseUrl === undefined,
    heapShare: world.heapShare,
    serverInfo: { name: "gatehouse", title: config.orgName, version: VERSION },
  });
  const { registryUrl } = config;
  const registry =
    config.registrySync === "on" ? createRegistrySync({ db, clock, logger, egress, random, registryUrl }) : undefined;
  const records = { publisher, ...callLog, traces, sync, registry };
  return { ...records, refusals, egress, connect, holder, localServers, credentials, upstreams, gateway };
}

function buildApi(
  world: World,
  databases: Databases,
  vault: Vault,
  plane: ReturnType<typeof buildDataPlane>,
  { connectors, app }: Release,
) {
  const { config, logger, clock, newId, random } = world;
  const { baseUrl, gatewayUrl, orgName } = config;
  const obeyed = (revision: number) => plane.publisher.applyUpTo(revision);
  const apiWorld: ApiWorld = {
    ...{ databases, vault, clock, newId, random, logger, baseUrl, gatewayUrl, orgName, obeyed },
    passwords: createPasswords(random, world.passwordCost),
    sso: createSsoClient({ fetch: plane.egress.fetch, baseUrl: config.baseUrl, clock }),
    orgDomain: config.orgDomain,
    version: VERSION,
    connectors,
    snapshots: plane.holder,
    connect: plane.connect,
    syncSoon: (serverId, userId) => plane.sync.soon(serverId, userId),
    tryConnection: (server, userId) => tryConnection(plane, server, userId),
    syncNow: (serverId) => plane.sync.again(serverId),
    callsStored: plane.callsStored,
  };
  const hasApi = config.role !== "gateway";
  const server = createApiServer(hasApi ? operations : [], apiWorld, {
    undeclared: world.undeclaredAnswers ?? "is-cut",
    wrongCredentialsPerMinute: WRONG_CREDENTIALS_PER_MINUTE,
    credentialRefused: () => plane.refusals.apiCredentials++,
    trustedProxies: config.trustedProxies,
  });
  mountResourceMetadata(server, config);
  if (hasApi) {
    mountDocs(server, operations, config.baseUrl);
    mountSignIn(server, apiWorld);
    mountConnect(server, apiWorld);
    mountOAuthServer(server, apiWorld, () => plane.refusals.egress++);
    mountApp(server, apiWorld, app);
  }
  return server;
}

/** SEC-7: a wrong key serves nothing and changes nothing, but stays up to say so. */
function sealedApp({ config, logger }: World, databases: Databases, logos: Logos, reason: string): App {
  logger.error(reason);
  let draining = false;
  const listener = listenerFor(config, {
    gateway: undefined,
    api: (_request, response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "Not ready" }));
    },
    logos,
    isDraining: () => draining,
    isOverloaded: () => false,
    notReadyBecause: () => "the key file does not fit the database",
    degradedBecause: () => undefined,
  });
  return {
    adminTokenFile: undefined,
    setupToken: undefined,
    sealedBecause: reason,
    listen: () => openPort(listener, config),
    listenForMetrics: async () => undefined,
    drain() {
      draining = true;
    },
    async close() {
      await closePort(listener, async () => {});
      await databases.close();
    },
  };
}
