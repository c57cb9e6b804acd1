import assert from "node:assert/strict";
import { it } from "node:test";
import { createLogger } from "#lib/logger";
import { openTestSqlite } from "#test/databases";
import { startService } from "#test/start-service";
import { createProxyWarning } from "./proxy-warning.ts";

it("reports an untrusted proxy once in the log, and in the app (a public BASE_URL)", async () => {
  const lines: string[] = [];
  const logger = createLogger("warn", { write: (line) => void lines.push(line) });
  const database = await openTestSqlite();
  const config = { baseUrl: "https://gate.example.com", gatewayUrl: "https://gate.example.com" };
  const service = await startService(database, { logger, config });
  try {
    assert.match(lines.join(""), /TRUSTED_PROXIES is not set, although BASE_URL is https/);
    const warnings = async () => (await service.api("GET", "/api/about")).body.data.warnings;
    assert.deepEqual(await warnings(), []);
    for (let n = 0; n < 3; n++) await service.http("/sign-in", { headers: { "x-forwarded-for": "203.0.113.7" } });
    assert.equal(lines.filter((line) => line.includes("X-Forwarded-For of 127.0.0.1 is ignored")).length, 1);
    assert.match((await warnings())[0], /^X-Forwarded-For of 127\.0\.0\.1 is ignored/);
  } finally {
    await service.close();
    await database.close();
  }
});

it("reports nothing for trusted proxies, and nothing on loopback", async () => {
  const lines: string[] = [];
  const logger = createLogger("warn", { write: (line) => void lines.push(line) });
  for (const settings of [
    { baseUrl: "https://gate.example.com", trustedProxies: ["127.0.0.0/8"] },
    { baseUrl: "http://localhost:8080", trustedProxies: [] },
    { baseUrl: "http://gatehouse.localhost:8080", trustedProxies: [] },
  ]) {
    const database = await openTestSqlite();
    const service = await startService(database, { logger, config: { ...settings, gatewayUrl: settings.baseUrl } });
    await service.http("/sign-in", { headers: { "x-forwarded-for": "203.0.113.7" } });
    assert.deepEqual((await service.api("GET", "/api/about")).body.data.warnings, []);
    await service.close();
    await database.close();
  }
  assert.equal(
    createProxyWarning({ baseUrl: "https://gate.example.com", trustedProxies: ["10.0.0.1"] }, logger).message(),
    undefined,
  );
  assert.deepEqual(lines, []);
});
