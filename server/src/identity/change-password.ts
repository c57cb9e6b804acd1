import { findPasswordHash, setPasswordHash } from "#records/passwords";
import { attemptSucceeded } from "#records/sign-in-attempts";
import { deleteWebSessionsOfUser, type SignedIn } from "#records/web-sessions";
import { secondsToWait } from "./sign-in.ts";
import { type Client, type IdentityWorld, inWrite, personAuthor } from "./world.ts";

export type PasswordChange =
  | { readonly outcome: "changed" | "wrong" | "no-password" }
  | { readonly outcome: "wait"; readonly seconds: number };

/** Whoever finds an open browser must still know the password to take the account over. Other web sessions end. */
export async function changePassword(
  world: IdentityWorld,
  { user, session }: SignedIn,
  { current, next }: { readonly current: string; readonly next: string },
  client: Pick<Client, "address" | "requestId">,
): Promise<PasswordChange> {
  const hash = await findPasswordHash(world.databases.main, user.id);
  if (hash === undefined) return { outcome: "no-password" };
  const attempt = { email: user.email, address: client.address };
  const seconds = await secondsToWait(world, attempt);
  if (seconds !== undefined) return { outcome: "wait", seconds };
  if (!(await world.passwords.verify(current, hash))) return { outcome: "wrong" };
  const nextHash = await world.passwords.hash(next);
  const outcome = await inWrite(world, personAuthor(user, client.requestId), async (tx, trail) => {
    if ((await findPasswordHash(tx, user.id)) !== hash) return "wrong";
    await attemptSucceeded(tx, attempt);
    await setPasswordHash(tx, user.id, nextHash, world.clock.now());
    const ended = await deleteWebSessionsOfUser(tx, user.id, session.id);
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "changeMyPassword", target, after: { ended_web_sessions: ended } });
    return "changed";
  });
  return { outcome };
}
