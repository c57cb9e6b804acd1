import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { newDataDir, start } from "../service/start-command.ts";
import { startWebhookReceiver } from "../webhook-receiver.ts";

const TOKEN = "token-of-the-killed-service";

describe("a service that is killed", () => {
  it("sends an event again that it was sending, and events that it had only stored", async () => {
    const receiver = await startWebhookReceiver();
    const environment = { DATA_DIR: await newDataDir(), GATEHOUSE_BOOTSTRAP_TOKEN: TOKEN };
    const first = start(environment);
    const url = await first.served();
    const post = async (at: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
      const response = await fetch(`${at}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      assert.equal(response.status, 201, await response.text());
    };
    await post(url, "/api/webhooks", { name: "All", url: receiver.url, events: ["security.alert"] });
    receiver.answer = () => undefined;
    await post(url, "/api/api-tokens", { name: "Sending", scopes: ["all"] });
    await receiver.received(1);
    // These are in the outbox when the service dies, or being sent.
    await Promise.all(
      [1, 2, 3, 4, 5].map((n) => post(url, "/api/api-tokens", { name: `Stored ${n}`, scopes: ["all"] })),
    );
    first.child.kill("SIGKILL");
    await once(first.child, "close");
    receiver.answer = (response) => void response.end();
    receiver.requests.length = 0;
    const second = start(environment);
    await second.served();
    const names = () => new Set(receiver.requests.map(({ body }) => JSON.parse(body).data.target.name));
    const deadline = Date.now() + 60_000;
    while (names().size < 6 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual([...names()].sort(), ["Sending", ...[1, 2, 3, 4, 5].map((n) => `Stored ${n}`)]);
    second.child.kill("SIGTERM");
    await second.ended;
    await receiver.close();
  });
});
