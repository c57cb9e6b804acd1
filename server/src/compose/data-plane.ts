import { AgentRunner } from "#agents/agent-runner";
import { createPlatforms } from "#agents/platforms/platforms";
import { StepGuards } from "#agents/step-guards";
import { presentCall } from "#api/presenters/log-entry";
import { createApprovalRecords } from "#cluster/approval-records";
import { createCallerRecords } from "#cluster/caller-records";
import { ReplicaMonitor } from "#cluster/replicas";
import { createSessionRecords, presentedSeal } from "#cluster/session-records";
import { createSharedSessions } from "#cluster/shared-sessions";
import { createStoredResults } from "#cluster/stored-results";
import { createConnect } from "#connect/connect";
import { credentialOf } from "#connect/credential-of";
import { UpstreamCredentials } from "#connect/upstream-credentials";
import { createEgress } from "#egress/egress";
import { EmailDeliverer } from "#email/deliverer";
import { createGateway } from "#gateway/gateway";
import { SnapshotHolder } from "#gateway/snapshot/holder";
import { type LocalServer, LocalServers } from "#gateway/upstream/transport/local-servers";
import { createUpstreams } from "#gateway/upstream/upstreams";
import { resourceMetadataUrl } from "#identity/oauth-server/metadata";
import { BackgroundTurns } from "#lib/background-turns";
import { createAddressOf } from "#lib/caller-address";
import { ClosedConnections } from "#lib/closed-connections";
import { randomBase62, randomUint30 } from "#lib/random";
import { createRequestIds } from "#lib/request-ids";
import { VERSION } from "#lib/version";
import { LogShipper } from "#log-shipping/shipper";
import { createPluginSource } from "#plugins/served/source";
import { createCredentialRefresh } from "#publish/credential-refresh";
import { publishedKinds } from "#publish/published-kinds";
import { createPublisher } from "#publish/publisher";
import { approvalPath } from "#records/approvals";
import { findBlob } from "#records/file-blobs";
import { openSecrets } from "#records/guards";
import { openSharedHeaders } from "#records/mcp-servers";
import type { Databases } from "#storage/database";
import type { Vault } from "#storage/vault";
import { createRegistrySync } from "#sync/registry/registry-sync";
import { createServerSync } from "#sync/sync-server";
import { createTracer } from "#telemetry/create-tracer";
import { RefusalCounts } from "#telemetry/metrics";
import { WebhookDeliverer } from "#webhooks/deliverer";
import { EventQueue } from "#webhooks/event-queue";
import type { World } from "./app-shape.ts";
import { createCallLog } from "./call-log.ts";
import { appliedGuards, createGuards } from "./guards.ts";
import { isControl, publishEverywhere } from "./worker.ts";

/** The data plane: the gateway, and everything that feeds its snapshot, its upstreams and its call log. */
export function buildDataPlane(world: World, databases: Databases, vault: Vault, servers: readonly LocalServer[]) {
  const { config, logger, clock, newId, random } = world;
  const db = databases.main;
  const refusals = new RefusalCounts();
  const closedConnections = new ClosedConnections(clock, logger);
  const egress = createEgress({ allow: config.egressAllow, clock, refused: () => refusals.egress++ });
  const holder = new SnapshotHolder();
  const waitUntilPublished = (revision: number) => publishEverywhere(publisher, world.worker, revision);
  /** Whether other processes serve callers of this organization. */
  const hasPeers = config.databaseUrl !== undefined || world.worker !== undefined;
  const connect = createConnect({
    db,
    clock,
    newId,
    random,
    logger,
    vault,
    egress,
    baseUrl: config.baseUrl,
    orgName: config.orgName,
    waitUntilPublished,
    connected: (serverId, userId) => sync.soon(serverId, userId),
    tryHeaders: (server, headers) => sync.tryHeaders(server, headers),
  });
  const credentials = new UpstreamCredentials({
    db,
    clock,
    newId,
    vault,
    logger,
    renew: connect.renew,
    grant: connect.grant,
    used: (serverId, userId) => sync.used(serverId, userId),
  });
  const events = new EventQueue({ context: { db, clock, newId }, clock, logger });
  const guards = createGuards({ db: databases.calls, clock, logger, egress, events, vault });
  const kinds = publishedKinds({
    guards: guards.services,
    openGuardSecrets: (row) => openSecrets(vault, row),
    openSharedHeaders: (row) => openSharedHeaders(vault, row),
    connectionsChanged(keys) {
      credentials.forget(keys);
      upstreams.connectionsChanged(keys);
    },
    approvalsChanged: (ids) => gateway.approvalsChanged(ids),
    sessionsChanged: (sessions) => gateway.sessionsChanged(sessions),
  });
  const publisher = createPublisher({ databases, clock, logger, holder, kinds });
  const callLog = createCallLog({ dataDir: config.dataDir, db: databases.calls, vault, clock, newId, logger });
  const { pacer } = egress;
  const localServers = new LocalServers({ servers, clock, logger, pacer, environment: config.localEnvironment });
  const sync = createServerSync({
    db,
    clock,
    newId,
    logger,
    egress,
    vault,
    localServers,
    contentGuards: guards.content,
    waitUntilPublished,
    credentialOf: (serverId, userId) => credentialOf({ credentials, holder }, serverId, userId),
  });
  const upstreams = createUpstreams({
    egress,
    clock,
    logger,
    localServers,
    credentials,
    eraObserver: { observed: (server) => sync.soon(server.id) },
    shared: createSharedSessions({ db, clock, newId, vault, logger }),
    limits: () => holder.current().limits.server,
    // Differs between processes, and fits servers that store ids in 32 bits.
    firstId: randomUint30(random),
  });
  const traces = createTracer(config.traces, { clock, logger, random, version: VERSION });
  const replicas =
    hasPeers && config.role !== "admin"
      ? new ReplicaMonitor({ db, clock, logger, id: callLog.spool.id, left: () => gateway.onReplicaGone() })
      : undefined;
  const background = new BackgroundTurns(clock);
  const gateway = createGateway({
    holder,
    credentials,
    upstreams,
    replicas,
    pacer: egress.pacer,
    background,
    clock,
    logger,
    tracer: traces?.tracer,
    verifier: vault,
    credentialRefresh: createCredentialRefresh({ publisher, clock, db }),
    firstSync: sync,
    listSync: sync,
    approvals: createApprovalRecords({ db, clock, newId }, vault),
    sessionRecords: createSessionRecords({ db, clock, newId }, vault, callLog.spool.id),
    callerRecords: createCallerRecords(db, clock),
    storedResults: createStoredResults({ db, vault, clock, newId: () => randomBase62(random, 22) }),
    plugins: createPluginSource({ db, clock, orgName: config.orgName, gatewayUrl: config.gatewayUrl }),
    fileContents: { read: (digest) => findBlob(db, digest) },
    calls: callLog.calls,
    payloads: callLog.payloads,
    credentialRefused: () => refusals.gatewayCredentials++,
    addressOf: createAddressOf(config.trustedProxies),
    closedConnections,
    newRequestId: createRequestIds(random),
    sessionSeal: presentedSeal(vault, "mcp-session-id"),
    questionSeal: presentedSeal(vault, "question-id"),
    requestStateSeal: presentedSeal(vault, "request-state"),
    newSessionId: () => randomBase62(random, 22),
    resourceMetadataUrl: (host) => resourceMetadataUrl(config.gatewayUrl, host),
    approvalUrl: (id) => `${config.baseUrl}${approvalPath(id)}`,
    connectUrl: (slug) => `${config.baseUrl}/connect/${slug}`,
    alone: !hasPeers,
    maxEventLoopDelayMs: config.maxEventLoopDelayMs,
    memoryShare: world.memoryShare,
    responseMemoryBytes: world.responseMemoryBytes,
    inFlightBytes: world.inFlightBytes,
    serverInfo: { name: "gatehouse", title: config.orgName, version: VERSION },
  });
  const registry =
    config.registrySync === "on" && isControl(world)
      ? createRegistrySync({ db, clock, logger, egress, random, registryUrl: config.registryUrl })
      : undefined;
  const webhooks = new WebhookDeliverer({
    ...{ db, clock, newId, vault, egress, logger, random },
    baseUrl: config.baseUrl,
    holder: callLog.spool.id,
  });
  const emails = new EmailDeliverer({
    ...{ db, clock, newId, vault, egress, logger, random, smtp: config.smtp },
    ...{ baseUrl: config.baseUrl, orgName: config.orgName, holder: callLog.spool.id },
  });
  const logShipper = new LogShipper({
    ...{ databases, clock, newId, vault, egress, logger, random, presentCall },
    ...{ holder: callLog.spool.id, filesFolder: config.logFilesDir },
    nextTurn: () => egress.pacer.nextTurn(),
  });
  const agents = new AgentRunner({
    ...{ db, clock, newId, vault, random, logger, gateway, waitUntilPublished },
    ...{ fetch: egress.fetch, holder: callLog.spool.id, defaultProvider: config.defaultProvider },
    nextTurn: () => background.next(),
    stepGuards: new StepGuards({ clock, engine: guards.engine, applied: appliedGuards(holder) }),
    platforms: createPlatforms({
      ...{ fetch: egress.fetch, clock, vault, baseUrl: config.baseUrl, gatewayUrl: config.gatewayUrl },
    }),
  });
  return {
    waitUntilPublished,
    agents,
    webhooks,
    emails,
    logShipper,
    events,
    guards,
    kinds,
    publisher,
    spool: callLog.spool,
    mover: callLog.mover,
    payloads: callLog.payloads,
    calls: callLog.calls,
    callsStored: callLog.callsStored,
    closeCallLog: callLog.closeCallLog,
    traces,
    sync,
    registry,
    refusals,
    closedConnections,
    egress,
    connect,
    holder,
    localServers,
    credentials,
    upstreams,
    gateway,
    replicas,
  };
}

export type DataPlane = ReturnType<typeof buildDataPlane>;
