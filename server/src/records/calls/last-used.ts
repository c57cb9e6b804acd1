import type { CallsDb } from "#storage/database";
import { storableText } from "./storable-text.ts";

/** Limited, because a machine user can have millions of calls. */
const RECENT_CALLS = 2_000;

/** When the user last called each server, by slug, within their last calls. */
export async function lastUseOfServers(db: CallsDb, email: string): Promise<ReadonlyMap<string, number>> {
  const last = db
    .selectFrom("calls")
    .select(["server", "at"])
    .where("user_email", "=", (name) =>
      name.selectFrom("log_names").select("id").where("value", "=", storableText(email)),
    )
    .orderBy("at", "desc")
    .limit(RECENT_CALLS)
    .as("last_calls");
  const rows = await db
    .selectFrom(last)
    .innerJoin("log_names", "log_names.id", "last_calls.server")
    .select((is) => ["log_names.value", is.fn.max("last_calls.at").as("at")])
    .groupBy("log_names.value")
    .execute();
  return new Map(rows.map(({ value, at }) => [value, Number(at)]));
}
