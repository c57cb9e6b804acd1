import { randomBytes } from "node:crypto";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { MainDb } from "#storage/database";
import { writeTransaction } from "#storage/transaction";
import { VAULT_PURPOSES, Vault } from "#storage/vault";
import type { TestClock } from "./clock.ts";

/** Writes audit entries as operations do, and holds keys that sign checkpoints. */
export function auditLog(db: MainDb, clock: TestClock) {
  const newId = createIds(clock, systemRandom);
  const context = { db, clock, newId };
  const keys = VAULT_PURPOSES.map((purpose) => ({ purpose, version: 1, createdAt: 0, key: randomBytes(32) }));
  const vault = new Vault(keys, { clock, logger: createLogger("silent") });
  const actor = { kind: "user", id: "usr_1", name: 'Ada "L" 🚪' } as const;
  const write = (n: number, entries = 1) =>
    writeTransaction(context, { actor, requestId: `req_${n}`, address: "192.0.2.7" }, async (_tx, trail) => {
      for (let i = 0; i < entries; i++) {
        const target = { kind: "group", id: `grp_${n}`, name: `Group ${n}` };
        trail.audit({
          operation: "updateGroup",
          target,
          before: { name: "ü\u0000\ud800", n },
          after: { list: [1.5, null] },
        });
      }
    });
  return { context, vault, write };
}
