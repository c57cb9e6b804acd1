import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { RandomBytes } from "#lib/random";
import type { Databases, MainTransaction } from "#storage/database";
import { type WriteAuthor, type WriteTrail, writeAndPublish } from "#storage/transaction";
import type { Passwords } from "./passwords.ts";

/** Dependencies of the sign-in functions. */
export interface IdentityContext {
  readonly databases: Pick<Databases, "main">;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly passwords: Passwords;
  /** Resolves when the snapshot of this process holds the revision. */
  waitUntilPublished(revision: number): Promise<void>;
}

/** The browser of a request. People see it in their list of web sessions. */
export interface Client {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  /** The browser's ID if this person has signed in with it before. */
  deviceOf(userId: string): string | undefined;
  /** The browser's current web session, which ends when a new one starts. */
  readonly sessionToken: string | undefined;
}

/** `writeAndPublish` for contexts that carry `databases`. */
export function inWrite<Result>(
  { databases, clock, newId, waitUntilPublished }: Omit<IdentityContext, "passwords" | "random">,
  author: WriteAuthor,
  work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>,
): Promise<Result> {
  return writeAndPublish({ db: databases.main, clock, newId, waitUntilPublished }, author, work);
}

/** The author of a write that a person makes in a browser. */
export function personAuthor(
  user: { readonly id: string; readonly email: string },
  { requestId, address }: Pick<Client, "requestId" | "address">,
): WriteAuthor {
  return { actor: { kind: "user", id: user.id, name: user.email }, requestId, address };
}
