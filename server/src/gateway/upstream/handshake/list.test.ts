import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createEgress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { noLocalServers, until } from "#test/upstreams/caller";
import { startEchoUpstream } from "#test/upstreams/echo";
import { startEventStreamUpstream } from "#test/upstreams/event-stream";
import { type RawTool, type RawUpstreamOptions, startRawUpstream } from "#test/upstreams/raw";
import { UpstreamFault } from "../failure.ts";
import { type ListOptions, listUpstream } from "./list.ts";

async function setUp(t: TestContext, options: RawUpstreamOptions = {}) {
  const upstream = await startRawUpstream(options);
  const list = listerOf(t, upstream.url);
  t.after(() => upstream.close());
  return { upstream, list };
}

function listerOf(t: TestContext, url: string, transport: "http" | "sse" | "both" = "http") {
  const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
  t.after(() => egress.close());
  const logger = createLogger("silent");
  const parts = { egress, clock: systemClock, logger, localServers: noLocalServers(systemClock) };
  return (options?: ListOptions, eras: readonly ("modern" | "legacy")[] = []) =>
    listUpstream(parts, { url, transport, eras }, options);
}

const manyTools = (count: number): RawTool[] =>
  Array.from({ length: count }, (_, n) => ({ name: `tool_${n}`, inputSchema: { type: "object" } }));

test("returns each tool as the exact text of the upstream", async (t) => {
  const text = '{ "name":"a" , "x": 9007199254740993, "name2":"ü\\u00e9", "__proto__":{} }';
  const { list } = await setUp(t, { tools: [text, { name: "b" }] });
  assert.deepEqual(await list(), {
    tools: [text, '{"name":"b"}'],
    prompts: [],
    resources: [],
    resourceTemplates: [],
    gatedTools: [],
    instructions: undefined,
    eras: ["modern", "legacy"],
  });
});

for (const eras of ["modern", "legacy", "both"] as const) {
  test(`reports the eras of an upstream: ${eras}`, async (t) => {
    const expected = eras === "both" ? ["modern", "legacy"] : [eras];
    const { upstream, list } = await setUp(t, { eras, sessions: true });
    assert.deepEqual((await list()).eras, expected);
    const echo = await startEchoUpstream({ eras, sessionful: true });
    t.after(() => echo.close());
    const listed = await listerOf(t, echo.url)();
    assert.deepEqual(listed.eras, expected);
    assert.ok(listed.tools.some((tool) => JSON.parse(tool).name === "echo"));
    assert.equal(
      upstream.seen.some((seen) => seen.httpMethod === "DELETE"),
      eras !== "modern",
    );
  });
}

test("sends no initialize to a server that is known to be modern only", async (t) => {
  const { upstream, list } = await setUp(t, { eras: "modern" });
  assert.deepEqual((await list({}, ["modern"])).eras, ["modern"]);
  assert.equal(upstream.count("initialize"), 0);
  upstream.eras = "legacy";
  assert.deepEqual((await list({}, ["modern"])).eras, ["legacy"], "it has changed since");
  await list({}, ["modern", "legacy"]);
  // Each list opens a session without capabilities, and one with all of them.
  assert.equal(upstream.count("initialize"), 4);
});

test("keeps the legacy era of a server whose handshake fails once", async (t) => {
  const { list } = await setUp(t, { behave: ({ method }) => (method === "initialize" ? { status: 503 } : "json") });
  assert.deepEqual((await list({}, ["modern", "legacy"])).eras, ["modern", "legacy"]);
  assert.deepEqual((await list()).eras, ["modern"]);
});

test("reads all pages", async (t) => {
  const { upstream, list } = await setUp(t, { tools: manyTools(25), pageSize: 10 });
  assert.equal((await list()).tools.length, 25);
  // Once without capabilities, and once with all of them.
  assert.equal(upstream.count("tools/list"), 6);
});

test("sends the credential with every request", async (t) => {
  const { upstream, list } = await setUp(t, { eras: "legacy", sessions: true });
  await list({ headers: ["x-key", "k1"] });
  assert.ok(upstream.seen.length >= 4);
  assert.ok(upstream.seen.every((seen) => seen.headers["x-key"] === "k1"));
});

const refusals: [string, RawUpstreamOptions, string, RegExp][] = [
  ["more than 1,000 tools", { tools: manyTools(1001) }, "too-large", /more than 1000 tools/],
  ["more than 4 MiB", { tools: [{ name: "a", description: "x".repeat(5 << 20) }] }, "too-large", /too large/],
  ["more than 100 pages", { tools: manyTools(150), pageSize: 1 }, "too-large", /100 pages/],
  ["the same cursor again and again", { repeatCursor: true }, "bad-answer", /repeats a page/],
  ["a 401", { behave: () => ({ status: 401 }) }, "unauthorized", /HTTP 401/],
  ["a 500", { behave: () => ({ status: 500 }) }, "status", /HTTP 500/],
  ["a web page", { behave: () => "html" }, "bad-answer", /does not support MCP/],
  [
    "no list",
    { behave: (seen) => (seen.method === "tools/list" ? "not-json" : "json") },
    "bad-answer",
    /list of tools/,
  ],
];

for (const [name, options, kind, message] of refusals) {
  test(`rejects a list with ${name} (GW-10)`, async (t) => {
    const { list } = await setUp(t, options);
    await assert.rejects(list(), { kind, message });
  });
}

test("fails when the list exceeds the deadline", async (t) => {
  const { list } = await setUp(t, { behave: (seen) => (seen.method === "tools/list" ? "hang" : "json") });
  await assert.rejects(list({ deadlineMs: 300 }), { kind: "timeout" });
});

for (const transport of ["sse", "both"] as const) {
  test(`reads the tools of an upstream over HTTP+SSE (${transport}) and closes its stream`, async (t) => {
    const upstream = await startEventStreamUpstream();
    t.after(() => upstream.close());
    const { tools, eras } = await listerOf(t, upstream.url, transport)({ headers: ["x-key", "k1"] });
    assert.deepEqual(
      tools.map((tool) => JSON.parse(tool).name),
      ["echo", "progress", "fail"],
    );
    assert.deepEqual(eras, ["legacy"]);
    assert.ok(upstream.seen.every((seen) => seen.headers["x-key"] === "k1"));
    await until(() => upstream.streams.size === 0);
  });
}

test("requests prompts only from an upstream that declares them", async (t) => {
  for (const eras of ["modern", "legacy"] as const) {
    const without = await setUp(t, { eras });
    assert.deepEqual((await without.list()).prompts, []);
    assert.equal(without.upstream.count("prompts/list"), 0);
    const { upstream, list } = await setUp(t, { eras, prompts: manyTools(25), pageSize: 10 });
    assert.equal(
      (await list()).prompts.toString(),
      manyTools(25)
        .map((prompt) => JSON.stringify(prompt))
        .toString(),
    );
    assert.equal(upstream.count("prompts/list"), 3);
  }
});

test("reports a redirect instead of a missing MCP server", async (t) => {
  for (const transport of ["http", "both", "sse"] as const) {
    const redirect = { status: 307, headers: { location: "/mcp/" } };
    const { upstream } = await setUp(t, { behave: () => redirect });
    await assert.rejects(listerOf(t, upstream.url, transport)(), /redirects .* \(HTTP 307\)$/);
    assert.equal(upstream.seen.length, 1);
  }
});

test("keeps the tools when the prompts cannot be read", async (t) => {
  for (const behaviour of ["not-json", { status: 500 }] as const) {
    const { list } = await setUp(t, {
      prompts: [{ name: "a" }],
      behave: (seen) => (seen.method === "prompts/list" ? behaviour : "json"),
    });
    const listed = await list();
    assert.equal(listed.tools.length, 2);
    assert.ok(listed.prompts instanceof UpstreamFault);
  }
});

test("lists a legacy server that fails at server/discover", async (t) => {
  const { list } = await setUp(t, {
    eras: "legacy",
    behave: ({ method }) => (method === "server/discover" ? { status: 500, body: "oops" } : "json"),
  });
  const { eras, tools } = await list();
  assert.deepEqual([eras, tools.length], [["legacy"], 2]);
});

test("returns no tools for an upstream that offers only prompts", async (t) => {
  const discovered = '"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}}';
  const { list } = await setUp(t, {
    prompts: [{ name: "a" }],
    eras: "modern",
    behave: ({ method, id }) => {
      if (method === "server/discover")
        return { status: 200, body: `{"jsonrpc":"2.0","id":${id},"result":{${discovered}}}` };
      if (method !== "tools/list") return "json";
      return { status: 404, body: `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found"}}` };
    },
  });
  assert.deepEqual(await list(), {
    tools: [],
    prompts: ['{"name":"a"}'],
    resources: [],
    resourceTemplates: [],
    gatedTools: [],
    instructions: undefined,
    eras: ["modern"],
  });
});

test("reads resources and templates that are declared, and none for a server without templates", async (t) => {
  const list = [{ uri: "a://b", name: "b" }];
  const templates = [{ uriTemplate: "a://{b}", name: "t" }];
  const full = await (await setUp(t, { resources: { list, templates } })).list();
  assert.deepEqual([full.resources, full.resourceTemplates], [list.map(text), templates.map(text)]);
  const { upstream, list: read } = await setUp(t, { resources: { list } });
  const half = await read();
  assert.deepEqual([half.resources, half.resourceTemplates], [list.map(text), []]);
  assert.equal(upstream.count("resources/templates/list"), 1);
});

function text(value: unknown): string {
  return JSON.stringify(value);
}
