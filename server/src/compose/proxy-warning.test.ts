import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { examine } from "#commands/doctor/doctor";
import { collect } from "#commands/doctor/finding";
import { readConfig } from "#config/config";
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

it("is reported by doctor, also if TRUSTED_PROXIES contains other addresses", async () => {
  for (const trusted of [["10.0.0.1"], []]) {
    const database = await openTestSqlite();
    const baseUrl = "https://gate.example.com";
    const service = await startService(database, { config: { baseUrl, gatewayUrl: baseUrl, trustedProxies: trusted } });
    const { dataDir } = database;
    const settings = { PORT: new URL(service.url).port, DATA_DIR: dataDir, REGISTRY_SYNC: "off", LOG_LEVEL: "error" };
    const env = {
      ...{ ...settings, GATEHOUSE_KEY_FILE: join(dataDir, "gatehouse.key"), GATEHOUSE_BOOTSTRAP_TOKEN: service.token },
      ...{ BASE_URL: baseUrl, TRUSTED_PROXIES: trusted.join(",") },
    };
    const found = async (check: string) =>
      (await collect(examine(readConfig(env)))).find((each) => each.check === check);
    try {
      const before = await found("Proxy");
      assert.equal(before?.status, trusted.length === 0 ? "warning" : "ok");
      assert.match(before?.message ?? "", trusted.length === 0 ? /is not set/ : /has seen no requests of another one/);
      await service.http("/sign-in", { headers: { "x-forwarded-for": "203.0.113.7" } });
      const proxy = await found("Proxy");
      assert.equal(proxy?.status, "warning");
      assert.match(proxy?.message ?? "", /^X-Forwarded-For of 127\.0\.0\.1 is ignored/);
      assert.match(proxy?.advice ?? "", /TRUSTED_PROXIES/);
      assert.equal((await found("Warnings"))?.status, "ok", "reports it once");
    } finally {
      await service.close();
      await database.close();
    }
  }
});

it("reports at the start that a public BASE_URL has no trusted proxy", () => {
  const lines: string[] = [];
  const logger = createLogger("warn", { write: (line) => void lines.push(line) });
  for (const host of ["gate.example.com", "10.0.0.8", "gatehouse"]) {
    createProxyWarning({ baseUrl: `http://${host}:8080`, trustedProxies: [] }, logger);
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /BASE_URL is public/);
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
