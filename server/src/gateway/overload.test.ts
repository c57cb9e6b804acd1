import assert from "node:assert/strict";
import { it } from "node:test";
import { openTestSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer } from "#test/factories";
import { callText } from "#test/mcp-messages";
import { startService } from "#test/start-service";
import { until } from "#test/upstreams/caller";
import { startRawUpstream } from "#test/upstreams/raw";

const CALL = callText({ era: "legacy", id: "1", tool: "echo__echo", arguments: "{}" });

it("rejects new work with Retry-After under overload while calls in progress finish, then recovers (GW-16)", async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let share = 0.5;
  const database = await openTestSqlite();
  const service = await startService(database, { memoryShare: () => share });
  const upstream = await startRawUpstream({ gate: ({ method }) => (method === "tools/call" ? released : undefined) });
  t.after(async () => {
    await service.close();
    await upstream.close();
    await database.close();
  });
  await createSyncedServer(service, "Echo", upstream.url);
  const bot = await createMachineUser(service, "bot");
  await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  const inProgress = service.mcp(bot.credential, CALL);
  await until(() => upstream.count("tools/call") === 1);
  const statusBecomes = async (status: string) => {
    while ((await service.http("/readyz")).body.status !== status);
  };

  share = 0.95;
  await statusBecomes("degraded");
  for (const refused of [await service.mcp(bot.credential, CALL), await service.api("GET", "/api/groups")]) {
    assert.equal(refused.status, 503, refused.text);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
  }
  assert.equal(upstream.count("tools/call"), 1);
  release();
  assert.equal((await inProgress).status, 200);

  share = 0.5;
  await statusBecomes("ready");
  assert.equal((await service.mcp(bot.credential, CALL)).status, 200);
});
