import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { parseAllowList } from "#egress/egress";
import { forEachDatabase, onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { publishGuards } from "#test/guard-records";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";

const CANARY = "canary-7Qx2-secret";

forEachDatabase("a guard with a webhook, and captured payloads", (open) => {
  let service: Service;
  let upstream: RawUpstream;
  let receiver: WebhookReceiver;
  let bot: MachineUser;
  let guards: (...list: object[]) => Promise<void>;

  before(async () => {
    const database = await open();
    service = await startService(database);
    guards = (...list) => publishGuards(service, database.databases, list);
    upstream = await startRawUpstream();
    receiver = await startWebhookReceiver();
    await createSyncedServer(service, "github", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "G", { slugs: ["github"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await receiver?.close();
  });

  const call = async (message: string) =>
    (await service.mcp(bot.credential, rpc("tools/call", { name: "github__echo", arguments: { message } }))).body
      .result;
  const sent = () => upstream.seen.filter(({ method }) => method === "tools/call").map(({ body }) => String(body));

  it("asks the webhook, redacts its spans, and lets on_error decide when it fails", async () => {
    const config = { url: `${receiver.url}/judge`, timeout_ms: 2_000, send: "text" };
    const fields = {
      slug: "judge",
      name: "Judge",
      direction: "request",
      checks: [{ type: "webhook", name: "J", config }],
    };
    receiver.answer = (response) => void response.end('{"score":9,"spans":[{"start":0,"end":6,"replacement":"[X]"}]}');
    await guards({ ...fields, action: "redact" });
    await call(CANARY);
    assert.ok(sent().at(-1)?.includes('"message":"[X]-7Qx2-secret"'), sent().at(-1));
    assert.deepEqual(JSON.parse(receiver.requests.at(-1)?.body ?? ""), {
      ...{ guard: "judge", direction: "request", tool: "github__echo", text: CANARY },
    });
    receiver.answer = (response) => void response.writeHead(500).end();
    const count = sent().length;
    assert.equal((await call(CANARY)).content[0].text, 'Blocked by guard "Judge": a check failed');
    assert.equal(sent().length, count);
    await guards({ ...fields, action: "redact", on_error: "allow" });
    assert.equal((await call(CANARY)).isError, undefined);
  });

  it("captures what left the gateway, and nothing of a blocked request", async () => {
    await service.api("PATCH", "/api/settings", { payload_capture: "full" });
    const word = { type: "keyword", name: "Word", config: { words: ["canary"] } };
    const payloadOf = async () => {
      const { body } = await service.api("GET", "/api/logs?limit=1&tool=echo");
      return (await service.api("GET", `/api/logs/${body.data[0].id}?include_payload=true`)).text;
    };
    await guards({ slug: "r", name: "R", action: "redact", checks: [word] });
    await call(CANARY);
    assert.ok(!(await payloadOf()).includes("canary"), await payloadOf());
    assert.match(await payloadOf(), /REDACTED-WORD/);
    await guards({ slug: "b", name: "B", action: "block", checks: [word] });
    assert.equal((await call(CANARY)).isError, true);
    assert.ok(!(await payloadOf()).includes("canary"), await payloadOf());
  });
});

onSqlite("a guard with a webhook in a private network", (open) => {
  it("fails without EGRESS_ALLOW, and nothing is sent", async () => {
    const database = await open();
    const receiver = await startWebhookReceiver();
    const upstream = await startRawUpstream();
    // Only the upstream is allowed.
    const service = await startService(database, { config: { egressAllow: parseAllowList("127.0.0.1/32") } });
    try {
      await createSyncedServer(service, "github", upstream.url);
      const bot = await createMachineUser(service, "bot");
      await createGroup(service, "G", { slugs: ["github"], emails: [bot.email] });
      const config = { url: receiver.url.replace("127.0.0.1", "127.0.0.2"), timeout_ms: 1_000, send: "text" };
      await publishGuards(service, database.databases, [
        {
          slug: "w",
          name: "W",
          action: "block",
          direction: "request",
          checks: [{ type: "webhook", name: "W", config }],
        },
      ]);
      const message = rpc("tools/call", { name: "github__echo", arguments: {} });
      const { body } = await service.mcp(bot.credential, message);
      assert.equal(body.result.content[0].text, 'Blocked by guard "W": a check failed');
      assert.equal(receiver.requests.length, 0);
    } finally {
      await service.close();
      await upstream.close();
      await receiver.close();
    }
  });
});
