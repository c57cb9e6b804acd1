import type { MainDb } from "#storage/database";
import type { ScimStateRow } from "#storage/sign-in-tables";

const ID = 1;

export async function findScimState(db: MainDb): Promise<ScimStateRow | undefined> {
  return db.selectFrom("scim_state").selectAll().where("id", "=", ID).executeTakeFirst();
}

/** Notes a request. Its error, if it has one, stays until the next error. */
export async function noteScimRequest(
  db: MainDb,
  { at, request, status, token, error }: { at: number; request: string; status: number; token: string; error?: string },
): Promise<void> {
  const last = { last_request_at: at, last_request: request, last_status: status, last_token: token };
  const failure = error === undefined ? {} : { last_error_at: at, last_error: error };
  await db
    .insertInto("scim_state")
    .values({ id: ID, ...last, last_error_at: null, last_error: null, ...failure })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ ...last, ...failure }))
    .execute();
}
