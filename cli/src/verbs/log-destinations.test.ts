import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";
import { withService } from "../../test/with-service.ts";

withService("gatehouse log-destinations", (world) => {
  const { shell } = world;
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await startWebhookReceiver();
  });
  after(() => receiver.close());
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["log-destinations", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("creates, tests, rewinds, pauses and deletes a destination by name", async () => {
    writeFileSync(join(shell.folder, "headers.json"), '{"x-key":"k-1"}');
    const fields = ["--kind", "otlp", "--receiver", receiver.url, "--source", "audit"];
    await run("create", "Collector", ...fields, "--headers-file", "headers.json");
    await run("test", "collector");
    assert.equal(receiver.requests[0]?.headers["x-key"], "k-1");
    assert.match(await run("list"), /Collector +otlp +current +audit/);
    await run("rewind", "Collector", "--to", "2020-01-01T00:00:00Z", "--yes");
    await receiver.received(2);
    await run("update", "Collector", "--no-enabled");
    assert.equal(JSON.parse(await run("get", "Collector", "-o", "json")).status, "paused");
    await run("delete", "Collector", "--yes");
    assert.equal(await run("list", "-o", "json"), "[]\n");
  });

  it("fails with the reason if a test record is not delivered", async () => {
    await run("create", "Down", "--kind", "webhook", "--receiver", receiver.url, "--source", "calls");
    receiver.answer = (response) => void response.writeHead(403).end();
    const { code, stderr } = await shell.run(["log-destinations", "test", "Down"]);
    assert.equal(code, 1);
    assert.match(stderr, /rejected the credentials \(403\)/);
  });

  it("names the option that is missing", async () => {
    const { code, stderr } = await shell.run(["log-destinations", "create", "X"]);
    assert.equal(code, 64);
    assert.match(stderr, /--kind/);
  });
});
