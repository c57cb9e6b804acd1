import assert from "node:assert/strict";
import { it } from "node:test";
import { verifyAuditJob } from "#jobs/audit-chain";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { readKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { bearer, forEachApi } from "#test/api";
import { createGroup } from "#test/factories";

forEachApi("GET /api/audit/verify", (api) => {
  const verify = async (query = "") => (await api.call("GET", `/api/audit/verify${query}`)).body.data;

  it("verifies the log, names a changed entry, and compares a checkpoint that was stored elsewhere", async () => {
    await createGroup(api.service, "Engineering");
    const { ok, problem, last_seq } = await verify();
    assert.deepEqual([ok, problem], [true, null]);
    const chain = async () => (await api.call("GET", "/api/audit/chain")).body.data;
    assert.deepEqual([(await chain()).verified_up_to, (await chain()).checkpoint], [null, null]);
    const keys = [readKeyFile(`${api.database.dataDir}/gatehouse.key`)];
    const vault = await openVault(api.db, keys, { clock: api.clock, logger: createLogger("silent") });
    const context = { db: api.db, clock: api.clock, newId: createIds(api.clock, systemRandom) };
    await verifyAuditJob({ context, vault }).run();
    const { checkpoint, verified_seq } = await chain();
    assert.deepEqual([checkpoint.seq, verified_seq], [last_seq, last_seq]);
    const query = `?checkpoint=${encodeURIComponent(JSON.stringify(checkpoint))}`;
    assert.equal((await verify(query)).ok, true);
    await api.db.updateTable("audit").set({ operation: "other" }).where("seq", "=", last_seq).execute();
    const broken = await verify(query);
    assert.deepEqual([broken.ok, broken.problem.seq, broken.problem.reason], [false, last_seq, "changed"]);
    await api.invalid("checkpoint: must be a checkpoint as JSON", "GET", "/api/audit/verify?checkpoint=x");
    const reader = await api.tokenWith("connect:read");
    const answer = await api.call("GET", "/api/audit/verify", undefined, bearer(reader.token));
    assert.equal(answer.status, 403);
  });
});
