import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { type CallerEra, callText, eraHeaders, listText, requestText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, type SeenRequest, startRawUpstream } from "#test/upstreams/raw";

const ERAS = ["modern", "legacy"] as const;
const KEYED = { auth_settings: { authType: "proxy-api-key", headerName: "X-Api-Key", headerPrefix: "Key " } };
const LINK = "http://127.0.0.1:8080/connect/keyed";

onSqlite("user credentials at the gateway", (open) => {
  let service: Service;
  let keyed: RawUpstream;
  let other: RawUpstream;
  let one: MachineUser;
  let two: MachineUser;
  let refusedKeys: string[] = [];

  before(async () => {
    service = await startService(await open());
    keyed = await startRawUpstream({
      sessions: true,
      prompts: [{ name: "greet" }].map((prompt) => JSON.stringify(prompt)),
      behave: ({ headers }) => {
        const key = String(headers["x-api-key"]);
        return !key.startsWith("Key ") || refusedKeys.includes(key) ? { status: 401 } : "json";
      },
    });
    other = await startRawUpstream();
    await createServer(service, "Keyed", keyed.url, KEYED);
    await createSyncedServer(service, "Other", other.url);
    [one, two] = [await createMachineUser(service, "One"), await createMachineUser(service, "Two")];
    await createGroup(service, "bots", { slugs: ["keyed", "other"], emails: [one.email, two.email] });
  });
  after(async () => {
    await service?.close();
    await keyed?.close();
    await other?.close();
  });
  beforeEach(async () => {
    refusedKeys = [];
    for (const user of [one, two]) await service.api("DELETE", userPath("connection", user));
    keyed.seen.length = 0;
    other.seen.length = 0;
  });

  const userPath = (path: string, { email }: MachineUser, mcp = "keyed") =>
    `/api/user/${path}?email=${email}&mcp=${mcp}`;
  const connect = async (user: MachineUser, key: string, mcp = "keyed") => {
    const answer = await service.api("PUT", userPath("api-key", user, mcp), { key });
    assert.equal(answer.status, 200, answer.text);
  };
  const call = (user: MachineUser, era: CallerEra = "legacy", tool = "keyed__echo") => {
    const headers = eraHeaders(era, "tools/call", tool);
    return service.mcp(user.credential, callText({ era, id: "7", tool, arguments: '{"n":1}' }), headers);
  };
  const assertWorks = async (user: MachineUser, era?: CallerEra) => {
    const answer = await call(user, era);
    assert.deepEqual(answer.body?.result?.structuredContent, { n: 1 }, answer.text);
  };
  const tools = async (user: MachineUser): Promise<string[]> => {
    const { body } = await service.mcp(user.credential, listText("legacy"));
    return body.result.tools.map((tool: { name: string }) => tool.name);
  };
  const calls = () => keyed.seen.filter((seen) => seen.method === "tools/call");
  const keysOf = (seen: readonly SeenRequest[]) => seen.map(({ headers }) => headers["x-api-key"]);
  const lastLogged = async () => (await service.api("GET", "/api/logs?limit=1")).body.data[0];

  for (const era of ERAS) {
    it(`tells a ${era} caller who is not connected where to connect (D25)`, async () => {
      await connect(two, "k-2");
      await tools(two);
      keyed.seen.length = 0;
      const { status, body } = await call(one, era);
      assert.equal(status, 200);
      assert.deepEqual([body.id, body.result.isError, body.result.content.length], [7, true, 1]);
      const who = `An owner of ${one.email} can do so here: ${LINK}`;
      assert.equal(body.result.content[0].text, `Server "keyed" needs you to connect to it first. ${who}`);
      assert.equal(body.result.resultType, era === "modern" ? "complete" : undefined);
      assert.equal(calls().length, 0);
      const { outcome, server_slug, user_email } = await lastLogged();
      assert.deepEqual([outcome, server_slug, user_email], ["not_connected", "keyed", one.email]);
      assert.ok((await tools(one)).includes("keyed__echo"));
    });

    it(`forwards each ${era} call with its caller's key only`, async () => {
      await connect(one, "k-1");
      await connect(two, "k-2");
      keyed.seen.length = 0;
      await Promise.all(Array.from({ length: 20 }, (_, n) => assertWorks(n % 2 === 0 ? one : two, era)));
      assert.deepEqual(keysOf(calls()).sort(), [...Array(10).fill("Key k-1"), ...Array(10).fill("Key k-2")]);
    });
  }

  it("syncs a server that needs credentials with the first connected caller's key", async () => {
    const slug = await createServer(service, "Fresh", keyed.url, KEYED);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    const unconnected = await call(two, "legacy", "fresh__echo");
    assert.match(unconnected.body.result.content[0].text, /\/connect\/fresh$/);
    assert.equal((await lastLogged()).outcome, "not_connected");
    assert.equal((await tools(two)).includes("fresh__echo"), false);
    assert.deepEqual([calls(), keysOf(keyed.seen).includes(undefined)], [[], false]);
    await connect(one, "k-1", "fresh");
    const answer = await call(one, "legacy", "fresh__echo");
    assert.deepEqual(answer.body.result.structuredContent, { n: 1 }, answer.text);
    assert.ok((await tools(two)).includes("fresh__echo"));
    await service.api("DELETE", `/api/mcp-servers?slug=${slug}`);
  });

  it("syncs a server again with the caller's key when it reports changed tools during a call", async () => {
    await connect(one, "k-1");
    await assertWorks(one);
    const { behave, tools: before } = keyed;
    keyed.behave = (seen) => {
      if (seen.method !== "tools/call") return behave(seen);
      keyed.tools = [...before, { name: "added", inputSchema: { type: "object" } }];
      const answer = `{"jsonrpc":"2.0","id":${seen.id},"result":{"content":[]}}`;
      const body = `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\ndata: ${answer}\n\n`;
      return { status: 200, body, headers: { "content-type": "text/event-stream" } };
    };
    try {
      await call(one);
      while (!(await tools(one)).includes("keyed__added"));
      assert.deepEqual(new Set(keysOf(keyed.seen)), new Set(["Key k-1"]));
    } finally {
      Object.assign(keyed, { behave, tools: before });
    }
  });

  it("returns the link in an error for other methods", async () => {
    await connect(two, "k-2");
    await tools(two);
    const { body } = await service.mcp(one.credential, requestText("legacy", "prompts/get", ['"name":"keyed__greet"']));
    assert.equal(body.error.data.connectUrl, LINK, JSON.stringify(body));
  });

  it("stops using a key that was removed or replaced", async () => {
    await connect(one, "k-1");
    await assertWorks(one);
    await connect(one, "k-1b");
    keyed.seen.length = 0;
    await assertWorks(one);
    assert.deepEqual(keysOf(calls()), ["Key k-1b"]);
    await service.api("DELETE", userPath("connection", one));
    keyed.seen.length = 0;
    assert.equal((await call(one)).body.result.isError, true);
    assert.equal(calls().length, 0);
  });

  it("asks for a new key when the server starts rejecting it, and the API reports that", async () => {
    await connect(one, "k-1");
    await assertWorks(one);
    refusedKeys = ["Key k-1"];
    const { body } = await call(one);
    assert.match(body.result.content[0].text, /^Server "keyed" no longer accepts your access; connect to it again\./);
    assert.equal((await lastLogged()).outcome, "not_connected");
    const { data } = (await service.api("GET", userPath("connection", one))).body;
    assert.deepEqual(data, { connected: false, status: "reconnect_needed" });
    await connect(one, "k-1b");
    await assertWorks(one);
  });

  it("sends no credential of the old URL to a moved server (AZ-8)", async () => {
    const slug = await createServer(service, "Moving", keyed.url, KEYED);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: [slug] });
    await connect(one, "moving-canary", slug);
    await call(one, "legacy", "moving__echo");
    const mcp_proxy = JSON.stringify({ type: "http", url: other.url });
    assert.equal((await service.api("PATCH", `/api/mcp-servers?slug=${slug}`, { mcp_proxy })).status, 200);
    assert.match((await call(one, "legacy", "moving__echo")).body.result.content[0].text, /connect/);
    assert.equal(JSON.stringify(other.seen.map(({ headers }) => headers)).includes("canary"), false);
    await service.api("DELETE", `/api/mcp-servers?slug=${slug}`);
  });

  it("never forwards the caller's gateway credential, and sends a key only to its server", async () => {
    await connect(one, "canary-key");
    for (const era of ERAS) {
      await assertWorks(one, era);
      await call(one, era, "other__echo");
    }
    const sent = (upstream: RawUpstream) =>
      upstream.seen.map(({ headers, body }) => JSON.stringify(headers) + body.toString("latin1")).join("\n");
    const [access, secret] = one.credential.split(":");
    for (const upstream of [keyed, other]) {
      for (const part of [access, secret]) assert.equal(sent(upstream).includes(String(part)), false);
    }
    assert.ok(sent(keyed).includes("canary-key"));
    assert.equal(sent(other).includes("canary-key"), false);
  });
});
