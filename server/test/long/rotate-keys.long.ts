/**
 * SEC-5, SEC-6: key file, data keys and pepper are rotated by the operator's command, which is killed with `kill -9`
 * repeatedly while callers call and an admin writes. No call fails, every sealed value can always be opened, and in the
 * end no value uses an old key.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { sql } from "kysely";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { readKeyFile } from "#storage/key-file";
import { openDatabases } from "#storage/open-databases";
import { openVault, readNewDataKeys } from "#storage/open-vault";
import { SEALED_COLUMNS } from "#storage/sealed-columns";
import { seedFor } from "../seed.ts";
import type { Service } from "../start-service.ts";
import { checkData } from "./check-data.ts";
import { checkLog, readWholeLog } from "./check-log.ts";
import { type Load, underLoad } from "./load.ts";
import { type Dialect, inLongSetup, type LongSetup } from "./setup.ts";

const BIN = fileURLToPath(new URL("../../../dist/bin/gatehouse.mjs", import.meta.url));
const KILLS = 20;
/** Enough that most of the killed runs have work. */
const SECRETS = 1_000;
const OPEN_EVERY_MS = 250;
/** Only a safeguard against hanging. */
const TIMEOUT = { timeout: 20 * 60_000 };

type Environment = LongSetup["environment"];

/** Runs `gatehouse keys …`; kills it after this many lines of output. */
async function keys(environment: Environment, args: readonly string[], killAfterLines = Number.POSITIVE_INFINITY) {
  const child = spawn(process.execPath, [BIN, "keys", ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let [stdout, lines] = ["", 0];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  for await (const line of createInterface({ input: child.stderr })) {
    assert.ok(!line.startsWith("{"), `an error: ${line}`);
    if (++lines >= killAfterLines) child.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  return { code, signal, stdout };
}

async function keepSecrets(service: Service): Promise<void> {
  const secret = { tokenUrl: "https://idp.example.com/token", clientId: "id", clientSecret: "s3cret" };
  for (let n = 1; n <= SECRETS; n++) {
    const user = { name: `kept ${n}`, is_machine_user: true, client_credentials: secret };
    assert.equal((await service.api("POST", "/api/users", user)).status, 201);
    const auth_settings = { authType: "proxy-oauth", clientId: "id", clientSecret: "s3cret" };
    const server = { name: `kept ${n}`, auth_settings };
    assert.equal((await service.api("POST", "/api/mcp-servers", server)).status, 201);
  }
}

/** Opens all values in the database like another replica would. */
const openRepeatedly =
  ({ dataDir, databaseUrl, environment }: LongSetup): Load =>
  async (isOver) => {
    const logger = createLogger("silent");
    const { main: db, ...databases } = await openDatabases({ dataDir, databaseUrl, logger });
    try {
      const files = [environment.GATEHOUSE_KEY_FILE, environment.GATEHOUSE_PREVIOUS_KEY_FILE];
      const wrappingKeys = files.map((file) => readKeyFile(file ?? ""));
      const vault = await openVault(db, wrappingKeys, { clock: systemClock, logger });
      while (!isOver()) {
        await readNewDataKeys(db, wrappingKeys, vault);
        for (const { table, column, purpose } of SEALED_COLUMNS) {
          const value = sql.ref<string | null>(column).as("sealed");
          for (const { id, sealed } of await db.selectFrom(table).select(["id", value]).execute()) {
            if (sealed !== null) vault.open(purpose, { table, row: id, column }, sealed);
          }
        }
        await sleep(OPEN_EVERY_MS);
      }
    } finally {
      await databases.close();
    }
  };

async function rotateAndKill({ environment }: LongSetup, test: TestContext): Promise<void> {
  const lines = fc.integer({ min: 1, max: 4 });
  let kills = 0;
  for (const line of fc.sample(lines, { seed: seedFor(test), numRuns: KILLS })) {
    const { code, signal } = await keys(environment, ["rotate", "--data-keys"], line);
    // A run that printed its last lines quickly may have ended before the kill.
    assert.ok(signal === "SIGKILL" || code === 0, `it ended with ${code}`);
    if (signal === "SIGKILL") kills++;
  }
  test.diagnostic(`${kills} kills`);
  assert.equal((await keys(environment, ["rotate", "--data-keys"])).code, 0);
}

for (const dialect of ["sqlite", "postgres"] as const satisfies Dialect[]) {
  it(`rotates under load with ${KILLS} kills, without failures or values on old keys (${dialect})`, TIMEOUT, (test) =>
    inLongSetup(dialect, test.signal, async (context) => {
      const { service, history, environment } = context;
      await keepSecrets(await service.current());
      const swapped = {
        GATEHOUSE_KEY_FILE: environment.GATEHOUSE_PREVIOUS_KEY_FILE ?? "",
        GATEHOUSE_PREVIOUS_KEY_FILE: environment.GATEHOUSE_KEY_FILE ?? "",
      };
      assert.equal((await keys({ ...environment, ...swapped }, ["rotate"])).code, 0);

      const writer = await underLoad(
        context,
        async () => {
          await rotateAndKill(context, test);
          // The next process has only what is in the database now.
          await service.die();
        },
        openRepeatedly(context),
      );
      const status = JSON.parse((await keys(environment, ["status", "-o", "json"])).stdout);
      assert.deepEqual([status.previous_key_may_be_removed, status.problems], [true, []]);
      for (const { purpose, version, values } of status.data_keys) {
        if (version === 1) assert.equal(values, 0, purpose);
        test.diagnostic(`${purpose} ${version}: ${values}`);
      }
      const last = await service.current();
      const { rows } = checkLog(await readWholeLog(last), history);
      await writer.check(last);
      await service.close();
      await checkData(context.dataDir, context.databaseUrl);
      assert.equal(service.unexpectedOutput, "");
      test.diagnostic(`calls: ${history.sent.length} sent, ${history.answered} answered; log: ${rows} rows`);
    }),
  );
}
