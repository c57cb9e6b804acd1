/** The dependencies of an app (`World`) and its interface (`App`). */

import type { Config } from "#config/config";
import type { PasswordCost } from "#identity/passwords";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { PostgresTimeouts } from "#storage/postgres-dialect";
import type { SqliteDurability } from "#storage/sqlite-worker";
import type { WorkerLink } from "#workers/worker-link";

export interface World {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly newId: NewId;
  /** Rejects a second process on the same SQLite files. Tests run several services in one process. */
  readonly locksDataDir?: boolean;
  /** Set in a worker of a supervisor. */
  readonly worker?: WorkerLink;
  /** Tests fail on an undeclared status or field. Production removes the field. */
  readonly undeclaredAnswers?: "fails" | "is-cut";
  /** Tests use a cheap one. */
  readonly passwordCost?: PasswordCost;
  /** Tests use their own built-in connectors. */
  readonly connectorsFolder?: URL;
  /** Tests use their own admin app, or none. */
  readonly appFolder?: URL;
  /** Tests set the used share of the memory. */
  readonly memoryShare?: () => number;
  /** Tests limit the memory of large responses. */
  readonly responseMemoryBytes?: number;
  readonly inFlightBytes?: number;
  /** Tests use other timeouts, since a slow machine is no outage. */
  readonly postgresTimeouts?: PostgresTimeouts;
  /** Tests do not wait for the disk. */
  readonly sqliteDurability?: SqliteDurability;
}

export interface CloseOptions {
  /** How long open requests may take; by default 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Until then, forwarded requests are still accepted. */
  readonly untilForwardedEnd?: Promise<void>;
}

export interface App {
  /** Resolves to the port. */
  listen(): Promise<number>;
  /** Resolves to the port of the metrics; undefined if metrics are disabled. */
  listenForMetrics(): Promise<number | undefined>;
  /** Before shutdown: reports not ready and closes connections after each response, but still serves (OPS-1). */
  drain(): void;
  /** In a worker that is replaced: accepts no more connections and closes each after its response, but stays ready. */
  retire(): void;
  /** In a worker: joins those that confirm changes, with the latest snapshot. Call before `listen`. */
  join(worker: WorkerLink): Promise<void>;
  /** In the control worker: accepts the requests that other workers forward. */
  listenForForwarded(path: string): Promise<void>;
  close(options?: CloseOptions): Promise<void>;
  /** The file with the API token that the first start created. */
  readonly adminTokenFile: string | undefined;
  /** The token of the setup link for the first owner, until there is one (AUTH-11). */
  readonly setupToken: string | undefined;
  /** Why nothing is served: the key file does not match the database (SEC-7). */
  readonly sealedBecause: string | undefined;
}
