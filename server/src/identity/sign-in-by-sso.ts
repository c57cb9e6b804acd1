import { domainOf, isEmail, isSameAddress } from "#lib/email";
import { noteAccountReset } from "#records/account-resets";
import { joinAutoAssignGroups, userLinks } from "#records/groups";
import {
  findUserIdByIdentity,
  hasOtherIdentity,
  type IdentityProviderRow,
  linkIdentity,
} from "#records/identity-provider";
import { mayHaveForeignPassword } from "#records/invitations";
import { deletePassword, findPasswordHash } from "#records/passwords";
import { findUser, insertPerson, lockUser, lockUserById, newUserRow } from "#records/users";
import type { SessionEnd } from "#records/web-sessions";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { endEverywhere } from "./end-everywhere.ts";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import type { SsoPerson } from "./sso-client.ts";
import { planGroups } from "./sso-groups.ts";
import { startSession } from "./start-session.ts";

export type SsoSignIn =
  | { readonly outcome: "signed-in"; readonly token: string }
  | { readonly outcome: "no-verified-email" | "other-domain" | "unknown" | "different-account" | "disabled" };

const MAX_NAME_LENGTH = 255;

/**
 * Signs in a person that the identity provider authenticated: found by the provider's id, else by the verified email, else
 * created if the organization allows it.
 */
export async function signInBySso(
  context: IdentityContext,
  provider: IdentityProviderRow,
  person: SsoPerson,
  client: Client,
): Promise<SsoSignIn> {
  const { email } = person;
  if (email === undefined || !person.emailVerified || !isEmail(email)) return { outcome: "no-verified-email" };
  if (!provider.allowed_domains.includes(domainOf(email))) return { outcome: "other-domain" };
  const db = context.databases.main;
  const knownId = (await findUserIdByIdentity(db, person)) ?? (await findUser(db, email))?.id;
  const id = knownId ?? context.newId("usr");
  return inWrite(context, personAuthor({ id, email }, client), async (tx, trail): Promise<SsoSignIn> => {
    const linkedId = await findUserIdByIdentity(tx, person);
    const user =
      (await lockKnown(tx, linkedId, email)) ??
      (await createIfAllowed(context, tx, trail, provider, { id, email, person }));
    if (!user) return { outcome: "unknown" };
    if (user.id !== linkedId && !isSameAddress(user.email, email)) return { outcome: "different-account" };
    if (user.disabled || user.is_machine_user) return { outcome: "disabled" };
    if (await hasOtherIdentity(tx, person, user.id)) return { outcome: "different-account" };
    if (user.id !== linkedId) await removeForeignPassword(context, { tx, trail }, user, client);
    await linkIdentity(tx, person, user.id, context.clock.now());
    await followGroups(tx, trail, provider, user, person);
    // Without a time from the provider, operations that require recent authentication are refused.
    const authenticatedAt = person.authenticatedAt ?? 0;
    const token = await startSession({ tx, trail }, context, user, "oidc", client, authenticatedAt);
    return { outcome: "signed-in", token };
  });
}

/**
 * Whoever accepted the invitation of this account chose its password, which need not be the person that the provider
 * authenticated (decision 0056).
 */
async function removeForeignPassword(
  { clock, newId }: IdentityContext,
  end: SessionEnd,
  user: UserRow,
  { address }: Client,
): Promise<void> {
  const { tx, trail } = end;
  if ((await findPasswordHash(tx, user.id)) === undefined || !(await mayHaveForeignPassword(tx, user.id))) return;
  await deletePassword(tx, user.id);
  const ended = await endEverywhere(end, user.id);
  await noteAccountReset(tx, newId, { user, reason: "sso", by: undefined, address, now: clock.now() });
  trail.audit({
    operation: "removePassword",
    target: { kind: "user", id: user.id, name: user.email },
    after: { reason: "first single sign-on", ...ended },
  });
}

async function lockKnown(tx: MainTransaction, id: string | undefined, email: string): Promise<UserRow | undefined> {
  return (id === undefined ? undefined : await lockUserById(tx, id)) ?? lockUser(tx, email);
}

async function createIfAllowed(
  context: IdentityContext,
  tx: MainTransaction,
  trail: WriteTrail,
  { auto_create, default_role }: IdentityProviderRow,
  { id, email, person }: { id: string; email: string; person: SsoPerson },
): Promise<UserRow | undefined> {
  if (!auto_create) return undefined;
  const name = (person.name ?? email).slice(0, MAX_NAME_LENGTH);
  const row = { ...newUserRow(id, name, email, context.clock.now()), role: default_role };
  await insertPerson(tx, trail, row);
  await joinAutoAssignGroups(tx, trail, "auto_assign_users", id);
  const target = { kind: "user", id, name: email };
  trail.audit({ operation: "createUser", target, after: { id, name, email, role: default_role, by: person.issuer } });
  return row;
}

/** Sets membership of the groups in the mapping to what the provider reports. */
async function followGroups(
  tx: MainTransaction,
  trail: WriteTrail,
  provider: IdentityProviderRow,
  user: UserRow,
  { claims }: SsoPerson,
): Promise<void> {
  const { joins, leaves } = await planGroups(tx, provider, user.id, claims);
  const links = [...joins.keys()].map((groupId) => ({ groupId, memberId: user.id }));
  await userLinks.add(tx, trail, links);
  for (const groupId of leaves.keys()) await userLinks.remove(tx, trail, { groupId, memberId: user.id });
}
