import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { type OwnService, startService } from "#test/start-service";

const AGENT = { instructions: "Help.", model: "scripted", status: "active" };
const PROVIDER = { type: "scripted", script: [{ text: "Done" }] };

forEachDatabase("triggers of agents", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  before(async () => {
    database = await open();
    service = await startService(database, {});
  });
  after(() => service?.close());

  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.api(method, path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  const create = (name: string, more: object = {}) =>
    call("POST", "/api/background-agents", { ...AGENT, name, provider: PROVIDER, ...more });
  const update = (slug: string, body: object) => call("PATCH", `/api/background-agents?slug=${slug}`, body);
  const until = async (slug: string, id: string, status: string) => {
    for (let tries = 0; tries < 300; tries++) {
      const { data } = await call("GET", `/api/background-agents/${slug}/sessions/${id}`);
      if (data.status === status) return data;
      await sleep(50);
    }
    assert.fail(`${status} was not reached`);
  };

  interface Signing {
    readonly secret: string;
    readonly id?: string | undefined;
    readonly at?: number;
    readonly body?: string;
    readonly signedBody?: string;
  }
  const sendHook = (
    slug: string,
    { secret, id = "d1", at = Date.now(), body = "Look", signedBody = body }: Signing,
  ) => {
    const timestamp = String(Math.floor(at / 1000));
    const signature = createHmac("sha256", secret).update(`${timestamp}.${signedBody}`).digest("hex");
    const headers = { "x-timestamp": timestamp, "x-signature-256": `sha256=${signature}`, "x-delivery-id": id };
    return service.http(`/hooks/agents/${slug}`, { method: "POST", body, headers });
  };

  it("show the next run of a schedule, which follows its time zone and the status of the agent", async () => {
    const schedule = { cron: "0 9 * * *", timezone: "Europe/Berlin", input: "Good morning" };
    const { data } = await create("Morning", { triggers: { schedule } });
    const hours = (iso: string, timeZone: string) =>
      new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hour12: false }).format(new Date(iso));
    const first = data.triggers.schedule.next_run_at;
    assert.equal(hours(first, "Europe/Berlin"), "09");
    const moved = await update("morning", { triggers: { schedule: { ...schedule, timezone: "Asia/Tokyo" } } });
    const { next_run_at: next, timezone } = moved.data.triggers.schedule;
    assert.deepEqual([hours(next, "Asia/Tokyo"), timezone, next === first], ["09", "Asia/Tokyo", false]);
    const renamed = await update("morning", { name: "Early" });
    assert.equal(renamed.data.triggers.schedule.next_run_at, next, "unrelated changes keep it");
    const paused = await update("morning", { status: "paused" });
    assert.equal(paused.data.triggers.schedule.next_run_at, null);
    assert.equal((await update("morning", { status: "active" })).data.triggers.schedule.next_run_at, next);
    const off = await update("morning", { triggers: { schedule: { ...schedule, enabled: false } } });
    assert.equal(off.data.triggers.schedule.next_run_at, null);
    assert.equal((await update("morning", { triggers: { schedule: null } })).data.triggers.schedule, null);
  });

  it("start a session when a schedule is due", async () => {
    // Not due a second time during the test.
    const schedule = { cron: "0 9 1 1 *", input: "Every year" };
    await create("Yearly", { triggers: { schedule } });
    const due = { next_run_at: Date.now() - 1_000 };
    await database.databases.main.updateTable("agents").set(due).where("slug", "=", "yearly").execute();
    for (let tries = 0; tries < 400; tries++) {
      const { data } = await call("GET", "/api/background-agents/yearly/sessions?trigger=schedule");
      if (data.length > 0) {
        assert.deepEqual([data.length, data[0].input, data[0].requested_by], [1, "Every year", "Schedule"]);
        await update("yearly", { status: "paused" });
        return;
      }
      await sleep(50);
    }
    assert.fail("no session was started");
  });

  it("reject invalid schedules with the field", async () => {
    const message = async (schedule: object) => {
      const body = { ...AGENT, name: "Invalid", provider: PROVIDER, triggers: { schedule } };
      return (await service.api("POST", "/api/background-agents", body)).body.message;
    };
    const [cron, input] = ["0 9 * * *", "x"];
    assert.equal(await message({ cron: "soon", input }), "triggers.schedule.cron: must be a valid cron expression");
    assert.equal(
      await message({ cron: "* * * * * *", input }),
      "triggers.schedule.cron: must be a valid cron expression",
    );
    assert.match(
      await message({ cron: "0 0 31 2 *", input }),
      /^triggers.schedule.cron: must be a valid cron expression/,
    );
    assert.match(await message({ cron, input, timezone: "Mars" }), /^triggers.schedule.timezone: must be a time zone/);
    assert.equal(await message({ cron, input: " " }), "triggers.schedule.input: input is required");
  });

  it("start a session for a signed request, once per delivery and signature", async () => {
    const created = await create("Hooked", { triggers: { webhook: { enabled: true } } });
    const secret = created.secrets.webhook;
    assert.match(secret, /^gh_ah_/);
    assert.ok(!JSON.stringify(created.data).includes(secret));
    assert.match(created.data.triggers.webhook.url, /\/hooks\/agents\/hooked$/);
    const body = '{"issue":4711}';
    const at = Date.now();
    const first = await sendHook("hooked", { secret, body, at });
    assert.equal(first.status, 202, first.text);
    const { id, trigger, metadata, input } = first.body.data;
    assert.deepEqual([trigger, metadata, input], ["webhook", { delivery_id: "d1" }, body]);
    const replays = [sendHook("hooked", { secret, body, at }), sendHook("hooked", { secret, body, at, id: "d2" })];
    const later = sendHook("hooked", { secret, body: "other", at });
    for (const answer of await Promise.all([...replays, later])) assert.equal(answer.body.data.id, id);
    const next = await sendHook("hooked", { secret, body, at: at + 1_000, id: "d3" });
    assert.notEqual(next.body.data.id, id);
    assert.equal((await until("hooked", id, "completed")).output, "Done");
  });

  it("refuse unsigned, old, changed and unknown requests in the same way", async () => {
    const { secrets } = await create("Strict", { triggers: { webhook: { enabled: true } } });
    const { webhook: secret } = secrets;
    const refused = async (signing: Partial<Signing>, slug = "strict") => {
      const answer = await sendHook(slug, { secret, ...signing });
      assert.deepEqual([answer.status, answer.body], [401, { error: "invalid_signature" }], JSON.stringify(signing));
    };
    await refused({ secret: "wrong" });
    await refused({ at: Date.now() - 301_000 });
    await refused({ at: Date.now() + 302_000 });
    await refused({ body: "changed", signedBody: "signed" });
    await refused({}, "unknown");
    const bare = await service.http("/hooks/agents/strict", { method: "POST", body: "x" });
    assert.equal(bare.status, 401);
    const missing = await sendHook("strict", { secret, id: "" });
    assert.deepEqual([missing.status, missing.body.code], [400, "INVALID_FORMAT"]);
    const empty = await sendHook("strict", { secret, body: " " });
    assert.equal(empty.body.message, "input: input is required");
    const large = await sendHook("strict", { secret, body: "x".repeat(300_000), id: "large" });
    assert.equal(large.status, 413);
    await update("strict", { status: "paused" });
    const paused = await sendHook("strict", { secret, id: "paused" });
    assert.deepEqual([paused.status, paused.body], [409, { code: "CONFLICT", message: "agent is not active" }]);
    await update("strict", { triggers: { webhook: { enabled: false } } });
    await refused({ id: "off" });
  });

  it("accept the old secret until the overlap ends", async () => {
    const { secrets } = await create("Rotated", { triggers: { webhook: { enabled: true } } });
    const { webhook: old } = secrets;
    const rotate = (hours: number) =>
      call("POST", "/api/background-agents/rotated/rotate-secret", { kind: "webhook", overlap_hours: hours });
    const { secret: current, data } = await rotate(1);
    assert.ok(data.triggers.webhook.previous_secret_expires_at);
    assert.deepEqual([(await sendHook("rotated", { secret: old, id: "a" })).status, old === current], [202, false]);
    assert.equal((await sendHook("rotated", { secret: current, id: "b" })).status, 202);
    const { secret: newest } = await rotate(0);
    assert.equal((await sendHook("rotated", { secret: current, id: "c" })).status, 401);
    assert.equal((await sendHook("rotated", { secret: newest, id: "d" })).status, 202);
    const none = await service.api("POST", "/api/background-agents/rotated/rotate-secret", { kind: "notify" });
    assert.deepEqual([none.status, none.body.message], [409, "the agent has no notify_url"]);
  });

  it("send the end of each session to notify_url, signed, and hide that webhook", async () => {
    const receiver = await startReceiver();
    const { secrets } = await create("Notifier", { notify_url: receiver.url });
    const { notify: secret } = secrets;
    assert.match(secret, /^whsec_/);
    const { data: session } = await call("POST", "/api/background-agents/notifier/invoke", { input: "Go" });
    const { headers, body } = await receiver.next();
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const expected = `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
    assert.equal(headers["webhook-signature"], expected);
    const event = JSON.parse(body);
    assert.equal(event.type, "agent.finished");
    assert.deepEqual(event.data.session, {
      ...{ id: session.id, trigger: "api", status: "completed", output: "Done", error: null },
    });
    assert.match(event.data.url, new RegExp(`/agents/notifier/sessions/${session.id}$`));
    assert.deepEqual((await call("GET", "/api/webhooks")).data, []);
    await update("notifier", { notify_url: null });
    const waiting = await create("Waiting", { notify_url: receiver.url, provider: { type: "scripted", script: [] } });
    assert.deepEqual(Object.keys(waiting.secrets), ["notify"]);
    await database.databases.main
      .updateTable("agents")
      .set({ status: "paused" })
      .where("slug", "=", "waiting")
      .execute();
    await receiver.close();
  });

  it("follow a session as events until it ends", async () => {
    await create("Followed", { provider: { type: "scripted", script: [{ tool: "nothing" }, { text: "Over" }] } });
    const { data } = await call("POST", "/api/background-agents/followed/invoke", { input: "Go" });
    const path = `/api/background-agents/followed/sessions/${data.id}/events`;
    const { status, headers, text } = await service.api("GET", path);
    assert.deepEqual([status, headers["content-type"]], [200, "text/event-stream; charset=utf-8"]);
    const events = eventsOf(text);
    const steps = events.filter(({ name }) => name === "step").map((each) => each.data);
    assert.deepEqual(
      steps.map(({ index, type }) => [index, type]),
      [
        [0, "model"],
        [1, "tool_call"],
        [2, "tool_result"],
        [3, "model"],
      ],
    );
    const last = events.at(-1);
    assert.deepEqual([last?.name, last?.data.status, last?.data.output], ["status", "completed", "Over"]);
    const rest = eventsOf((await service.api("GET", path, undefined, { "last-event-id": "2" })).text);
    assert.deepEqual(
      rest.map(({ name, data: each }) => [name, each.index ?? each.status]),
      [
        ["step", 3],
        ["status", "completed"],
      ],
    );
    assert.equal((await service.api("GET", path.replace(data.id, "ses_none"))).status, 404);
  });
});

function eventsOf(text: string): { name: string; data: Record<string, unknown> }[] {
  return text
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => ({
      name: /^event: (.*)$/m.exec(block)?.[1] ?? "",
      data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? ""),
    }));
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async next(): Promise<Received> {
      for (let tries = 0; tries < 400; tries++) {
        const first = received.shift();
        if (first) return first;
        await sleep(50);
      }
      assert.fail("nothing was received");
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
