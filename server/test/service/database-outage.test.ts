import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { POSTGRES_TIMEOUTS } from "#storage/postgres-dialect";
import { openTestPostgres } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { initializeRequest } from "../gateway-kit.ts";
import { callText, listText } from "../mcp-messages.ts";
import { startService } from "../start-service.ts";
import { startTcpProxy, type TcpProxy } from "../tcp-proxy.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

/** Longer than the test may take: a silent database is recognized by a probe, and afterwards nothing waits for it. */
const TIMEOUTS = { ...POSTGRES_TIMEOUTS, responseMs: 600_000 };
const CALLS_WITHOUT_DATABASE = 30;

// Concurrent, because each test mostly waits for the timeout of a silent database.
describe("without its database", { concurrency: true }, () => {
  for (const [fault, away] of [
    ["is cut off", (proxy: TcpProxy) => proxy.cut()],
    ["accepts and never answers", (proxy: TcpProxy) => proxy.swallow()],
  ] as const) {
    it(`keeps serving calls, reports itself as degraded and loses no record when its database ${fault} (OPS-3, D33)`, async (t) => {
      const database = await openTestPostgres();
      const direct = new URL(database.databaseUrl ?? "");
      const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) });
      const proxied = new URL(direct);
      proxied.hostname = "127.0.0.1";
      proxied.port = String(proxy.port);
      const upstream = await startRawUpstream();
      const service = await startService({ ...database, databaseUrl: proxied.href }, { postgresTimeouts: TIMEOUTS });
      t.after(async () => {
        proxy.restore();
        await service.close();
        await upstream.close();
        await proxy.close();
        await database.close();
      });
      await createSyncedServer(service, "Echo", upstream.url);
      const bot = await createMachineUser(service, "bot");
      const newcomer = await createMachineUser(service, "newcomer");
      await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email, newcomer.email] });
      const call = (n: number) =>
        service.mcp(
          bot.credential,
          callText({ era: "legacy", id: String(n), tool: "echo__echo", arguments: `{"n":${n}}` }),
        );
      const readiness = async (status: string) => {
        for (;;) {
          const answer = await service.http("/readyz");
          assert.equal(answer.status, 200, answer.text);
          if (answer.body.status === status) return answer.body;
          await sleep(20);
        }
      };
      assert.equal((await call(0)).status, 200);

      away(proxy);
      assert.deepEqual(await readiness("degraded"), { status: "degraded", reason: "the database cannot be reached" });
      for (let n = 1; n <= CALLS_WITHOUT_DATABASE; n++) {
        assert.deepEqual((await call(n)).body.result.structuredContent, { n });
      }
      assert.equal((await service.mcp(bot.credential, listText("legacy"))).body.result.tools.length, 2);
      const began = await service.mcp(newcomer.credential, initializeRequest());
      const session = { "mcp-session-id": String(began.headers["mcp-session-id"]) };
      const first = callText({ era: "legacy", id: "1", tool: "echo__echo", arguments: '{"n":1}' });
      const firstAnswer = await service.mcp(newcomer.credential, first, session);
      assert.deepEqual(firstAnswer.body.result?.structuredContent, { n: 1 }, firstAnswer.text);
      const unknown = `${bot.credential.slice(0, -1)}${bot.credential.endsWith("a") ? "b" : "a"}`;
      assert.equal((await service.mcp(unknown, first)).status, 401);
      for (const answer of await Promise.all([
        service.api("GET", "/api/groups"),
        service.api("POST", "/api/groups", { name: "Lost" }),
      ])) {
        assert.equal(answer.status, 500, answer.text);
        assert.ok(Number(answer.headers["retry-after"]) > 0);
      }

      proxy.restore();
      await readiness("ready");
      assert.equal((await service.api("POST", "/api/groups", { name: "Found" })).status, 201);
      const logged = async () => (await service.api("GET", "/api/logs?server=echo&limit=200")).body.data.length;
      while ((await logged()) < 2 + CALLS_WITHOUT_DATABASE) await sleep(20);
      assert.equal(await logged(), 2 + CALLS_WITHOUT_DATABASE);
      assert.ok(proxy.opened() <= 10, `${proxy.opened()} connections: at most one pool`);
    });
  }
});
