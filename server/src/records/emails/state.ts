import type { MainDb } from "#storage/database";
import type { EmailTables } from "#storage/email-tables";

const ID = 1;
type State = EmailTables["email_state"];

export async function isEmailEnabled(db: MainDb): Promise<boolean> {
  return (await readEmailState(db))?.enabled ?? false;
}

export async function readEmailState(db: MainDb): Promise<State | undefined> {
  return db.selectFrom("email_state").selectAll().where("id", "=", ID).executeTakeFirst();
}

/** Called when a process with the API starts. */
export async function setEmailEnabled(db: MainDb, enabled: boolean): Promise<void> {
  const unused = { sent_at: null, failing_since: null, last_error: null };
  await db
    .insertInto("email_state")
    .values({ id: ID, enabled, ...unused })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ enabled }))
    .execute();
}

export async function noteMailServerWorks(db: MainDb, at: number): Promise<void> {
  await db.updateTable("email_state").set({ sent_at: at, failing_since: null }).where("id", "=", ID).execute();
}

export async function noteMailServerFails(db: MainDb, at: number, error: string): Promise<void> {
  await db
    .updateTable("email_state")
    .set((row) => ({ last_error: error, failing_since: row.fn.coalesce("failing_since", row.val(at)) }))
    .where("id", "=", ID)
    .execute();
}
