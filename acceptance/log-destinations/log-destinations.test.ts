import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { forEachTarget } from "../kit/suite.ts";

const PATH = "/api/log-destinations";

forEachTarget("log destinations", (api) => {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
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
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logs`; // it listens on TCP
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
    api.body(201, "POST", PATH, { name: api.unique("logs"), kind: "webhook", sources: ["audit"], url, ...changes });

  it("send signed records, repeat them after a failure with the same IDs, and report their position [API-24]", async () => {
    status = 200;
    const { data, secret } = await create();
    status = 500;
    const name = api.unique("group");
    await api.body(201, "POST", "/api/groups", { name });
    const own = () => received.filter(({ body }) => body.includes(name));
    await until(() => own().length >= 1);
    status = 200;
    // A change ends the wait after a failure.
    await api.body(200, "PATCH", `${PATH}?id=${data.id}`, { enabled: true });
    await until(() => own().length >= 2);
    const [first, second] = [own()[0], own().at(-1)];
    assert.ok(first && second);
    assert.doesNotThrow(() =>
      new Webhook(secret).verify(second.body, second.headers as Record<string, string>, { jsonParse: false }),
    );
    const idOf = (body: string) => JSON.parse(body.split("\n").find((line) => line.includes(name)) ?? "").id;
    assert.equal(idOf(first.body), idOf(second.body));
    const positionOf = ({ cursors }: { cursors: { source: string; position: number }[] }) =>
      cursors.find(({ source }) => source === "audit")?.position ?? 0;
    const position = async () => positionOf((await api.body(200, "GET", `${PATH}/${data.id}`)).data);
    // The position is stored after the response.
    while ((await position()) <= positionOf(data)) await sleep(100);
    await api.body(200, "DELETE", `${PATH}?id=${data.id}`);
  });

  it("never return secrets, and explain the result of a test record [API-24]", async () => {
    const headers = { Authorization: "Bearer t-4711" };
    const { data } = await create({ kind: "otlp", headers });
    assert.deepEqual(data.header_names, ["Authorization"]);
    assert.ok(!JSON.stringify(await api.body(200, "GET", PATH)).includes("t-4711"));
    status = 403;
    const { data: failed } = await api.body(200, "POST", `${PATH}/${data.id}/test`);
    assert.equal(failed.delivered, false);
    assert.match(failed.error, /rejected the credentials \(403\)/);
    status = 200;
    const { data: passed } = await api.body(200, "POST", `${PATH}/${data.id}/test`);
    assert.deepEqual([passed.delivered, passed.response_status], [true, 200]);
    await api.body(200, "DELETE", `${PATH}?id=${data.id}`);
  });

  it("reject fields of other kinds, missing fields, and blocked addresses [API-24]", async () => {
    const rejected = async (field: string, changes: object) => {
      const body = { name: api.unique("logs"), kind: "webhook", sources: ["calls"], url, ...changes };
      const { message } = await api.body(400, "POST", PATH, body);
      assert.ok(message.startsWith(`${field}: `), message);
    };
    await rejected("bucket", { bucket: "logs" });
    await rejected("region", { kind: "s3", bucket: "logs" });
    await rejected("url", { url: "http://169.254.169.254/" });
    await rejected("sources", { sources: [] });
    await rejected("kind", { kind: "file", url: undefined, prefix: "../etc" });
  });
});
