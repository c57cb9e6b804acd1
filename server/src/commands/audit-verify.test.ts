import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { verifyAuditJob } from "#jobs/audit-chain";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { lastCheckpoint, presentCheckpoint } from "#records/audit";
import { readKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { forEachDatabase } from "#test/databases";
import { createGroup } from "#test/factories";
import { GATEHOUSE } from "#test/gatehouse-command";
import { startService } from "#test/start-service";

forEachDatabase("gatehouse audit verify", (open) => {
  it("verifies the data while the service runs, names a changed entry, and detects a truncated log (API-21)", async () => {
    const database = await open();
    const { main: db } = database.databases;
    const service = await startService(database);
    const key = join(database.dataDir, "gatehouse.key");
    const postgres = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
    const env = { PATH: process.env.PATH, DATA_DIR: database.dataDir, GATEHOUSE_KEY_FILE: key, ...postgres };
    const run = (...args: string[]) =>
      new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
        const child = execFile(
          process.execPath,
          [...GATEHOUSE, "audit", "verify", ...args],
          { env },
          (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
        );
      });
    try {
      for (const name of ["One", "Two", "Three"]) await createGroup(service, name);
      const valid = await run();
      assert.match(valid.stdout, /^The audit log is valid: entries 1 to 4 \(/);
      assert.deepEqual([valid.code, valid.stderr], [0, ""]);

      const vault = await openVault(db, [readKeyFile(key)], { clock: systemClock, logger: createLogger("silent") });
      const context = { db, clock: systemClock, newId: createIds(systemClock, systemRandom) };
      await verifyAuditJob({ context, vault }).run();
      const row = await lastCheckpoint(db);
      assert.ok(row);
      const file = join(database.dataDir, "audit.jsonl");
      const checkpoint = presentCheckpoint(vault, row);
      writeFileSync(file, `${JSON.stringify({ type: "checkpoint", ...checkpoint })}\n`);
      appendFileSync(file, '{"type":"audit","seq":4}\nnot JSON "signature"\n{"signature":"x"}\n');
      assert.equal((await run("--checkpoint", file)).code, 0);
      const forged = join(database.dataDir, "forged.jsonl");
      writeFileSync(forged, `${JSON.stringify({ ...checkpoint, seq: 3 })}\n${JSON.stringify(checkpoint)}\n`);
      assert.match((await run("--checkpoint", forged)).stdout, /checkpoint of entry 3 was not signed with the key/);
      const without = join(database.dataDir, "without.jsonl");
      writeFileSync(without, '{"type":"audit","seq":4}\n');
      const refused = await run("--checkpoint", without);
      assert.equal(refused.code, 64);
      assert.match(
        refused.stderr,
        /without\.jsonl contains no checkpoint\. Use the output of gatehouse audit checkpoint/,
      );

      const [entry] = await db.selectFrom("audit").selectAll().where("seq", "=", 4).execute();
      assert.ok(entry);
      await db
        .insertInto("audit")
        .values({ ...entry, id: "aud_unchained", seq: null, hash: null } as never)
        .execute();
      const unchained = await run();
      assert.equal(unchained.code, 0);
      assert.match(unchained.stdout, /^1 entry is not verified: no position in the chain\./m);
      await db.deleteFrom("audit").where("id", "=", "aud_unchained").execute();

      await db.updateTable("audit").set({ target_name: "2" }).where("seq", "=", 3).execute();
      const broken = await run("-o", "json");
      const printed = JSON.parse(broken.stdout);
      assert.deepEqual([broken.code, printed.problem.seq], [1, 3]);
      const remote = await service.api("GET", "/api/audit/verify");
      assert.deepEqual([printed, printed.first_seq], [remote.body.data, 1]);
      const [previous] = await db.selectFrom("audit").select("hash").where("seq", "=", 2).execute();
      await db.deleteFrom("audit").where("seq", ">", 2).execute();
      await db
        .updateTable("audit_chain")
        .set({ seq: 2, hash: String(previous?.hash) })
        .execute();
      await db.deleteFrom("audit_checkpoints").execute();
      assert.equal((await run()).code, 0);
      const truncated = await run("--checkpoint", file);
      assert.equal(truncated.code, 1);
      assert.match(truncated.stdout, /truncated after entry 2: the given checkpoint covers entry 4/);
      assert.deepEqual([(await run("--checkpoint", "/none")).code, (await run("--fix")).code], [64, 64]);
    } finally {
      await service.close();
    }
  });
});
