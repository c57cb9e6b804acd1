import type { CallsDb } from "#storage/database";
import { storableText } from "./storable-text.ts";

/** Bounded, because a program's calls may be millions: what was not among its last ones was long ago for it. */
const LOOKED_AT = 2_000;

/** When this user last called each server, by slug, as far as their last calls reach. */
export async function lastUseOfServers(db: CallsDb, email: string): Promise<ReadonlyMap<string, number>> {
  const last = db
    .selectFrom("calls")
    .select(["server", "at"])
    .where("user_email", "=", (name) =>
      name.selectFrom("log_names").select("id").where("value", "=", storableText(email)),
    )
    .orderBy("at", "desc")
    .limit(LOOKED_AT)
    .as("last_calls");
  const rows = await db
    .selectFrom(last)
    .innerJoin("log_names", "log_names.id", "last_calls.server")
    .select((is) => ["log_names.value", is.fn.max("last_calls.at").as("at")])
    .groupBy("log_names.value")
    .execute();
  return new Map(rows.map(({ value, at }) => [value, Number(at)]));
}
