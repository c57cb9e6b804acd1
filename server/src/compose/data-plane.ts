import { followReplicas } from "#cluster/replicas";
import { createSessionRecords, presentedSeal } from "#cluster/session-records";
import { createSharedSessions } from "#cluster/shared-sessions";
import { createConnect } from "#connect/connect";
import { UpstreamCredentials } from "#connect/upstream-credentials";
import { createEgress } from "#egress/egress";
import { createGateway } from "#gateway/gateway";
import { SnapshotHolder } from "#gateway/snapshot/holder";
import type { ServerEntry } from "#gateway/snapshot/shape";
import { type LocalServer, LocalServers } from "#gateway/upstream/transport/local-servers";
import { createUpstreams } from "#gateway/upstream/upstreams";
import { resourceMetadataUrl } from "#identity/oauth-server/metadata";
import { randomBase62 } from "#lib/random";
import { createRequestIds } from "#lib/request-ids";
import { VERSION } from "#lib/version";
import { createCredentialRefresh } from "#publish/credential-refresh";
import { publishedKinds } from "#publish/published-kinds";
import { createPublisher } from "#publish/publisher";
import type { Databases } from "#storage/database";
import type { Vault } from "#storage/vault";
import { createRegistrySync } from "#sync/registry/registry-sync";
import { createServerSync } from "#sync/sync-server";
import { createTracer } from "#telemetry/create-tracer";
import { RefusalCounts } from "#telemetry/metrics";
import type { World } from "./app-shape.ts";
import { createCallLog } from "./call-log.ts";

/** Everything that a request at the gateway touches, and what feeds it. */
export function buildDataPlane(world: World, databases: Databases, vault: Vault, servers: readonly LocalServer[]) {
  const { config, logger, clock, newId, random } = world;
  const db = databases.main;
  const refusals = new RefusalCounts();
  const egress = createEgress({ allow: config.egressAllow, clock, refused: () => refusals.egress++ });
  const holder = new SnapshotHolder();
  const waitUntilPublished = (revision: number) => publisher.applyUpTo(revision);
  const connect = createConnect({
    ...{ db, clock, newId, random, logger, vault, egress, waitUntilPublished },
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
    databases,
    clock,
    logger,
    holder,
    kinds: publishedKinds({
      connectionsChanged,
      sessionsChanged: (sessions) => gateway.sessionsChanged(sessions),
    }),
  });
  const callLog = createCallLog({ dataDir: config.dataDir, db: databases.calls, vault, clock, newId, logger });
  const localServers = new LocalServers({ servers, clock, logger, environment: config.localEnvironment });
  const credentialOf = async (serverId: string, userId: string) => {
    const server = holder.current().serversById.get(serverId);
    const found = server ? await credentials.of(server, userId) : "not_connected";
    return typeof found === "object" ? { ...found, url: server?.upstream?.url } : found;
  };
  const sync = createServerSync({ db, clock, newId, logger, egress, localServers, waitUntilPublished, credentialOf });
  const eraObserver = { observed: (server: ServerEntry) => sync.soon(server.id) };
  const upstreams = createUpstreams({
    ...{ egress, clock, logger, eraObserver, localServers, credentials },
    shared: createSharedSessions({ db, clock, newId, vault, logger }),
    limits: () => holder.current().limits.server,
    // Far from another process's, and well within what a server may keep in 32 bits.
    firstId: Buffer.from(random(4)).readUInt32BE() >>> 2,
  });
  const traces = createTracer(config.traces, { clock, logger, random, version: VERSION });
  const left = () => gateway.onReplicaGone();
  const replicas = followReplicas(config, { db, clock, logger, id: callLog.spool.id, left });
  const gateway = createGateway({
    ...{ holder, credentials, upstreams, replicas, clock, logger },
    tracer: traces?.tracer,
    verifier: vault,
    credentialRefresh: createCredentialRefresh({ publisher, clock, db }),
    firstSync: sync,
    listSync: sync,
    sessionRecords: createSessionRecords({ db, clock, newId }, vault, callLog.spool.id),
    ...{ calls: callLog.calls, payloads: callLog.payloads },
    credentialRefused: () => refusals.gatewayCredentials++,
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
  const gates = { refusals, egress, connect, holder, localServers, credentials, upstreams, gateway, replicas };
  return { ...records, ...gates };
}

export type DataPlane = ReturnType<typeof buildDataPlane>;
