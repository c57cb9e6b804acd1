import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "#lib/clock";
import { POSTGRES_TIMEOUTS } from "#storage/postgres-dialect";
import { openTestPostgres, type TestDatabase } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { callText, listText } from "../mcp-messages.ts";
import { type OwnService, type ServiceOptions, startService } from "../start-service.ts";
import { startTcpProxy, type TcpProxy } from "../tcp-proxy.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const HOUR_MS = 60 * 60 * 1000;

describe("a start without Postgres", () => {
  let database: TestDatabase;
  let proxied: TestDatabase;
  let proxy: TcpProxy;
  let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
  let token: string;
  let bot: { email: string; credential: string };

  const start = (options: ServiceOptions = {}): Promise<OwnService> =>
    startService(proxied, {
      postgresTimeouts: POSTGRES_TIMEOUTS,
      ...options,
      config: { snapshotMaxAgeMs: HOUR_MS, metricsPort: 0, ...options.config },
    });
  const fileOf = (name: string) => join(database.dataDir, "snapshot", name);
  const call = (service: OwnService, credential = bot.credential) =>
    service.mcp(credential, callText({ era: "legacy", id: "1", tool: "echo__echo", arguments: '{"n":1}' }));
  const groups = (service: OwnService) =>
    service.http("/api/groups", { headers: { authorization: `Bearer ${token}` } });

  before(async () => {
    database = await openTestPostgres();
    const direct = new URL(database.databaseUrl ?? "");
    proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) });
    const url = new URL(direct);
    url.hostname = "127.0.0.1";
    url.port = String(proxy.port);
    proxied = { ...database, databaseUrl: url.href };
    upstream = await startRawUpstream();
    const first = await startService(proxied);
    token = first.token;
    await createSyncedServer(first, "Echo", upstream.url, {
      auth_settings: { sharedHeaders: { "x-api-key": "shared-secret-value" } },
    });
    bot = await createMachineUser(first, "bot");
    await createGroup(first, "bots", { slugs: ["echo"], emails: [bot.email] });
    await first.close();
    const second = await start();
    while (!existsSync(fileOf("snapshot.confirmed"))) await sleep(20);
    await second.close();
  });
  after(async () => {
    await upstream.close();
    await proxy.close();
    await database.close();
  });

  for (const [fault, away] of [
    ["is cut off", () => proxy.cut()],
    ["accepts and never answers", () => proxy.swallow()],
  ] as const) {
    it(`serves known callers from the stored snapshot when Postgres ${fault}, and continues when it is back`, async () => {
      away();
      const service = await start();
      try {
        assert.deepEqual((await service.http("/readyz")).body, {
          status: "degraded",
          reason: "the database cannot be reached; started from a stored snapshot",
        });
        assert.deepEqual((await call(service)).body.result.structuredContent, { n: 1 });
        assert.equal((await service.mcp(bot.credential, listText("legacy"))).body.result.tools.length, 2);
        assert.equal((await call(service, `${bot.credential.slice(0, -6)}zzzzzz`)).status, 401);
        const refused = await groups(service);
        assert.deepEqual([refused.status, refused.body], [503, { error: "The database cannot be reached" }]);
        assert.ok(Number(refused.headers["retry-after"]) > 0);
        const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
        assert.match(metrics, /^gatehouse_started_from_stored_snapshot 1$/m);

        proxy.restore();
        while ((await service.http("/readyz")).body.status !== "ready") await sleep(20);
        assert.equal((await groups(service)).status, 200);
        const headers = { authorization: `Bearer ${token}` };
        const logged = async () => (await service.http("/api/logs?server=echo", { headers })).body.data.length;
        while ((await logged()) === 0) await sleep(20);
      } finally {
        proxy.restore();
        await service.close();
      }
    });
  }

  it("answers 503 to a key that the stored snapshot does not have, because it may be valid, and serves it later", async () => {
    const other = await startService(proxied);
    const headers = { authorization: `Bearer ${token}` };
    const asFirst: OwnService = { ...other, api: (method, path, body) => other.api(method, path, body, headers) };
    const newcomer = await createMachineUser(asFirst, "newcomer");
    await other.close();
    proxy.cut();
    const service = await start();
    try {
      const unchecked = await service.mcp(newcomer.credential, listText("legacy"));
      assert.deepEqual([unchecked.status, unchecked.headers["retry-after"]], [503, "1"]);
      proxy.restore();
      while ((await service.http("/readyz")).body.status !== "ready") await sleep(20);
      assert.equal((await service.mcp(newcomer.credential, listText("legacy"))).status, 200);
    } finally {
      proxy.restore();
      await service.close();
    }
  });

  const refusals: [string, ServiceOptions][] = [
    ["is older than an hour", { clock: { ...systemClock, now: () => systemClock.now() + HOUR_MS + 60_000 } }],
    ["is from the future", { clock: { ...systemClock, now: () => systemClock.now() - HOUR_MS } }],
    ["is disabled", { config: { snapshotMaxAgeMs: 0 } }],
    ["is not for a gateway", { config: { role: "admin" } }],
  ];
  for (const [state, options] of refusals) {
    it(`fails if the stored snapshot ${state}`, async () => {
      proxy.cut();
      await assert.rejects(start(options));
      proxy.restore();
    });
  }

  it("fails if the stored snapshot was changed or is incomplete", async () => {
    const path = fileOf("snapshot");
    const text = await readFile(path, "utf8");
    const lines = text.trimEnd().split("\n");
    proxy.cut();
    // Not the last character: some of its bits may encode nothing.
    const middle = Math.floor(text.length / 2);
    const changed = text.slice(0, middle) + (text[middle] === "A" ? "B" : "A") + text.slice(middle + 1);
    for (const damaged of [changed, lines.slice(0, -1).join("\n"), lines.toSpliced(2, 1).join("\n"), ""]) {
      await writeFile(path, damaged);
      await assert.rejects(start());
    }
    await writeFile(path, text);
    await (await start()).close();
    proxy.restore();
  });

  it("reveals nothing to a reader of the file", async () => {
    const text = await readFile(fileOf("snapshot"), "utf8");
    const pieces = text.split("\n").slice(1);
    assert.ok(pieces.length > 4);
    for (const secret of [bot.email, "shared-secret-value", "echo", bot.credential.split(":")[1] ?? ""]) {
      assert.ok(!text.includes(secret), secret);
      assert.ok(!text.includes(Buffer.from(secret).toString("base64").slice(0, 8)), secret);
    }
  });
});
