import { findPasswordHash } from "#records/passwords";
import { attemptSucceeded } from "#records/sign-in-attempts";
import { confirmWebSession, type SignedIn } from "#records/web-sessions";
import { secondsToWait } from "./sign-in.ts";
import { type Client, type IdentityWorld, inWrite, personAuthor } from "./world.ts";

export type Confirmation =
  | { readonly outcome: "confirmed"; readonly hash: string }
  | { readonly outcome: "wrong" | "no-password" }
  | { readonly outcome: "wait"; readonly seconds: number };

/** The person's own password, once more; guesses wait as they do at the door. */
export async function confirmPassword(
  world: IdentityWorld,
  { user, session }: SignedIn,
  password: string,
  client: Pick<Client, "address" | "requestId">,
): Promise<Confirmation> {
  const hash = await findPasswordHash(world.databases.main, user.id);
  if (hash === undefined) return { outcome: "no-password" };
  const attempt = { email: user.email, address: client.address };
  const seconds = await secondsToWait(world, attempt);
  if (seconds !== undefined) return { outcome: "wait", seconds };
  if (!(await world.passwords.verify(password, hash))) return { outcome: "wrong" };
  await inWrite(world, personAuthor(user, client), async (tx) => {
    await attemptSucceeded(tx, attempt);
    await confirmWebSession(tx, session.id, world.clock.now());
  });
  return { outcome: "confirmed", hash };
}
