import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { forEachTarget } from "../kit/suite.ts";

const PATH = "/api/webhooks";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

forEachTarget("webhooks", (api) => {
  const received: Received[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    response.writeHead(status).end("seen");
  });
  let url = "";
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`; // it listens on TCP
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const until = async (isTrue: () => boolean) => {
    for (let tries = 0; tries < 150 && !isTrue(); tries++) await sleep(100);
    assert.ok(isTrue(), `${received.length} requests`);
  };
  const create = (changes: object = {}) =>
    api.body(201, "POST", PATH, { name: api.unique("hook"), url, events: ["discovery.violation"], ...changes });
  const verify = (secret: string, { body, headers }: Received) =>
    new Webhook(secret).verify(body, headers as Record<string, string>); // Node joins repeated headers of these names

  it("send a signed event when its cause happens, and retry with the same ID [API-13]", async () => {
    const { data, secret } = await create({ events: ["security.alert"] });
    received.length = 0;
    status = 500;
    const name = api.unique("root");
    // Other tests of this installation cause alerts too.
    const own = () => received.filter(({ body }) => body.includes(name));
    const token = await api.body(201, "POST", "/api/api-tokens", { name, scopes: ["all"] });
    await until(() => own().length === 1);
    status = 200;
    await until(() => own().length === 2);
    const [first, second] = own();
    assert.ok(first && second);
    assert.equal(first.headers["webhook-id"], second.headers["webhook-id"]);
    const event = verify(secret, second) as { type: string; timestamp: string; data: { operation: string } };
    assert.deepEqual([event.type, event.data.operation], ["security.alert", "createApiToken"]);
    assert.ok(!second.body.includes(token.token));
    await api.body(200, "DELETE", `/api/api-tokens?id=${token.data.id}`);
    const delivered = async () => {
      const { data: deliveries } = await api.body(200, "GET", `${PATH}/${data.id}/deliveries?status=delivered`);
      return deliveries.find((one: { event_id: string }) => one.event_id === first.headers["webhook-id"]);
    };
    // The result is stored after the response.
    let delivery = await delivered();
    for (; !delivery; delivery = await delivered()) await sleep(100);
    assert.equal(delivery.attempts, 2);
    await api.body(200, "DELETE", `${PATH}?id=${data.id}`);
  });

  it("show a generated secret once, and sign with two secrets after a rotation [API-13]", async () => {
    const { data, secret } = await create();
    assert.ok(!JSON.stringify(await api.body(200, "GET", `${PATH}/${data.id}`)).includes(secret));
    const rotated = await api.body(200, "POST", `${PATH}/${data.id}/rotate-secret`, { overlap_hours: 1 });
    received.length = 0;
    await api.body(200, "POST", `${PATH}/${data.id}/test`);
    const [request] = received;
    assert.ok(request);
    for (const one of [secret, rotated.secret]) verify(one, request);
    await api.body(200, "DELETE", `${PATH}?id=${data.id}`);
  });

  it("can be tested and redelivered, and report what the receiver responded [API-13]", async () => {
    const { data } = await create({ format: "slack", enabled: true });
    received.length = 0;
    const test = await api.body(200, "POST", `${PATH}/${data.id}/test`);
    assert.deepEqual([test.data.status, test.data.attempt_log[0].response], ["delivered", "seen"]);
    assert.equal(typeof JSON.parse(received[0]?.body ?? "{}").text, "string");
    const delivery = `${PATH}/${data.id}/deliveries/${test.data.id}`;
    await api.body(200, "POST", `${delivery}/redeliver`);
    await until(() => received.length === 2);
    await api.body(200, "DELETE", `${PATH}?id=${data.id}`);
    await api.expect(404, { error: "Delivery not found" }, "GET", delivery);
  });

  it("reject unknown events, other schemes, and blocked addresses [API-13]", async () => {
    const valid = { name: api.unique("hook"), url, events: ["tools.held"] };
    await api.invalid('events.0: unknown event "nothing"', "POST", PATH, { ...valid, events: ["nothing"] });
    await api.invalid("url: must be a valid http or https URL", "POST", PATH, { ...valid, url: "file:///etc/passwd" });
    await api.invalid("url: address 169.254.169.254 is link-local, which is never allowed", "POST", PATH, {
      ...valid,
      url: "http://169.254.169.254/latest/meta-data",
    });
  });
});
