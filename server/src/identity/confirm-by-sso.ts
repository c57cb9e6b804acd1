import { findUserIdByIdentity } from "#records/identity-provider";
import { confirmWebSession, type SignedIn } from "#records/web-sessions";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import type { SsoPerson } from "./sso-client.ts";

export type SsoConfirmation = "confirmed" | "different-account" | "no-authentication-time";

/** For people without a password: the provider authenticated them again and reports when. */
export async function confirmBySso(
  context: IdentityContext,
  { user, session }: SignedIn,
  person: SsoPerson,
  client: Pick<Client, "requestId" | "address">,
): Promise<SsoConfirmation> {
  const { authenticatedAt } = person;
  if (authenticatedAt === undefined) return "no-authentication-time";
  if ((await findUserIdByIdentity(context.databases.main, person)) !== user.id) return "different-account";
  await inWrite(context, personAuthor(user, client), (tx) => confirmWebSession(tx, session.id, authenticatedAt));
  return "confirmed";
}
