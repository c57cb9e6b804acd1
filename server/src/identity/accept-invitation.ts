import { findInvitation, acceptInvitation as markAccepted } from "#records/invitations";
import { setPasswordHash } from "#records/passwords";
import { findUserById, lockUserById } from "#records/users";
import type { UserRow } from "#storage/user-tables";
import { endEverywhere } from "./end-everywhere.ts";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import { startSession } from "./start-session.ts";

/** The invited person; undefined: the link is invalid. */
export async function findInvited(context: IdentityContext, token: string): Promise<UserRow | undefined> {
  const db = context.databases.main;
  const invitation = await findInvitation(db, token, context.clock.now());
  const user = invitation && (await findUserById(db, invitation.userId));
  return user && !user.disabled && !user.is_machine_user ? user : undefined;
}

/**
 * Sets the password and signs the person in. All other web sessions end, because invitations also recover stolen
 * accounts. Undefined: the link is invalid.
 */
export async function acceptInvitation(
  context: IdentityContext,
  token: string,
  password: string,
  client: Client,
): Promise<string | undefined> {
  const invited = await findInvited(context, token);
  if (!invited) return undefined;
  const hash = await context.passwords.hash(password);
  return inWrite(context, personAuthor(invited, client), async (tx, trail) => {
    const now = context.clock.now();
    // The person's row is locked first: disabling them or changing their role voids the link under the same lock.
    const user = await lockUserById(tx, invited.id);
    if (!user || user.disabled || (await markAccepted(tx, token, now)) !== user.id) return undefined;
    await setPasswordHash(tx, user.id, hash, now);
    await endEverywhere({ tx, trail }, user.id);
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "acceptInvitation", target, after: { role: user.role } });
    return startSession({ tx, trail }, context, user, "invitation", client);
  });
}
