import { noteAccountReset } from "#records/account-resets";
import { findInvitation, type Invitation, acceptInvitation as markAccepted } from "#records/invitations";
import { setPasswordHash } from "#records/passwords";
import { findUserById, lockUserById } from "#records/users";
import type { MainDb } from "#storage/database";
import type { UserRow } from "#storage/user-tables";
import { hasSignedIn } from "./has-signed-in.ts";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import { resetAccount } from "./reset-account.ts";
import { startSession } from "./start-session.ts";

/** The invited person; undefined: the link is invalid. */
export async function findInvited(context: IdentityContext, token: string): Promise<UserRow | undefined> {
  const db = context.databases.main;
  const invitation = await findInvitation(db, token, context.clock.now());
  const user = invitation && (await findUserById(db, invitation.userId));
  if (!user || user.disabled || user.is_machine_user) return undefined;
  return (await isAcceptable(db, invitation)) ? user : undefined;
}

/** A link that was created before the first sign-in needed fewer scopes, so it does not open an account that is in use. */
async function isAcceptable(db: MainDb, { userId, resetsAccount }: Invitation): Promise<boolean> {
  return resetsAccount || !(await hasSignedIn(db, userId));
}

/**
 * Sets the password and signs the person in. Whoever has the link may be somebody else, so everything that the account
 * held is deleted first (decision 0056). Undefined: the link is invalid.
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
    const invitation = user && !user.disabled ? await markAccepted(tx, token, now) : undefined;
    if (!user || invitation?.userId !== user.id || !(await isAcceptable(tx, invitation))) return undefined;
    const deleted = await resetAccount({ tx, trail }, user.id);
    await setPasswordHash(tx, user.id, hash, now);
    const { resetsAccount: isReset, createdBy: invited_by, creatorKind: kind } = invitation;
    if (isReset) {
      const { address } = client;
      const by = { name: invited_by, kind };
      await noteAccountReset(tx, context.newId, { user, reason: "invitation", by, address, now });
    }
    trail.audit({
      operation: "acceptInvitation",
      target: { kind: "user", id: user.id, name: user.email },
      after: { role: user.role, invited_by, resets_account: isReset, ...deleted },
    });
    return startSession({ tx, trail }, context, user, "invitation", client);
  });
}
