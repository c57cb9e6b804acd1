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

/** Which database stands behind makes no difference here. */
describe("Mcp-Param headers, where a tool's schema asks for them", () => {
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
  /** The `Mcp-Param` headers that the upstream saw. */
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
    ["a number written in another way", '{"count":42}', { "mcp-param-count": "42.0" }],
    ["a number that no double holds", '{"count":9007199254740993}', { "mcp-param-count": "9007199254740993" }],
    ["a number that no double holds, and no header", '{"count":9007199254740993}', {}],
    ["a property further in", '{"where":{"dry":true}}', { "mcp-param-dry": "true" }],
    ["null and no header", '{"region":null}', {}],
    ["null and a header", '{"region":null}', { "mcp-param-region": "x" }],
    ["nothing", "{}", {}],
    ["a value of another kind", '{"region":{"a":1}}', {}],
    ["a header that the schema does not know", "{}", { "mcp-param-other": "x" }],
  ] as const) {
    it(`${what} passes, headers and all`, async () => {
      const answer = await call(args, headers);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(seenHeaders(answer), headers);
    });
  }

  for (const [what, args, headers] of [
    ["a header that is missing", '{"region":"a"}', {}],
    ["another value", '{"region":"a"}', { "mcp-param-region": "b" }],
    ["another case", '{"region":"a"}', { "mcp-param-region": "A" }],
    ["Base64 without its padding", '{"region":"Hello"}', { "mcp-param-region": "=?base64?SGVsbG8?=" }],
    ["Base64 with foreign characters", '{"region":"Hello"}', { "mcp-param-region": "=?base64?SGVs!!!bG8=?=" }],
    ["Base64 that is not UTF-8", '{"region":"Hello"}', { "mcp-param-region": "=?base64?//8=?=" }],
    ["another number", '{"count":42}', { "mcp-param-count": "43" }],
    ["a number in place of a string", '{"region":"42"}', { "mcp-param-region": "42.0" }],
    [
      "the neighbour of a number that no double holds",
      '{"count":9007199254740993}',
      { "mcp-param-count": "9007199254740992" },
    ],
    ["a word in place of a number", '{"count":42}', { "mcp-param-count": "many" }],
    ["the opposite further in", '{"where":{"dry":true}}', { "mcp-param-dry": "false" }],
  ] as const) {
    it(`${what} is refused with 400 and the code for it, and goes nowhere`, async () => {
      const calls = upstream.count("tools/call");
      const answer = await call(args, headers);
      assert.deepEqual([answer.status, answer.body.id, answer.body.error.code], [400, "one", -32020], answer.text);
      assert.equal(upstream.count("tools/call"), calls);
    });
  }

  it("an argument that could be read in two ways is refused", async () => {
    const answer = await call('{"region":"a","region":"b"}', { "mcp-param-region": "b" });
    assert.deepEqual([answer.status, answer.body.error.code], [200, -32602], answer.text);
  });

  it("a tool without such a schema gets the headers as they are", async () => {
    const answer = await call('{"region":"a"}', { "mcp-param-region": "b" }, "echo__echo");
    assert.equal(answer.status, 200, answer.text);
    assert.equal(upstream.seen.at(-1)?.headers["mcp-param-region"], "b");
  });

  it("a legacy caller needs none, and a modern upstream gets them all the same", async () => {
    upstream.eras = "modern";
    try {
      const args = '{"region":"Grüße","count":7,"where":{"dry":false}}';
      const text = callText({ era: "legacy", id: "1", tool: "echo__headers", arguments: args });
      // The first may meet what was known of the upstream's eras before.
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
});
