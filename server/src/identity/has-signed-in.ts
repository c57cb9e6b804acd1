import { identitiesAmong } from "#records/identity-provider";
import { passwordsAmong } from "#records/passwords";
import type { MainDb } from "#storage/database";

/** Which of these people have signed in before. Every way to sign in leaves a password or an identity. */
export async function signedInAmong(db: MainDb, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set([...(await passwordsAmong(db, userIds)), ...(await identitiesAmong(db, userIds))]);
}

export async function hasSignedIn(db: MainDb, userId: string): Promise<boolean> {
  return (await signedInAmong(db, [userId])).has(userId);
}
