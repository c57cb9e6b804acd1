import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { createLogger } from "#lib/logger";
import { readTables } from "#storage/backup/schema";
import { openDatabases } from "#storage/open-databases";
import { Browser } from "#test/browser";
import { createPostgresDatabase, openTestSqlite, type TestDatabase } from "#test/databases";
import { GATEHOUSE } from "#test/gatehouse-command";
import { GOOD_PASSWORD } from "#test/passwords";
import { type Service, startService } from "#test/start-service";

describe("gatehouse owner-link", () => {
  let database: TestDatabase;
  let service: Service;
  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
  });
  after(async () => {
    await service.close();
    await database.close();
  });

  const becomeOwner = async (code: string, email: string) => {
    const browser = new Browser(service);
    await browser.get("/setup-link");
    return browser.submit("/setup-link", { code, name: "Ada", email, password: GOOD_PASSWORD });
  };

  it("prints a link that creates another owner while the service runs (AUTH-11)", async () => {
    assert.equal((await becomeOwner(String(service.setupToken), "first@example.com")).status, 303);
    const env = { PATH: process.env.PATH, DATA_DIR: database.dataDir, BASE_URL: "https://gatehouse.example.com" };
    const { stdout } = await promisify(execFile)(process.execPath, [...GATEHOUSE, "owner-link"], { env });
    assert.match(stdout, /^https:\/\/gatehouse\.example\.com\/setup-link#gh_su_\w+\n$/);
    assert.equal((await becomeOwner(stdout, "second@example.com")).status, 303);
    const [row] = await database.databases.main
      .selectFrom("audit")
      .selectAll()
      .where("operation", "=", "makeSetupLink")
      .execute();
    assert.deepEqual([row?.actor_kind, row?.after], ["system", { break_glass: true }]);
  });

  it("creates no tables in an empty Postgres database", async () => {
    const { databaseUrl, drop } = await createPostgresDatabase();
    const databases = await openDatabases({ dataDir: database.dataDir, databaseUrl, logger: createLogger("silent") });
    try {
      const settings = { DATABASE_URL: databaseUrl, GATEHOUSE_KEY_FILE: join(database.dataDir, "gatehouse.key") };
      const env = { PATH: process.env.PATH, DATA_DIR: database.dataDir, ...settings };
      const run = promisify(execFile)(process.execPath, [...GATEHOUSE, "owner-link"], { env });
      await assert.rejects(run, { code: 78, stderr: /The database of DATABASE_URL has no tables of Gatehouse\./ });
      assert.deepEqual(await readTables(databases.main), []);
    } finally {
      await databases.close();
      await drop();
    }
  });

  it("prints no setup link at the next start", async () => {
    const again = await startService(database);
    assert.equal(again.setupToken, undefined);
    await again.close();
  });
});
