import { findPasswordHash } from "#records/passwords";
import { readSettings } from "#records/settings";
import { type Attempt, attemptSucceeded, beginAttempt, blockedUntil } from "#records/sign-in-attempts";
import { findUser, lockUser } from "#records/users";
import type { UserRow } from "#storage/user-tables";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import { MAX_USER_AGENT_LENGTH, startSession } from "./start-session.ts";

export type SignIn =
  | { readonly outcome: "signed-in"; readonly token: string }
  | { readonly outcome: "wrong"; readonly user: UserRow | undefined }
  | { readonly outcome: "off" }
  | { readonly outcome: "wait"; readonly seconds: number };

/**
 * The response and the work are the same for an unknown account, a disabled account, an account without a password, and
 * a wrong password (AUTH-5).
 */
export async function signInWithPassword(
  context: IdentityContext,
  { email, password }: { readonly email: string; readonly password: string },
  client: Client,
): Promise<SignIn> {
  const db = context.databases.main;
  if (!(await readSettings(db)).local_sign_in) return { outcome: "off" };
  const user = await findUser(db, email);
  const device = user && client.deviceOf(user.id);
  const attempt = { email, address: client.address, device };
  const seconds = await secondsToWait(context, attempt);
  if (seconds !== undefined) return { outcome: "wait", seconds };
  const hash = user && canSignIn(user) ? await findPasswordHash(db, user.id) : undefined;
  const isRight = await context.passwords.verify(password, hash, { isKnown: device !== undefined });
  if (!isRight || !user) return { outcome: "wrong", user };
  const token = await inWrite(context, personAuthor(user, client), async (tx, trail) => {
    const now = await lockUser(tx, email);
    // The account may have changed while the password was hashed.
    if (!now || !canSignIn(now) || (await findPasswordHash(tx, now.id)) !== hash) return undefined;
    await attemptSucceeded(tx, attempt);
    return startSession({ tx, trail }, context, now, "password", client);
  });
  return token === undefined ? { outcome: "wrong", user } : { outcome: "signed-in", token };
}

/**
 * Records the same for existing and unknown accounts (AUTH-5), and nothing that was typed, because people type passwords
 * into the wrong field. `notRecorded` is the number of earlier failures without an entry.
 */
export async function recordFailedSignIn(
  context: IdentityContext,
  user: Pick<UserRow, "id" | "email"> | undefined,
  { address, userAgent, requestId }: Client,
  notRecorded: number,
): Promise<void> {
  const { id, email: name } = user ?? { id: "unknown", email: "no such account" };
  await inWrite(context, { ...SIGN_IN, requestId }, async (_tx, trail) => {
    const from = { method: "password", address, user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH) };
    const after = notRecorded === 0 ? from : { ...from, not_recorded: notRecorded };
    trail.audit({ operation: "signInFailed", target: { kind: "user", id, name }, after });
  });
}

const SIGN_IN = { actor: { kind: "system", id: "sign-in", name: "Sign-in" }, requestId: "sign-in" } as const;

/** Undefined: no wait. The attempt counts as failed until `attemptSucceeded`. */
export async function secondsToWait(context: IdentityContext, attempt: Attempt): Promise<number | undefined> {
  const now = context.clock.now();
  // Without a write, so that a blocked address or account costs little.
  const blocked = await blockedUntil(context.databases.main, attempt, now);
  const until = blocked ?? (await inWrite(context, SIGN_IN, (tx) => beginAttempt(tx, attempt, now, context.random)));
  return until === undefined ? undefined : Math.ceil((until - now) / 1000);
}

function canSignIn(user: UserRow): boolean {
  return !user.is_machine_user && !user.disabled;
}
