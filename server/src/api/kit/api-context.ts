import type { Connect, ConnectionTrial } from "#connect/connect";
import type { SnapshotHolder } from "#gateway/snapshot/holder";
import type { Passwords } from "#identity/passwords";
import type { SsoClient } from "#identity/sso-client";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { BuiltInConnectors } from "#records/connectors";
import type { Databases } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { Vault } from "#storage/vault";

/** What operations may reach. `build-api.ts` fills it; tests fill it with the same things and a clock of their own. */
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
  /** Of this release. */
  readonly version: string;
  readonly connectors: BuiltInConnectors;
  /** The context as the gateway of this process sees it. */
  readonly snapshots: Pick<SnapshotHolder, "current" | "viewFor">;
  /** OAuth towards customers' servers. */
  readonly connect: Connect;
  /** Resolves once the gateway of this process obeys the revision. */
  waitUntilPublished(revision: number): Promise<void>;
  /** Reads a server's tools soon, with what this user shows to it where it asks for something; does not wait for it. */
  syncSoon(serverId: string, userId?: string): void;
  /** Whether a server takes what this user shows to it. */
  tryConnection(server: McpServerRow, userId: string): Promise<ConnectionTrial>;
  /** Reads a server's tools now; answers what went wrong, if anything did. */
  syncNow(serverId: string): Promise<{ readonly error: string | undefined }>;
  /** Waits until calls that were answered before now can be read from the log. */
  callsStored(): Promise<void>;
}
