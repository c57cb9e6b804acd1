import { domainOf, isEmail, isSameAddress } from "#lib/email";
import {
  findUserIdByIdentity,
  hasOtherIdentity,
  type Identity,
  type IdentityProviderRow,
} from "#records/identity-provider";
import { findUser, findUserById } from "#records/users";
import type { MainDb } from "#storage/database";
import type { UserRow } from "#storage/user-tables";
import type { SsoSignIn } from "./sign-in-by-sso.ts";
import { type GroupPlan, planGroups } from "./sso-groups.ts";

export type SsoRefusal = Exclude<SsoSignIn["outcome"], "signed-in">;

/** What a sign-in with these claims would do. Nothing is changed. */
export interface SsoPreview {
  /** Undefined: the person would be signed in. */
  readonly refusal: SsoRefusal | undefined;
  readonly email: string | undefined;
  /** The existing account; undefined: none. */
  readonly user: Pick<UserRow, "id" | "name" | "email" | "role"> | undefined;
  /** Whether the account would be created. */
  readonly creates: boolean;
  readonly groups: GroupPlan;
}

type Rules = Pick<
  IdentityProviderRow,
  "issuer" | "allowed_domains" | "auto_create" | "groups_claim" | "group_mapping" | "remove_from_groups"
>;

/** The decisions of `signInBySso`, in the same order. */
export async function previewSso(
  db: MainDb,
  provider: Rules,
  claims: Readonly<Record<string, unknown>>,
): Promise<SsoPreview> {
  const email = typeof claims.email === "string" && claims.email.trim() !== "" ? claims.email.trim() : undefined;
  const identity = { issuer: provider.issuer, subject: typeof claims.sub === "string" ? claims.sub : "" };
  const linkedId = await findUserIdByIdentity(db, identity);
  const linked = linkedId === undefined ? undefined : await findUserById(db, linkedId);
  const user = linked ?? (email === undefined ? undefined : await findUser(db, email));
  const isVerified = claims.email_verified === true;
  const refusal = await refusalOf(db, provider, { email: isVerified ? email : undefined, identity, linkedId, user });
  return {
    refusal,
    email,
    user,
    creates: refusal === undefined && user === undefined,
    groups: await planGroups(db, provider, user?.id, claims),
  };
}

interface Found {
  readonly email: string | undefined;
  readonly identity: Identity;
  readonly linkedId: string | undefined;
  readonly user: UserRow | undefined;
}

async function refusalOf(
  db: MainDb,
  { allowed_domains, auto_create }: Rules,
  { email, identity, linkedId, user }: Found,
): Promise<SsoRefusal | undefined> {
  if (email === undefined || !isEmail(email)) return "no-verified-email";
  if (!allowed_domains.includes(domainOf(email))) return "other-domain";
  if (!user) return auto_create ? undefined : "unknown";
  if (user.id !== linkedId && !isSameAddress(user.email, email)) return "different-account";
  if (user.disabled || user.is_machine_user) return "disabled";
  return (await hasOtherIdentity(db, identity, user.id)) ? "different-account" : undefined;
}
