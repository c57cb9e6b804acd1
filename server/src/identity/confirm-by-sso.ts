import { findUserIdByIdentity } from "#records/identity-provider";
import { confirmWebSession, type SignedIn } from "#records/web-sessions";
import type { SsoPerson } from "./sso-client.ts";
import { type Client, type IdentityWorld, inWrite, personAuthor } from "./world.ts";

export type SsoConfirmation = "confirmed" | "somebody-else" | "not-told-when";

/** For people without a password: the provider has asked them once more, and says when. */
export async function confirmBySso(
  world: IdentityWorld,
  { user, session }: SignedIn,
  person: SsoPerson,
  client: Pick<Client, "requestId" | "address">,
): Promise<SsoConfirmation> {
  const { authenticatedAt } = person;
  if (authenticatedAt === undefined) return "not-told-when";
  if ((await findUserIdByIdentity(world.databases.main, person)) !== user.id) return "somebody-else";
  await inWrite(world, personAuthor(user, client), (tx) => confirmWebSession(tx, session.id, authenticatedAt));
  return "confirmed";
}
