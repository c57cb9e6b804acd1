import { findPasswordHash } from "#records/passwords";
import { attemptSucceeded } from "#records/sign-in-attempts";
import { confirmWebSession, type SignedIn } from "#records/web-sessions";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import { secondsToWait } from "./sign-in.ts";

export type Confirmation =
  | { readonly outcome: "confirmed"; readonly hash: string }
  | { readonly outcome: "wrong" | "no-password" }
  | { readonly outcome: "wait"; readonly seconds: number };

/** Verifies the person's password again, with the same throttling as sign-in. */
export async function confirmPassword(
  context: IdentityContext,
  { user, session }: SignedIn,
  password: string,
  client: Pick<Client, "address" | "requestId">,
): Promise<Confirmation> {
  const hash = await findPasswordHash(context.databases.main, user.id);
  if (hash === undefined) return { outcome: "no-password" };
  // Others cannot make a signed-in person wait.
  const attempt = { email: user.email, address: client.address, device: session.id };
  const seconds = await secondsToWait(context, attempt);
  if (seconds !== undefined) return { outcome: "wait", seconds };
  if (!(await context.passwords.verify(password, hash, { isKnown: true }))) return { outcome: "wrong" };
  await inWrite(context, personAuthor(user, client), async (tx) => {
    await attemptSucceeded(tx, attempt);
    await confirmWebSession(tx, session.id, context.clock.now());
  });
  return { outcome: "confirmed", hash };
}
