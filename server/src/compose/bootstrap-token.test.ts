import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, it } from "node:test";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { hasValidChecksum } from "#lib/tokens";
import { apiTokenHash } from "#records/api-tokens";
import { openDatabases } from "#storage/open-databases";
import { testClock } from "#test/clock";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { ensureFirstToken, type FirstTokenNeeds } from "./bootstrap-token.ts";

const clock = testClock();
const newId = createIds(clock, systemRandom);

forEachDatabase("the first token", (open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  const ensure = (rest: Partial<FirstTokenNeeds> = {}) =>
    ensureFirstToken({
      db: database.databases.main,
      clock,
      newId,
      random: systemRandom,
      dataDir: database.dataDir,
      given: undefined,
      ...rest,
    });
  const tokens = () => database.databases.main.selectFrom("api_tokens").selectAll().execute();

  it("is created once, with all scopes, in a file that only its owner can read", async () => {
    const file = await ensure();
    assert.equal(file, join(database.dataDir, "admin-token"));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const token = readFileSync(file, "utf8").trim();
    assert.ok(hasValidChecksum(token));
    const [row, ...others] = await tokens();
    assert.deepEqual(others, []);
    assert.deepEqual([row?.token_hash, row?.scopes, row?.name], [apiTokenHash(token), ["all"], "First token"]);
    const audit = await database.databases.main.selectFrom("audit").selectAll().execute();
    assert.deepEqual(
      audit.map((entry) => [entry.actor_kind, entry.operation, entry.target_id]),
      [["system", "createApiToken", row?.id]],
    );
    assert.ok(!JSON.stringify(audit).includes(token));

    assert.equal(await ensure(), undefined);
    assert.equal(readFileSync(file, "utf8").trim(), token);
    assert.equal((await tokens()).length, 1);
  });

  it("is the operator's token if one is configured, and then no file is written", async () => {
    const given = "b1946ac92492d2347c6235b4d2611184";
    assert.equal(await ensure({ given }), undefined);
    assert.deepEqual(
      (await tokens()).map((row) => [row.name, row.token_hash]),
      [["Bootstrap token", apiTokenHash(given)]],
    );
    assert.equal(existsSync(join(database.dataDir, "admin-token")), false);
    assert.equal(await ensure({ given: "another-one-0123456789abcdef" }), undefined);
    assert.equal((await tokens()).length, 1, "an existing token is not replaced, and no other is added");
  });

  it("is created once when several processes start concurrently", async () => {
    const others = await Promise.all([1, 2].map(() => openDatabases({ ...database, logger: createLogger("silent") })));
    const files = await Promise.all([
      ...[database.databases, ...others].map(({ main }) => ensure({ db: main })),
      ensure(),
    ]);
    for (const other of others) await other.close();
    const made = files.filter((file) => file !== undefined);
    assert.equal(made.length, 1);
    const [row, ...more] = await tokens();
    assert.deepEqual(more, []);
    assert.equal(row?.token_hash, apiTokenHash(readFileSync(String(made[0]), "utf8").trim()));
  });

  it("is not created if its file cannot be written", async () => {
    await assert.rejects(ensure({ dataDir: join(database.dataDir, "no", "such") }));
    assert.deepEqual(await tokens(), []);
  });
});
