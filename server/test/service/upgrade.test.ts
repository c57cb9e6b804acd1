/** A later release starts with the data of an earlier one, on both databases (docs/guide/upgrading.md). */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPostgresDatabase, makeDataDir } from "../databases.ts";
import { spawnService } from "../long/service-process.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const RELEASES = fileURLToPath(new URL("../fixtures/releases/", import.meta.url));
const BIN = fileURLToPath(new URL("../../../bin/gatehouse.mjs", import.meta.url));

for (const release of readdirSync(RELEASES)) {
  describe(`data of release ${release}`, () => {
    for (const dialect of ["sqlite", "postgres"] as const) {
      it(`serves callers, with its configuration, log and audit chain (${dialect})`, async () => {
        const dataDir = await makeDataDir();
        const database = dialect === "postgres" ? await createPostgresDatabase() : undefined;
        const environment = {
          ...{ DATA_DIR: dataDir, GATEHOUSE_KEY_FILE: join(dataDir, "gatehouse.key"), EGRESS_ALLOW: "127.0.0.0/8" },
          ...(database && { DATABASE_URL: database.databaseUrl }),
        };
        try {
          // Creates the tables of that release, fills them, and migrates them to those of this one.
          await gatehouse(environment, "restore", join(RELEASES, release, "backup.ghb"));
          await gatehouse(environment, "audit", "verify");
          await checkService(release, environment);
        } finally {
          await database?.drop();
          await rm(dataDir, { recursive: true, force: true });
        }
      });
    }
  });
}

async function gatehouse(environment: Record<string, string>, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH, ...environment } });
}

async function checkService(release: string, environment: Record<string, string>): Promise<void> {
  const facts = JSON.parse(readFileSync(join(RELEASES, release, "facts.json"), "utf8"));
  const upstream = await startRawUpstream();
  const starting = spawnService({ token: facts.apiToken, environment });
  try {
    const service = await starting.ready;
    const moved = { upstream: { type: "http", url: upstream.url } };
    assert.equal((await service.api("PATCH", `/api/mcp-servers?slug=${facts.server}`, moved)).status, 200);
    const params = { name: `${facts.server}__echo`, arguments: { after: "upgrade" } };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const answer = await service.mcp(facts.callerKey, call, { accept: "application/json, text/event-stream" });
    assert.match(answer.text, /upgrade/);
    const { config } = (await service.api("GET", "/api/config")).body.data;
    // Later releases have further kinds.
    const counts = Object.keys(facts.counts).map((kind) => [kind, config[kind].length]);
    assert.deepEqual(Object.fromEntries(counts), facts.counts);
    const logged = (await service.api("GET", "/api/logs?limit=100")).body.data;
    assert.ok(logged.length >= facts.calls, `${logged.length} calls`);
    assert.equal((await service.api("GET", "/api/audit/verify")).body.data.ok, true);
    await service.close();
  } finally {
    await starting.kill();
    await upstream.close();
  }
}
