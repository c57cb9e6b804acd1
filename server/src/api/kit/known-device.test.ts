import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { readOrCreateKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { testClock } from "#test/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { knownDevice, rememberDevice } from "./known-device.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const clock = testClock();
let database: TestDatabase;
let context: Parameters<typeof rememberDevice>[0];
before(async () => {
  database = await openTestSqlite();
  const key = readOrCreateKeyFile(`${database.dataDir}/gatehouse.key`);
  const vault = await openVault(database.databases.main, [key], { clock, logger: createLogger("silent") });
  context = { vault, clock, random: systemRandom, baseUrl: "https://gate.example.com" };
});
after(() => database.close());

function remember(userId: string): string {
  const lines: string[] = [];
  const reply = { header: (_name: string, value: string) => lines.push(value) };
  rememberDevice(context, reply as unknown as Parameters<typeof rememberDevice>[1], userId); // only `header` is used
  return lines.join().split(";")[0] ?? "";
}

function read(cookie: string) {
  const request = { headers: { cookie } };
  return knownDevice(context, request as unknown as Parameters<typeof knownDevice>[1]); // only the headers are read
}

it("remembers the person and the browser for 90 days", () => {
  const cookie = remember("usr_a");
  assert.match(cookie, /^__Host-gatehouse-device=/);
  assert.equal(read(cookie)?.userId, "usr_a");
  assert.notEqual(read(remember("usr_a"))?.id, read(cookie)?.id);
  clock.advance(90 * DAY_MS - 1);
  assert.equal(read(cookie)?.userId, "usr_a");
  clock.advance(1);
  assert.equal(read(cookie), undefined);
});

it("ignores a cookie that it did not seal", () => {
  for (const value of [
    "",
    "x",
    "1.AAAA",
    context.vault.seal("mcp-session", { table: "", row: "", column: "oidc-cookie" }, "{}"),
  ]) {
    assert.equal(read(`__Host-gatehouse-device=${value}`), undefined);
  }
});
