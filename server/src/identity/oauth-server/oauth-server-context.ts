import type { errors } from "oidc-provider";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { Databases } from "#storage/database";
import type { Vault } from "#storage/vault";
import type { AuthExchange } from "../exchange/auth-exchange.ts";
import type { DocumentReachability } from "./document-reachability.ts";

/** Dependencies of the OAuth server. */
export interface OAuthServerContext {
  readonly databases: Pick<Databases, "main">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly vault: Vault;
  readonly logger: Logger;
  /** Exchanges tokens of trusted issuers. */
  readonly exchange: AuthExchange;
  /** Fetches the metadata documents of clients. */
  readonly documents: Pick<DocumentReachability, "fetch" | "status">;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly orgName: string;
  /** Resolves when the snapshot of this process holds the revision. */
  waitUntilPublished(revision: number): Promise<void>;
}

/** The library's error classes, which it renders as responses. */
export type Errors = typeof errors;

export interface AdapterNeeds extends OAuthServerContext {
  readonly errors: Errors;
}
