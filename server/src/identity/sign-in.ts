import { findPasswordHash } from "#records/passwords";
import { readSettings } from "#records/settings";
import { type Attempt, attemptSucceeded, beginAttempt } from "#records/sign-in-attempts";
import { findUser, lockUser } from "#records/users";
import type { UserRow } from "#storage/tables";
import { startSession } from "./start-session.ts";
import { type Client, type IdentityWorld, inWrite, personAuthor } from "./world.ts";

export type SignIn =
  | { readonly outcome: "signed-in"; readonly token: string }
  | { readonly outcome: "wrong" | "off" }
  | { readonly outcome: "wait"; readonly seconds: number };

/**
 * Whether the account does not exist, is shut out, has no password or another one: the answer and the work for it are
 * the same (AUTH-5).
 */
export async function signInWithPassword(
  world: IdentityWorld,
  { email, password }: { readonly email: string; readonly password: string },
  client: Client,
): Promise<SignIn> {
  const db = world.databases.main;
  if (!(await readSettings(db)).local_sign_in) return { outcome: "off" };
  const attempt = { email, address: client.address };
  const seconds = await secondsToWait(world, attempt);
  if (seconds !== undefined) return { outcome: "wait", seconds };
  const user = await findUser(db, email);
  const hash = user && mayEnter(user) ? await findPasswordHash(db, user.id) : undefined;
  if (!(await world.passwords.verify(password, hash)) || !user) return { outcome: "wrong" };
  const token = await inWrite(world, personAuthor(user, client.requestId), async (tx, trail) => {
    const now = await lockUser(tx, email);
    // Between the look and the hash, which takes its time, the account may have changed.
    if (!now || !mayEnter(now) || (await findPasswordHash(tx, now.id)) !== hash) return undefined;
    await attemptSucceeded(tx, attempt);
    return startSession({ tx, trail }, world, now, "password", client);
  });
  return token === undefined ? { outcome: "wrong" } : { outcome: "signed-in", token };
}

/** Undefined: now, and the attempt counts until it proves right. */
export async function secondsToWait(world: IdentityWorld, attempt: Attempt): Promise<number | undefined> {
  const now = world.clock.now();
  const author = { actor: { kind: "system", id: "sign-in", name: "Sign-in" }, requestId: "sign-in" } as const;
  const until = await inWrite(world, author, (tx) => beginAttempt(tx, attempt, now));
  return until === undefined ? undefined : Math.ceil((until - now) / 1000);
}

function mayEnter(user: UserRow): boolean {
  return !user.is_machine_user && !user.disabled;
}
