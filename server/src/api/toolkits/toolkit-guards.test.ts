import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const WORDS = { id: "words", type: "keyword", name: "Forbidden words", config: { words: ["plutonium"] } };
const BLOCKED = { code: "GUARD_BLOCKED", message: "content: blocked by guard no-plutonium (Forbidden words)" };

forEachApi("build-time guards on toolkits", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream({ tools: [{ name: "search", inputSchema: { type: "object" } }] });
    await createSyncedServer(api.service, "Desk", upstream.url);
    await createPerson(api.service, "Ada", "ada@example.com");
    await createGroup(api.service, "Readers", { slugs: ["desk"], emails: ["ada@example.com"] });
  });
  after(() => upstream.close());
  beforeEach(async () => {
    for (const { slug } of (await api.call("GET", "/api/toolkits")).body.data) {
      await api.call("DELETE", `/api/toolkits?slug=${slug}&force=true`);
    }
    for (const { slug, is_builtin } of (await api.call("GET", "/api/guards?limit=200")).body.data) {
      if (!is_builtin) await api.call("DELETE", `/api/guards?slug=${slug}`);
    }
  });

  const tools = [{ server: "desk", tool: "search" }];
  const guard = async (fields: object = {}) => {
    const body = {
      name: "No plutonium",
      type: "buildtime",
      action: "block",
      enabled: true,
      checks: [WORDS],
      ...fields,
    };
    const answer = await api.call("POST", "/api/guards", body);
    assert.equal(answer.status, 201, answer.text);
  };
  const create = async (body: object) => {
    const answer = await api.call("POST", "/api/toolkits", { name: "Lab", tools, ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const update = (body: object) => api.call("PATCH", "/api/toolkits?slug=lab", body);
  const stored = async () => (await api.call("GET", "/api/toolkits/lab")).body.data;

  it("refuse to activate blocked content, and nothing is saved", async () => {
    await guard();
    await create({ instructions: "Order plutonium." });
    const refused = await update({ status: "active", description: "Another" });
    assert.deepEqual([refused.status, refused.body], [400, BLOCKED]);
    const { status, description } = await stored();
    assert.deepEqual([status, description], ["draft", ""]);
    const { body } = await api.call("GET", "/api/audit?operation=updateToolkit");
    assert.deepEqual(body.data, []);
    const created = await api.call("POST", "/api/toolkits", {
      ...{ name: "Second", status: "active" },
      tools: [{ ...tools[0], description: "Sells plutonium" }],
    });
    assert.deepEqual([created.status, created.body], [400, BLOCKED]);
    assert.equal((await api.call("GET", "/api/toolkits/second")).status, 404);
  });

  it("refuse blocked changes of active content, also of added tools, and allow the same content as a draft", async () => {
    await guard();
    await create({ status: "active" });
    assert.deepEqual((await update({ instructions: "Order plutonium." })).body, BLOCKED);
    const entry = { ...tools[0], alias: "find", description: "Finds plutonium" };
    assert.deepEqual((await api.call("POST", "/api/toolkits/lab/tools", { tools: [entry] })).body, BLOCKED);
    assert.equal((await stored()).instructions, "");
    assert.equal((await update({ instructions: "Order plutonium.", status: "draft" })).status, 200);
    assert.deepEqual((await update({ status: "active" })).body, BLOCKED);
  });

  it("do not evaluate changes that leave the content as it is", async () => {
    await create({ status: "active", instructions: "Order plutonium." });
    await guard();
    assert.equal((await update({ groups: ["readers"], least_privilege: true })).status, 200);
  });

  it("save content with a warning, and replay it for the same idempotency key", async () => {
    await guard({ action: "warn" });
    const body = { name: "Lab", tools, status: "active", instructions: "Order plutonium." };
    const send = () => api.call("POST", "/api/toolkits", body, { "idempotency-key": "lab-1" });
    const first = await send();
    assert.equal(first.status, 201, first.text);
    assert.deepEqual(first.body.warnings, ["content: warning of guard no-plutonium (Forbidden words)"]);
    assert.deepEqual((await send()).body, first.body);
    assert.equal((await api.call("GET", "/api/toolkits")).body.data.length, 1);
  });

  it("ignore guards for other content, and disabled ones", async () => {
    await guard({ entity_types: ["skill", "tool"] });
    await guard({ name: "Disabled", enabled: false });
    await create({ status: "active", instructions: "Order plutonium." });
  });

  it("apply to toolkits of users", async () => {
    await guard();
    const body = { name: "Mine", tools, status: "active", instructions: "Order plutonium." };
    const refused = await api.call("POST", "/api/user/toolkits?email=ada@example.com", body);
    assert.deepEqual([refused.status, refused.body], [400, BLOCKED]);
    const { status } = await api.call("POST", "/api/user/toolkits?email=ada@example.com", { ...body, status: "draft" });
    assert.equal(status, 201);
    assert.deepEqual(
      (await api.call("PATCH", "/api/user/toolkits?email=ada@example.com&slug=mine", { status: "active" })).body,
      BLOCKED,
    );
  });

  it("count their evaluations", async () => {
    await guard();
    await create({ instructions: "Order plutonium." });
    await update({ status: "active" });
    await update({ status: "active", instructions: "Order tea." });
    const counts = async () => (await api.call("GET", "/api/guards/no-plutonium")).body.data.stats;
    // Counts are stored every 5 seconds, possibly between the two evaluations.
    for (let reads = 0; reads < 150 && (await counts()).evaluated < 2; reads++) await setTimeout(100);
    const { evaluated, fired } = await counts();
    assert.deepEqual([evaluated, fired], [2, 1]);
  });

  it("evaluate outside of the transaction, and again if the content was changed meanwhile", async () => {
    const seen: string[] = [];
    let during: (() => Promise<unknown>) | undefined;
    const webhook = createHttpServer(async (request, response) => {
      const body = await text(request);
      seen.push(body);
      const change = during;
      during = undefined;
      // A transaction that is open here would hold the lock that this write needs.
      await change?.();
      response.end(JSON.stringify({ score: body.includes("plutonium") ? 10 : 0 }));
    });
    await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/scan`;
    try {
      const config = { url, timeout_ms: 5_000, send: "text" };
      await create({ instructions: "Order tea." });
      await guard({ checks: [{ type: "webhook", name: "Remote", config }] });
      during = () => update({ instructions: "Order plutonium." });
      const answer = await update({ status: "active" });
      assert.deepEqual(answer.body, { ...BLOCKED, message: "content: blocked by guard no-plutonium (Remote)" });
      assert.equal(seen.length, 2);
      assert.match(seen[1] ?? "", /plutonium/);
      assert.equal((await stored()).status, "draft");
    } finally {
      webhook.close();
    }
  });
});
