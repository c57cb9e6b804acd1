import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callText, eraHeaders } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const TOOL = {
  name: "headers",
  inputSchema: {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      count: { type: "integer", "x-mcp-header": "Count" },
      where: { type: "object", properties: { dry: { type: "boolean", "x-mcp-header": "Dry" } } },
    },
  },
};

/** Behavior does not depend on the database, so one is enough. */
describe("Mcp-Param headers declared by a tool's schema", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    upstream = await startRawUpstream({ tools: [TOOL, { name: "echo", inputSchema: { type: "object" } }] });
    await createSyncedServer(service, "Echo", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  const call = (args: string, headers: Record<string, string>, tool = "echo__headers") => {
    const text = callText({ era: "modern", id: '"one"', tool, arguments: args });
    return service.mcp(bot.credential, text, { ...eraHeaders("modern", "tools/call", tool), ...headers });
  };
  /** The `Mcp-Param` headers that the upstream received. */
  const seenHeaders = (answer: Awaited<ReturnType<typeof call>>) => {
    const seen: object = answer.body.result.structuredContent;
    return Object.fromEntries(Object.entries(seen).filter(([name]) => name.startsWith("mcp-param-")));
  };

  for (const [what, args, headers] of [
    ["a string", '{"region":"us east"}', { "mcp-param-region": "us east" }],
    ["a string in Base64", '{"region":"Grüße"}', { "mcp-param-region": "=?base64?R3LDvMOfZQ==?=" }],
    [
      "a string that only looks like Base64",
      '{"region":"=?base64?SGVsbG8="}',
      { "mcp-param-region": "=?base64?SGVsbG8=" },
    ],
    ["a number", '{"count":42}', { "mcp-param-count": "42" }],
    ["a number in another notation", '{"count":42}', { "mcp-param-count": "42.0" }],
    ["a number too large for a double", '{"count":9007199254740993}', { "mcp-param-count": "9007199254740993" }],
    ["a number too large for a double, without a header", '{"count":9007199254740993}', {}],
    ["a nested property", '{"where":{"dry":true}}', { "mcp-param-dry": "true" }],
    ["null without a header", '{"region":null}', {}],
    ["null with a header", '{"region":null}', { "mcp-param-region": "x" }],
    ["no arguments", "{}", {}],
    ["a value of another type", '{"region":{"a":1}}', {}],
    ["an undeclared header", "{}", { "mcp-param-other": "x" }],
  ] as const) {
    it(`accepts ${what} and forwards the headers`, async () => {
      const answer = await call(args, headers);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(seenHeaders(answer), headers);
    });
  }

  for (const [what, args, headers] of [
    ["a missing header", '{"region":"a"}', {}],
    ["a different value", '{"region":"a"}', { "mcp-param-region": "b" }],
    ["a different case", '{"region":"a"}', { "mcp-param-region": "A" }],
    ["Base64 without padding", '{"region":"Hello"}', { "mcp-param-region": "=?base64?SGVsbG8?=" }],
    ["Base64 with invalid characters", '{"region":"Hello"}', { "mcp-param-region": "=?base64?SGVs!!!bG8=?=" }],
    ["Base64 that is not UTF-8", '{"region":"Hello"}', { "mcp-param-region": "=?base64?//8=?=" }],
    ["a different number", '{"count":42}', { "mcp-param-count": "43" }],
    ["a number instead of a string", '{"region":"42"}', { "mcp-param-region": "42.0" }],
    [
      "the nearest double of a number too large for one",
      '{"count":9007199254740993}',
      { "mcp-param-count": "9007199254740992" },
    ],
    ["a word instead of a number", '{"count":42}', { "mcp-param-count": "many" }],
    ["the opposite nested value", '{"where":{"dry":true}}', { "mcp-param-dry": "false" }],
  ] as const) {
    it(`rejects ${what} with 400 and -32020 without forwarding the call`, async () => {
      const calls = upstream.count("tools/call");
      const answer = await call(args, headers);
      assert.deepEqual([answer.status, answer.body.id, answer.body.error.code], [400, "one", -32020], answer.text);
      assert.equal(upstream.count("tools/call"), calls);
    });
  }

  it("rejects a duplicate argument", async () => {
    const answer = await call('{"region":"a","region":"b"}', { "mcp-param-region": "b" });
    assert.deepEqual([answer.status, answer.body.error.code], [200, -32602], answer.text);
  });

  it("forwards the headers unchanged for a tool without such a schema", async () => {
    const answer = await call('{"region":"a"}', { "mcp-param-region": "b" }, "echo__echo");
    assert.equal(answer.status, 200, answer.text);
    assert.equal(upstream.seen.at(-1)?.headers["mcp-param-region"], "b");
  });

  it("adds the headers for a modern upstream when the caller is legacy", async () => {
    upstream.eras = "modern";
    try {
      const args = '{"region":"Grüße","count":7,"where":{"dry":false}}';
      const text = callText({ era: "legacy", id: "1", tool: "echo__headers", arguments: args });
      // The first call may still use the upstream's previously detected eras.
      await service.mcp(bot.credential, text);
      const answer = await service.mcp(bot.credential, text);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(seenHeaders(answer), {
        "mcp-param-region": "=?base64?R3LDvMOfZQ==?=",
        "mcp-param-count": "7",
        "mcp-param-dry": "false",
      });
    } finally {
      upstream.eras = "both";
    }
  });

  it("are those of the arguments that a toolkit sets", async () => {
    const fixed = { region: "eu", where: { dry: true } };
    const entry = { server: "echo", tool: "headers", arguments: { fixed, defaults: { count: 7 } } };
    const hiding = { server: "echo", tool: "headers", alias: "hidden", arguments: { hidden: ["count"] } };
    const body = { slug: "kit", name: "Kit", status: "active", least_privilege: true, groups: ["bots"] };
    const made = await service.api("POST", "/api/toolkits", { ...body, tools: [entry, hiding] });
    assert.equal(made.status, 201, made.text);
    const set = { "mcp-param-region": "eu", "mcp-param-dry": "true" };
    assert.deepEqual(seenHeaders(await call("{}", {})), { ...set, "mcp-param-count": "7" });
    const counted = await call('{"count":3}', { "mcp-param-count": "3", "mcp-param-region": "us" });
    assert.deepEqual(seenHeaders(counted), { ...set, "mcp-param-count": "3" });
    assert.equal((await call('{"count":3}', { "mcp-param-count": "4" })).status, 400);
    const hidden = await call(
      '{"count":3,"region":"us"}',
      { "mcp-param-count": "3", "mcp-param-region": "us" },
      "echo__hidden",
    );
    assert.deepEqual(seenHeaders(hidden), { "mcp-param-region": "us" });
    assert.equal((await service.api("DELETE", "/api/toolkits?slug=kit")).status, 200);
  });
});
