import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { RandomBytes } from "#lib/random";
import type { Databases, MainTransaction } from "#storage/database";
import { type WriteAuthor, type WriteTrail, writeTransaction } from "#storage/transaction";
import type { Passwords } from "./passwords.ts";

/** What signing people in may reach. */
export interface IdentityContext {
  readonly databases: Pick<Databases, "main">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly passwords: Passwords;
  /** Resolves once the gateway of this process obeys the revision. */
  waitUntilPublished(revision: number): Promise<void>;
}

/** From where somebody comes: shown to the person, who may not know that place. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  /** The web session that the browser brought along: it ends when another begins. */
  readonly sessionToken: string | undefined;
}

export async function inWrite<Result>(
  { databases, clock, newId, waitUntilPublished }: Omit<IdentityContext, "passwords">,
  author: WriteAuthor,
  work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>,
): Promise<Result> {
  const { result, revision } = await writeTransaction({ db: databases.main, clock, newId }, author, work);
  if (revision !== undefined) await waitUntilPublished(revision);
  return result;
}

/** The person, as the audit names them, and from where they came. */
export function personAuthor(
  user: { readonly id: string; readonly email: string },
  { requestId, address }: Pick<Client, "requestId" | "address">,
): WriteAuthor {
  return { actor: { kind: "user", id: user.id, name: user.email }, requestId, address };
}
