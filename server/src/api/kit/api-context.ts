import type { AgentRunner } from "#agents/agent-runner";
import type { Connect, ConnectionTrial, Trial } from "#connect/connect";
import type { Discovery } from "#discovery/discovery";
import type { EmailDeliverer } from "#email/deliverer";
import type { SnapshotHolder } from "#gateway/snapshot/holder";
import type { GuardEngine } from "#guards/engine";
import type { AuthExchange } from "#identity/exchange/auth-exchange";
import type { DocumentReachability } from "#identity/oauth-server/document-reachability";
import type { Passwords } from "#identity/passwords";
import type { SsoClient } from "#identity/sso-client";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { LogShipper } from "#log-shipping/shipper";
import type { BuiltInConnectors } from "#records/connectors";
import type { Databases } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { Vault } from "#storage/vault";
import type { ContentGuards } from "#sync/content-guards";
import type { WebhookDeliverer } from "#webhooks/deliverer";

/** The dependencies of operations. `compose/control-plane.ts` provides them; tests provide their own. */
export interface ApiContext {
  readonly databases: Databases;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly passwords: Passwords;
  readonly sso: SsoClient;
  readonly logger: Logger;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly orgName: string;
  readonly orgDomain: string;
  /** The version of this release. */
  readonly version: string;
  readonly connectors: BuiltInConnectors;
  /** The snapshot of this process's gateway. */
  readonly snapshots: Pick<SnapshotHolder, "current" | "viewFor">;
  /** Connections of users to MCP servers. */
  readonly connect: Connect;
  /** Resolves when the snapshot of this process holds the revision. */
  waitUntilPublished(revision: number): Promise<void>;
  /** Starts a sync of a server's tools, with this user's credential if it needs one, and does not wait for it. */
  syncSoon(serverId: string, userId?: string): void;
  /** Whether a server accepts this user's credential. */
  tryConnection(server: McpServerRow, userId: string): Promise<ConnectionTrial>;
  /** Whether a server accepts these headers, given as alternating names and values. */
  tryHeaders(server: McpServerRow, headers: readonly string[]): Promise<Trial>;
  /** Syncs a server's tools and returns the error, if any. */
  syncNow(serverId: string): Promise<{ readonly error: string | undefined }>;
  /** Resolves when all calls that have been answered are in the call log. */
  callsStored(): Promise<void>;
  /** Exchanges tokens of trusted issuers. */
  readonly exchange: AuthExchange;
  /** Whether client ID metadata documents are advertised. */
  readonly documents: Pick<DocumentReachability, "fetch" | "status">;
  /** Sends events to webhooks. */
  readonly webhooks: Pick<WebhookDeliverer, "wake" | "sendTest">;
  /** Sends invitations and notices by email. */
  readonly emails: Pick<EmailDeliverer, "sendTest" | "settings">;
  /** Ships logs to their destinations. */
  readonly logShipping: Pick<LogShipper, "wake" | "sendTest" | "writesFiles">;
  /** Runs sessions of agents. */
  readonly agents: Pick<AgentRunner, "wake" | "stopped" | "platforms" | "stepGuards" | "defaultProvider">;
  /** What devices reported, and the policy about it. */
  readonly discovery: Discovery;
  /** The engine that also examines calls. */
  readonly guards: Pick<GuardEngine, "evaluate">;
  /** Evaluates content with the build-time guards. */
  readonly contentGuards: Pick<ContentGuards, "select" | "selectForReview" | "evaluate">;
  /** Checks a URL against the rules for outbound requests; throws `EgressRefused`. */
  assertReachableUrl(url: string): URL;
  /** Yields to the calls at the gateway. Long lists are processed in turns. */
  nextTurn(): Promise<void>;
  /** A sentence about a proxy whose headers are ignored; undefined: none. */
  proxyWarning(): string | undefined;
}
