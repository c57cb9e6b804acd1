import { findIdentityProvider, hasSignedInThrough } from "#records/identity-provider";
import { findPasswordHash } from "#records/passwords";
import type { MainDb } from "#storage/database";

export type SignInMethod = "password" | "sso";

/** The methods this person can currently use to sign in. */
export async function signInMethodsOf(db: MainDb, userId: string): Promise<SignInMethod[]> {
  const methods: SignInMethod[] = [];
  if ((await findPasswordHash(db, userId)) !== undefined) methods.push("password");
  const provider = await findIdentityProvider(db);
  if (provider && (await hasSignedInThrough(db, provider.issuer, userId))) methods.push("sso");
  return methods;
}
