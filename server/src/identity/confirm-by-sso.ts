import { findUserIdByIdentity } from "#records/identity-provider";
import { confirmWebSession, type SignedIn } from "#records/web-sessions";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import type { SsoPerson } from "./sso-client.ts";

export type SsoConfirmation = "confirmed" | "somebody-else" | "not-told-when";

/** For people without a password: the provider has asked them once more, and says when. */
export async function confirmBySso(
  context: IdentityContext,
  { user, session }: SignedIn,
  person: SsoPerson,
  client: Pick<Client, "requestId" | "address">,
): Promise<SsoConfirmation> {
  const { authenticatedAt } = person;
  if (authenticatedAt === undefined) return "not-told-when";
  if ((await findUserIdByIdentity(context.databases.main, person)) !== user.id) return "somebody-else";
  await inWrite(context, personAuthor(user, client), (tx) => confirmWebSession(tx, session.id, authenticatedAt));
  return "confirmed";
}
