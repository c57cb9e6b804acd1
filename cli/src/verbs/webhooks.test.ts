import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";
import { withService } from "../../test/with-service.ts";

withService("gatehouse webhooks", (world) => {
  const { shell } = world;
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await startWebhookReceiver();
  });
  after(() => receiver.close());
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await shell.run(["webhooks", ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("creates, tests, updates and deletes a webhook by name", async () => {
    const fields = ["--receiver", receiver.url, "--event", "security.alert", "--event", "tools.held"];
    await run("create", "On-call", ...fields, "--save-to", "hook.secret");
    const secret = readFileSync(join(shell.folder, "hook.secret"), "utf8").trim();
    await run("test", "on-call");
    const [request] = receiver.requests;
    new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>);
    assert.match(
      await run("list"),
      /On-call +enabled +delivered +security\.alert|On-call +enabled +delivered +tools\.held/,
    );
    await run("update", "On-call", "--no-enabled", "--format", "slack");
    const [row] = JSON.parse(await run("list", "-o", "json"));
    assert.deepEqual([row.enabled, row.format], [false, "slack"]);
    await run("delete", "On-call", "--yes");
    assert.equal(await run("list", "-o", "json"), "[]\n");
  });

  it("shows deliveries and sends one again", async () => {
    writeFileSync(join(shell.folder, "own.secret"), `whsec_${Buffer.alloc(32, 7).toString("base64")}\n`);
    const made = await run(
      "create",
      "Own",
      "--receiver",
      receiver.url,
      "--event",
      "tools.held",
      "--secret-file",
      "own.secret",
      "-o",
      "json",
    );
    assert.equal(JSON.parse(made).secret, undefined);
    await run("test", "Own");
    const [delivery] = JSON.parse(await run("deliveries", "Own", "--status", "delivered", "-o", "json"));
    assert.equal(delivery.event, "webhook.test");
    const count = receiver.requests.length;
    await run("redeliver", "Own", delivery.id);
    await receiver.received(count + 1);
    const rotated = JSON.parse(await run("rotate-secret", "Own", "--overlap", "2", "-o", "json"));
    assert.match(rotated.secret, /^whsec_/);
    assert.match(await run("events"), /server\.unhealthy/);
  });

  it("reports a failed test, an unknown webhook, and missing options", async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const failed = await shell.run(["webhooks", "test", "Own"]);
    assert.deepEqual(
      [failed.code, failed.stderr],
      [1, "gatehouse: The test event was not delivered. The receiver responded with status 500\n"],
    );
    assert.equal((await shell.run(["webhooks", "test", "Nothing"])).code, 4);
    assert.equal((await shell.run(["webhooks", "create", "X", "--event", "tools.held"])).code, 64);
    assert.equal((await shell.run(["webhooks", "create", "X", "--receiver", receiver.url])).code, 64);
    assert.equal((await shell.run(["webhooks", "update", "Own"])).code, 64);
    const unknown = await shell.run(["webhooks", "create", "X", "--receiver", receiver.url, "--event", "none"]);
    assert.match(unknown.stderr, /unknown event "none"/);
  });
});
