import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { RandomBytes } from "#lib/random";
import type { Databases } from "#storage/database";
import type { Actor, WriteAuthor } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { IssuerKeys } from "./issuer-keys.ts";

/** Dependencies of the exchange. */
export interface ExchangeContext {
  readonly databases: Pick<Databases, "main">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly vault: Vault;
  readonly keys: IssuerKeys;
  /** Resolves when the snapshot of this process holds the revision. */
  waitUntilPublished(revision: number): Promise<void>;
}

/** Where a request comes from. */
export interface ExchangeCaller {
  /** The API token that the request contains; undefined: none. */
  readonly actor: Actor | undefined;
  readonly requestId: string;
  readonly address: string;
}

const NO_ACTOR: Actor = { kind: "system", id: "auth-exchange", name: "Auth exchange" };

export function authorOf({ actor, requestId, address }: ExchangeCaller): WriteAuthor {
  return { actor: actor ?? NO_ACTOR, requestId, address };
}
