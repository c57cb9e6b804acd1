import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqliteApi } from "#test/api";
import { createGroup, createMachineUser, createServer } from "#test/factories";
import { type Loopback, listenOnLoopback } from "#test/upstreams/loopback";

/** Expressions of shells, templates and configuration formats. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: this text must stay unchanged
const EXPRESSIONS = ["${HOME}", "$HOME", "%HOME%", "{{env.HOME}}", "#{HOME}", "$(id)", "`id`", "{HOME}"];

onSqliteApi("text of the API (GW-19)", (api) => {
  const seen: { target: string; headers: string }[] = [];
  let upstream: Loopback;
  let sink: Loopback;
  let sinkRequests = 0;
  before(async () => {
    sink = await listenOnLoopback((_request, response) => {
      sinkRequests++;
      response.end("{}");
    });
    upstream = await listenOnLoopback(async (request, response) => {
      seen.push({ target: request.url ?? "", headers: JSON.stringify(request.rawHeaders) });
      let text = "";
      for await (const chunk of request) text += chunk;
      const { id, method } = JSON.parse(text || "{}");
      const inputSchema = { type: "object", properties: { a: { $ref: `${sink.origin}/schema.json` } } };
      const outputSchema = { $ref: `${sink.origin}/output.json`, type: "object" };
      const tools = [{ name: "t", inputSchema, outputSchema }];
      const result =
        method === "tools/list"
          ? { tools }
          : { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "u", version: "1" } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  after(async () => {
    await upstream.close();
    await sink.close();
  });

  for (const expression of EXPRESSIONS) {
    it(`is used unchanged in URLs and headers: ${expression}`, async () => {
      const url = `${upstream.origin}/mcp/${encodeURIComponent(expression)}?raw=${expression}`;
      seen.length = 0;
      const slug = await createServer(api.service, "Literal", undefined, {
        upstream: { type: "http", url, headers: { "X-Key": `key-${expression}` } },
      });
      await api.call("POST", `/api/mcp-servers/${slug}/sync`);
      const { connection, sync_error } = (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;
      assert.equal(sync_error, null);
      assert.equal(new URL(connection.url).href, new URL(url).href);
      const sent = new URL(url);
      for (const { target, headers } of seen) {
        assert.equal(target, sent.pathname + sent.search);
        assert.ok(headers.includes(JSON.stringify(`key-${expression}`)), headers);
      }
      assert.ok(seen.length > 0);
      assert.ok(!JSON.stringify(seen).includes(process.env.HOME ?? "no home"), "no variable was expanded");
    });
  }

  it("and references in tool definitions are never fetched", async () => {
    const slug = await createServer(api.service, "References", `${upstream.origin}/mcp`);
    await api.call("POST", `/api/mcp-servers/${slug}/sync`);
    const bot = await createMachineUser(api.service, "Bot");
    await createGroup(api.service, "bots", { slugs: [slug], emails: [bot.email] });
    const call = { name: `${slug}__t`, arguments: { a: 1 } };
    for (const [method, params] of [
      ["tools/list", {}],
      ["tools/call", call],
    ] as const) {
      const answer = await api.service.mcp(bot.credential, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      assert.equal(answer.status, 200, answer.text);
    }
    await api.call("GET", `/api/mcp-servers/${slug}/tool?tool=t`);
    assert.equal(sinkRequests, 0);
  });
});
