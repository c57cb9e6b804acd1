/** What an app is made from, and what it offers. */

import type { Config } from "#config/config";
import type { PasswordCost } from "#identity/passwords";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";

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
