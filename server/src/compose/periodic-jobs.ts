import type { AgentRunner } from "#agents/agent-runner";
import { runDueSchedules } from "#agents/agent-schedules";
import { followPlatformSessions } from "#agents/platform-sessions";
import type { Discovery } from "#discovery/discovery";
import { trimUnused } from "#identity/oauth-server/clients";
import type { DocumentReachability } from "#identity/oauth-server/document-reachability";
import { forgetAuditJob, verifyAuditJob } from "#jobs/audit-chain";
import { buildIndexesJob } from "#jobs/build-indexes";
import { discoveryRetentionJob, evaluateDiscoveryJob } from "#jobs/discovery";
import { expireApprovalsJob } from "#jobs/expire-approvals";
import { forgetExpiredCredentialsJob } from "#jobs/forget-expired-credentials";
import { keyRotationJobs } from "#jobs/key-rotation";
import { reclaimSpaceJob } from "#jobs/reclaim-space";
import { reportServerHealthJob } from "#jobs/report-server-health";
import { retentionJobs } from "#jobs/retention";
import { rollUpCallsJob } from "#jobs/roll-up-calls";
import type { Job } from "#jobs/runner";
import { shipAuditJob } from "#jobs/ship-audit";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import { deleteHookRequestsBefore, deleteSessionsBefore } from "#records/agents";
import { deleteCredentialsBefore, deleteReplaysBefore } from "#records/auth-exchange";
import { deleteConnectLinksBefore } from "#records/connect-links";
import { deleteUnusedBlobs } from "#records/file-blobs";
import { deleteKeptAnswers } from "#records/idempotency";
import { fillEndpointKeys, serverIdsDueForSync } from "#records/mcp-servers";
import {
  deleteCallerStreamsBefore,
  deleteLinkedResourcesBefore,
  deleteMcpSessionsBefore,
  deleteMcpSubscriptionsBefore,
  deleteReplicaMessagesBefore,
  deleteUpstreamSessionsBefore,
} from "#records/mcp-sessions";
import { deleteArtifactsBefore } from "#records/oauth-artifacts";
import { deleteFlowsBefore } from "#records/oauth-flows";
import { deleteGrantsBefore } from "#records/oauth-grants";
import { readSettings } from "#records/settings";
import { deleteSetupLinksBefore } from "#records/setup-links";
import { deleteAttemptsBefore } from "#records/sign-in-attempts";
import { deleteStoredResultsBefore } from "#records/stored-results";
import { deleteEndedWebSessions } from "#records/web-sessions";
import type { Databases } from "#storage/database";
import { trimChanges } from "#storage/trim-changes";
import type { Vault } from "#storage/vault";
import type { WrappingKey } from "#storage/wrapping-key";
import type { RegistrySync } from "#sync/registry/registry-sync";
import type { ServerSync } from "#sync/sync-server";

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const SYNCED_PER_RUN = 500;
const CHANGES_PER_SLICE = 2_000;
const CHANGE_SLICES = 500;
/** How long ended and expired credentials of auth exchange are listed. */
const EXCHANGE_DAYS = 30;
const EXCHANGES_PER_SLICE = 500;
const EXCHANGE_SLICES = 100;
/** How long ended sessions of agents are kept. */
const SESSION_DAYS = 90;
/** How long requests to inbound webhooks are remembered. */
const HOOK_REQUEST_HOURS = 24;
const SCHEDULES_EVERY_MS = 5_000;
const SESSIONS_PER_SLICE = 200;
const SESSION_SLICES = 500;
const FILES_PER_SLICE = 200;
const FILE_SLICES = 500;

export interface PeriodicJobNeeds {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly sync: ServerSync;
  /** Undefined if the operator disabled the registry. */
  readonly registry: RegistrySync | undefined;
  /** Undefined in a process without the OAuth server. */
  readonly documents: Pick<DocumentReachability, "testWhenDue"> | undefined;
  readonly vault: Vault;
  readonly keys: readonly WrappingKey[];
  readonly discovery: Pick<Discovery, "evaluate">;
  readonly logger: Logger;
  readonly agents: Pick<AgentRunner, "wake" | "platforms" | "stepGuards">;
}

/** The list of all periodic jobs. */
export function periodicJobs(needs: PeriodicJobNeeds): Job[] {
  const { databases, clock, newId, sync, registry, documents, vault, keys, logger, agents, discovery } = needs;
  const db = databases.main;
  return [
    {
      name: "sync-tools",
      everyMs: MINUTE_MS,
      oncePerOrganization: true,
      async run() {
        const now = clock.now();
        const { tool_sync_interval_minutes: minutes } = await readSettings(db);
        const due = { failedBefore: now - MINUTE_MS, readBefore: now - minutes * MINUTE_MS };
        const serverIds = await serverIdsDueForSync(db, due, SYNCED_PER_RUN);
        await Promise.allSettled(serverIds.map((serverId) => sync.now(serverId)));
      },
    },
    {
      name: "forget-idempotency-answers",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      run: () => deleteKeptAnswers(db, clock.now() - 24 * HOUR_MS),
    },
    {
      name: "forget-sign-ins",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      async run() {
        const now = clock.now();
        await deleteEndedWebSessions(db, now);
        await deleteSetupLinksBefore(db, now);
        await deleteAttemptsBefore(db, now);
      },
    },
    {
      name: "forget-sign-ins-elsewhere",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      async run() {
        await deleteFlowsBefore(db, clock.now());
        await deleteConnectLinksBefore(db, clock.now());
      },
    },
    {
      name: "forget-clients",
      everyMs: 10 * MINUTE_MS,
      oncePerOrganization: true,
      async run() {
        await deleteArtifactsBefore(db, clock.now());
        await deleteGrantsBefore(db, clock.now());
        await trimUnused(db);
      },
    },
    {
      name: "forget-exchanges",
      everyMs: 10 * MINUTE_MS,
      oncePerOrganization: true,
      async run() {
        await deleteReplaysBefore(db, clock.now());
        const before = clock.now() - EXCHANGE_DAYS * 24 * HOUR_MS;
        for (let slice = 0; slice < EXCHANGE_SLICES; slice++) {
          if ((await deleteCredentialsBefore(db, before, EXCHANGES_PER_SLICE)) < EXCHANGES_PER_SLICE) break;
        }
      },
    },
    expireApprovalsJob({ db, clock, newId }),
    forgetExpiredCredentialsJob({ db, clock, newId }),
    rollUpCallsJob(databases.calls),
    buildIndexesJob(databases),
    reclaimSpaceJob(databases),
    {
      name: "trim-changes",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      async run() {
        for (let slice = 0; slice < CHANGE_SLICES && (await trimChanges(db, CHANGES_PER_SLICE)); slice++);
      },
    },
    {
      name: "delete-unused-files",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      async run() {
        const usedBefore = clock.now() - 24 * HOUR_MS;
        for (let slice = 0; slice < FILE_SLICES; slice++) {
          if ((await deleteUnusedBlobs(db, usedBefore, FILES_PER_SLICE)) < FILES_PER_SLICE) break;
        }
      },
    },
    {
      name: "forget-mcp-sessions",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      async run() {
        await deleteMcpSessionsBefore(db, clock.now() - 7 * 24 * HOUR_MS);
        await deleteUpstreamSessionsBefore(db, clock.now() - 24 * HOUR_MS);
        await deleteMcpSubscriptionsBefore(db, clock.now() - 24 * HOUR_MS);
        await deleteLinkedResourcesBefore(db, clock.now() - HOUR_MS);
        await deleteStoredResultsBefore(db, clock.now() - HOUR_MS);
        await deleteCallerStreamsBefore(db, clock.now() - HOUR_MS);
        await deleteReplicaMessagesBefore(db, clock.now() - HOUR_MS);
      },
    },
    {
      name: "run-agent-schedules",
      everyMs: SCHEDULES_EVERY_MS,
      oncePerOrganization: true,
      run: () =>
        runDueSchedules({
          ...{ db, clock, newId, vault, logger, stepGuards: agents.stepGuards },
          wake: () => agents.wake(),
        }),
    },
    {
      name: "follow-platform-sessions",
      everyMs: SCHEDULES_EVERY_MS,
      oncePerOrganization: true,
      run: () =>
        followPlatformSessions({
          ...{ db, clock, newId, logger, platforms: agents.platforms, stepGuards: agents.stepGuards },
        }),
    },
    {
      name: "forget-agent-sessions",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      async run() {
        await deleteHookRequestsBefore(db, clock.now() - HOOK_REQUEST_HOURS * HOUR_MS);
        const before = clock.now() - SESSION_DAYS * 24 * HOUR_MS;
        for (let slice = 0; slice < SESSION_SLICES; slice++) {
          if ((await deleteSessionsBefore(db, before, SESSIONS_PER_SLICE)) < SESSIONS_PER_SLICE) break;
        }
      },
    },
    discoveryRetentionJob({ db, clock, newId }),
    evaluateDiscoveryJob({ db, clock, newId }, () => discovery.evaluate()),
    reportServerHealthJob({ db, clock, newId }, databases, clock),
    ...retentionJobs({ databases, clock }),
    verifyAuditJob({ context: { db, clock, newId }, vault }),
    forgetAuditJob({ context: { db, clock, newId }, vault }),
    shipAuditJob({ db, clock, newId }),
    ...keyRotationJobs({ context: { db, clock, newId }, vault, keys }),
    {
      name: "fill-endpoint-keys",
      everyMs: HOUR_MS,
      atStart: true,
      oncePerOrganization: true,
      run: () => fillEndpointKeys(db),
    },
    ...(registry ? [readRegistry(registry)] : []),
    ...(documents ? [testClientDocuments(documents)] : []),
  ];
}

/** The test decides when it is due, as the registry sync does. */
function testClientDocuments(documents: Pick<DocumentReachability, "testWhenDue">): Job {
  return {
    name: "test-client-documents",
    everyMs: MINUTE_MS,
    atStart: true,
    oncePerOrganization: true,
    run: () => documents.testWhenDue(),
  };
}

/**
 * The registry sync decides when it is due. Running every minute keeps the lease short, so that a dead process causes
 * little delay.
 */
function readRegistry(registry: RegistrySync): Job {
  return {
    name: "read-registry",
    everyMs: MINUTE_MS,
    atStart: true,
    oncePerOrganization: true,
    run: () => registry.runWhenDue(),
  };
}
