import type { errors } from "oidc-provider";
import type { EgressFetch } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { Databases } from "#storage/database";
import type { Vault } from "#storage/vault";

/** What the OAuth server may reach. */
export interface OAuthServerContext {
  readonly databases: Pick<Databases, "main">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly vault: Vault;
  readonly logger: Logger;
  /** For the documents by which clients tell who they are. */
  readonly fetch: EgressFetch;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly orgName: string;
  /** Resolves once the gateway of this process obeys the revision. */
  waitUntilPublished(revision: number): Promise<void>;
}

/** The library's own, which it turns into answers. */
export type Errors = typeof errors;

export interface AdapterNeeds extends OAuthServerContext {
  readonly errors: Errors;
}
