import { invalid } from "#lib/errors";
import { joinAutoAssignGroups } from "#records/groups";
import { findIdentityProvider } from "#records/identity-provider";
import { setPasswordHash } from "#records/passwords";
import { findSetupLink, makeSetupLink, useSetupLink } from "#records/setup-links";
import { findUser, hasOwner, insertPerson, lockUser, newUserRow, updateUser } from "#records/users";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { endEverywhere } from "./end-everywhere.ts";
import { type Client, type IdentityContext, inWrite, personAuthor } from "./identity-context.ts";
import { startSession } from "./start-session.ts";

const OPERATOR = { actor: { kind: "system", id: "operator", name: "Operator" }, requestId: "setup-link" } as const;
const SETUP_LINK = { kind: "setup-link", id: "setup-link", name: "Setup link" };

/** AUTH-11: until there is an owner, each start prints a setup link. */
export async function offerSetup(context: Omit<IdentityContext, "passwords">): Promise<string | undefined> {
  const { databases, clock, random } = context;
  if (await hasOwner(databases.main)) return undefined;
  return inWrite(context, OPERATOR, (tx) => makeSetupLink(tx, { breakGlass: false, now: clock.now(), random }));
}

/** An operator with access to the data can create an owner at any time, to recover a locked installation. */
export async function breakGlass(context: Omit<IdentityContext, "passwords">): Promise<string> {
  const { clock, random } = context;
  return inWrite(context, OPERATOR, async (tx, trail) => {
    trail.audit({ operation: "makeSetupLink", target: SETUP_LINK, after: { break_glass: true } });
    return makeSetupLink(tx, { breakGlass: true, now: clock.now(), random });
  });
}

/** `empty`: nobody can sign in yet. `no-owner`: people can sign in, but none of them is an owner. */
export type SetupState = "complete" | "no-owner" | "empty";

export async function readSetupState(db: MainDb): Promise<SetupState> {
  if (await hasOwner(db)) return "complete";
  if (await findIdentityProvider(db)) return "no-owner";
  return (await db.selectFrom("passwords").select("user_id").limit(1).executeTakeFirst()) ? "no-owner" : "empty";
}

export interface NewOwner {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Whether the link is valid, checked before the password is hashed. */
export async function isSetupOpen(context: IdentityContext, token: string): Promise<boolean> {
  const db = context.databases.main;
  const link = await findSetupLink(db, token, context.clock.now());
  return link !== undefined && (link.breakGlass || !(await hasOwner(db)));
}

/** Creates an owner, or makes an existing person one, and signs them in. Undefined: the link is invalid. */
export async function setUpOwner(
  context: IdentityContext,
  token: string,
  owner: NewOwner,
  client: Client,
): Promise<string | undefined> {
  if (!(await isSetupOpen(context, token))) return undefined;
  const hash = await context.passwords.hash(owner.password);
  const id = (await findUser(context.databases.main, owner.email))?.id ?? context.newId("usr");
  return inWrite(context, personAuthor({ id, email: owner.email }, client), async (tx, trail) => {
    const now = context.clock.now();
    // Of two concurrent requests, only one may find that there is no owner.
    await lockRows(tx, tx.selectFrom("change_counter").selectAll().where("id", "=", 1)).execute();
    const link = await useSetupLink(tx, token, now);
    if (!link || (!link.breakGlass && (await hasOwner(tx)))) return undefined;
    const user = await becomeOwner(tx, trail, newUserRow(id, owner.name, owner.email, now));
    await setPasswordHash(tx, user.id, hash, now);
    await endEverywhere({ tx, trail }, user.id);
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "setUpOwner", target, after: { role: "owner", break_glass: link.breakGlass } });
    return startSession({ tx, trail }, context, user, "setup", client);
  });
}

async function becomeOwner(tx: MainTransaction, trail: WriteTrail, row: UserRow): Promise<UserRow> {
  const known = await lockUser(tx, row.email);
  if (!known) {
    await insertPerson(tx, trail, { ...row, role: "owner" });
    await joinAutoAssignGroups(tx, trail, "auto_assign_users", row.id);
    return row;
  }
  if (known.is_machine_user) throw invalid("email", "belongs to a machine user");
  await updateUser(tx, trail, known.id, { role: "owner", disabled: false, updated_at: row.updated_at });
  return known;
}
