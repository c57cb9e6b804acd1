import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { RandomBytes } from "#lib/random";
import { apiTokenPrefix, newApiToken } from "#lib/tokens";
import { apiTokenHash, countApiTokens, insertApiToken } from "#records/api-tokens";
import type { MainDb } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import { writeTransaction } from "#storage/transaction";

const SYSTEM = { actor: { kind: "system", id: "start", name: "first start" }, requestId: "start" } as const;

export interface FirstTokenNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly dataDir: string;
  /** Configured by the operator. Otherwise a token is created and written to a file that only its owner can read. */
  readonly given: string | undefined;
}

/**
 * An empty installation needs one token. It is created only on the first start. Returns the file with a created token.
 */
export async function ensureFirstToken(needs: FirstTokenNeeds): Promise<string | undefined> {
  const { db, clock, newId, random, dataDir, given } = needs;
  if ((await countApiTokens(db)) > 0) return undefined;
  const { result } = await writeTransaction({ db, clock, newId }, SYSTEM, async (tx, trail) => {
    // Replicas that start concurrently wait here, so that only one is first.
    await lockRows(tx, tx.selectFrom("change_counter").selectAll().where("id", "=", 1)).execute();
    if ((await countApiTokens(tx)) > 0) return undefined;
    const token = given ?? newApiToken(random);
    const id = newId("tok");
    const name = given === undefined ? "First token" : "Bootstrap token";
    await insertApiToken(tx, {
      id,
      name,
      token_hash: apiTokenHash(token),
      prefix: apiTokenPrefix(token),
      scopes: ["all"],
      expires_at: null,
      last_used_at: null,
      created_by: null,
      created_at: clock.now(),
    });
    trail.audit({ operation: "createApiToken", target: { kind: "api-token", id, name }, after: { scopes: ["all"] } });
    if (given !== undefined) return undefined;
    const file = join(dataDir, "admin-token");
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    return file;
  });
  return result;
}
