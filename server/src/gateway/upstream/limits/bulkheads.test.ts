import assert from "node:assert/strict";
import { after, afterEach, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callText, listText } from "#test/mcp-messages";
import { type HttpAnswer, type Service, startService } from "#test/start-service";
import { until } from "#test/upstreams/caller";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const HEALTHY = 9;

onSqlite("isolation of one failing server (GW-12)", (open) => {
  let service: Service;
  let healthy: RawUpstream;
  let hung: RawUpstream;
  let bot: MachineUser;
  let held = Promise.withResolvers<void>();
  const underWay: Promise<HttpAnswer>[] = [];

  before(async () => {
    service = await startService(await open());
    healthy = await startRawUpstream();
    hung = await startRawUpstream({ gate: ({ method }) => (method === "tools/call" ? held.promise : undefined) });
    const slugs: string[] = [];
    for (let n = 0; n < HEALTHY; n++) slugs.push(await createSyncedServer(service, `Healthy ${n}`, healthy.url));
    slugs.push(await createSyncedServer(service, "Hung", hung.url));
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs, emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await healthy?.close();
    await hung?.close();
  });
  const call = (tool: string, id = "1") =>
    service.mcp(bot.credential, callText({ era: "legacy", id, tool, arguments: "{}" }));
  const setServer = (limits: unknown) => service.api("PATCH", "/api/mcp-servers?slug=hung", { limits });
  const setAll = async (settings: object) =>
    assert.equal((await service.api("PATCH", "/api/settings", settings)).status, 200);
  const hang = async (calls: number) => {
    const before = hung.count("tools/call");
    for (let n = 0; n < calls; n++) underWay.push(call("hung__echo"));
    await until(() => hung.count("tools/call") === before + calls);
  };
  afterEach(async () => {
    held.resolve();
    const answers = await Promise.all(underWay.splice(0));
    assert.ok(answers.every(({ body }) => body.result));
    held = Promise.withResolvers();
    assert.equal((await setServer(null)).status, 200);
  });

  it("answers tools/list and all calls to the other servers while one of ten hangs", async () => {
    await hang(20);
    const answers = await Promise.all(
      Array.from({ length: 10 * HEALTHY }, (_, n) => call(`healthy-${n % HEALTHY}__echo`, String(n))),
    );
    assert.ok(answers.every(({ status, body }) => status === 200 && body.result));
    const list = await service.mcp(bot.credential, listText("legacy"));
    assert.ok(list.body.result.tools.some((tool: { name: string }) => tool.name === "hung__echo"));
  });

  it("applies the limits of a server from the next call on, names it in the error, and logs it", async () => {
    assert.equal((await setServer({ concurrent_calls: 2, queued_calls: 0 })).status, 200);
    await hang(2);
    const refused = await call("hung__echo", "77");
    assert.equal(refused.status, 200);
    assert.equal(refused.body.id, 77);
    assert.match(refused.body.error.message, /^Server "hung" is busy \(calls in progress: 2, queued: 0\)/);
    assert.equal(refused.body.error.data.requestId, refused.headers["x-request-id"]);
    const log = await service.api("GET", "/api/logs?server=hung&limit=1");
    assert.deepEqual(
      [log.body.data[0].outcome, log.body.data[0].error],
      ["upstream_failed", refused.body.error.message],
    );
    assert.equal((await setServer({ concurrent_calls: null })).status, 200);
    await hang(1);
    const { body } = await service.api("GET", "/api/mcp-servers/hung");
    assert.deepEqual(body.data.limits, { queued_calls: 0 });
  });

  it("applies the limits of the settings to servers without their own", async () => {
    await setAll({ server_concurrent_calls: 1, server_queued_calls: 0 });
    await hang(1);
    assert.match((await call("hung__echo")).body.error.message, /is busy \(calls in progress: 1,/);
    assert.equal((await setServer({ concurrent_calls: 2 })).status, 200);
    await hang(1);
    await setAll({ server_concurrent_calls: null, server_queued_calls: null });
  });

  it("limits the concurrent calls of a user and rejects the next one (D36)", async () => {
    await setAll({ user_concurrent_calls: 3 });
    await hang(3);
    const refused = await call("healthy-0__echo");
    assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "1"]);
    assert.equal(refused.body.error.message, "Too many concurrent calls: 3 of your calls are in progress");
    const log = await service.api("GET", "/api/logs?server=healthy-0&limit=1");
    assert.equal(log.body.data[0].outcome, "denied");
    await setAll({ user_concurrent_calls: null });
    assert.equal((await call("healthy-0__echo")).status, 200);
  });

  it("rejects a limit that is out of bounds or not a number, and changes nothing", async () => {
    for (const [limits, message] of [
      [{ concurrent_calls: 0 }, "limits.concurrent_calls: must be between 1 and 256"],
      [{ queue_seconds: "5" }, "limits.queue_seconds: must be an integer"],
      [7, "limits: must be an object"],
    ] as const) {
      const { status, body } = await setServer(limits);
      assert.deepEqual([status, body], [400, { code: "INVALID_FORMAT", message }]);
    }
    assert.deepEqual((await service.api("GET", "/api/mcp-servers/hung")).body.data.limits, {});
  });
});
