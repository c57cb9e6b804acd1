import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forEachApi } from "#test/api";
import { storeCalls } from "#test/many-calls";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";

const PATH = "/api/log-destinations";
const KEY = "canary-of-the-secret-access-key";

forEachApi("log destinations", (api) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await startWebhookReceiver();
  });
  after(() => receiver.close());
  beforeEach(async () => {
    await api.db.deleteFrom("log_destinations").execute();
    receiver.requests.length = 0;
    receiver.answer = (response) => void response.end("ok");
  });
  const create = async (body: object = {}) => {
    const defaults = { name: "Collector", kind: "webhook", url: receiver.url, sources: ["calls"] };
    const answer = await api.call("POST", PATH, { ...defaults, ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    for (let tries = 0; tries < 150; tries++) {
      if (await isTrue()) return;
      await sleep(100);
    }
    assert.fail(JSON.stringify(receiver.requests.map(({ body }) => body.slice(0, 200))));
  };
  const bucket = () => ({
    ...{ kind: "s3", url: receiver.url, region: "eu-west-1", bucket: "logs" },
    ...{ access_key_id: "AKID", secret_access_key: KEY },
  });

  it("are created with defaults and never return secrets", async () => {
    const { data, secret } = await create(bucket());
    assert.equal(secret, undefined);
    assert.deepEqual([data.addressing, data.enabled, data.status, data.outcomes], ["path", true, "current", null]);
    assert.deepEqual(
      data.cursors.map(({ source }: { source: string }) => source),
      ["calls"],
    );
    for (const path of [PATH, `${PATH}/${data.id}`]) {
      const { status, text } = await api.call("GET", path);
      assert.equal(status, 200);
      assert.equal(text.includes(KEY), false);
      assert.equal(text.includes("sealed"), false);
    }
    const stored = await api.db.selectFrom("log_destinations").selectAll().execute();
    assert.equal(JSON.stringify(stored).includes(KEY), false);
  });

  it("generate a signing secret for a webhook and return it once", async () => {
    const { secret } = await create();
    assert.match(secret, /^whsec_/);
  });

  it("reject invalid fields and name them", async () => {
    const invalid = (message: string, body: object) =>
      api.invalid(message, "POST", PATH, { name: "X", kind: "otlp", url: receiver.url, sources: ["calls"], ...body });
    await invalid("kind: must be one of otlp, s3, webhook, file", { kind: "ftp" });
    await invalid("sources: must contain at least one source", { sources: [] });
    await invalid("bucket: is not a field of the kind otlp", { bucket: "logs" });
    await invalid("url: url is required", { url: undefined });
    await invalid("headers.x-a: must be a string", { headers: { "x-a": 1 } });
    await invalid("region: region is required", { ...bucket(), region: undefined });
    await invalid("url: must be a valid http or https URL", { url: "ftp://example.com" });
    await invalid("prefix: must be the start of an object key", { ...bucket(), prefix: "../x/" });
    await invalid("addressing: virtual_host requires a host name, not an IP address", {
      ...{ ...bucket(), addressing: "virtual_host" },
    });
    await invalid("kind: file requires the environment variable LOG_FILES_DIR", {
      ...{ kind: "file", url: undefined, prefix: "gate" },
    });
  });

  it("require the headers again if the URL has another origin", async () => {
    const { data } = await create({ kind: "otlp", headers: { "x-key": "k-1" } });
    const path = `${PATH}?id=${data.id}`;
    const message = "headers: must be given again, because the URL has another origin";
    await api.invalid(message, "PATCH", path, { url: "https://logs.example.com/" });
    assert.equal((await api.call("PATCH", path, { url: `${receiver.url}/v1/logs` })).status, 200);
    const changed = { url: "https://logs.example.com/", headers: {}, enabled: false };
    assert.deepEqual((await api.call("PATCH", path, changed)).body.data.header_names, []);
  });

  it("have unique names regardless of case", async () => {
    await create();
    const body = { name: "COLLECTOR", kind: "webhook", url: receiver.url, sources: ["calls"] };
    await api.invalid("name: log destination with this name already exists", "POST", PATH, body);
  });

  it("ship calls and audit entries, and send them again after a rewind", async () => {
    const { data } = await create({ sources: ["calls", "audit"] });
    await storeCalls(api.database.databases.calls, [{ requestId: "req_shipped" }]);
    await api.call("PATCH", `${PATH}?id=${data.id}`, { name: "Renamed" });
    const count = (text: string) => receiver.requests.filter(({ body }) => body.includes(text)).length;
    await until(() => count("req_shipped") > 0 && count("updateLogDestination") > 0);
    const before = count("req_shipped");
    const rewound = await api.call("POST", `${PATH}/${data.id}/rewind`, { to: "2020-01-01T00:00:00Z" });
    assert.equal(rewound.status, 200, rewound.text);
    await until(() => count("req_shipped") > before);
  });

  it("explain the result of a test record", async () => {
    const { data } = await create({ enabled: false });
    const test = async () => (await api.call("POST", `${PATH}/${data.id}/test`)).body.data;
    assert.equal((await test()).delivered, true);
    assert.ok(receiver.requests.some(({ body }) => JSON.parse(body.split("\n")[0] ?? "").type === "test"));
    receiver.answer = (response) => void response.writeHead(404).end("no");
    assert.match((await test()).error, /does not accept logs at this URL \(404\)/);
  });

  it("keep their positions while they are paused", async () => {
    const { data } = await create({ enabled: false });
    await storeCalls(api.database.databases.calls, [{}, {}]);
    const paused = (await api.call("GET", `${PATH}/${data.id}`)).body.data;
    assert.deepEqual([paused.status, paused.cursors[0].lag_records], ["paused", 2]);
    await api.call("PATCH", `${PATH}?id=${data.id}`, { enabled: true });
    await until(async () => (await api.call("GET", `${PATH}/${data.id}`)).body.data.cursors[0].shipped_records === 2);
  });
});
