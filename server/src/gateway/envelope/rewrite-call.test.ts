import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { errorBody, resultBody } from "./errors.ts";
import { readRequest } from "./read-request.ts";
import { type Rewrite, rewriteCall, rewriteResponse } from "./rewrite-call.ts";

const KEEP: Rewrite = { id: 99, name: "up", envelope: "keep" };
const ENVELOPE = new Map([
  ["io.modelcontextprotocol/protocolVersion", '"2026-07-28"'],
  ["io.modelcontextprotocol/clientCapabilities", "{}"],
]);

function rewritten(params: string | undefined, to: Rewrite, chunkLength = 1_000_000): string {
  const inner = params === undefined ? "" : `, "params": ${params}`;
  const bytes = Buffer.from(`{"id":"caller","extra":1,"jsonrpc":"2.0","method":"tools/call"${inner} ,"more":[]}`);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkLength) chunks.push(bytes.subarray(at, at + chunkLength));
  const parsed = readRequest(chunks);
  assert.ok(parsed.kind === "request", JSON.stringify(parsed));
  return rewriteCall(parsed, to).toString();
}

function expected(params: string): string {
  return `{"jsonrpc":"2.0","id":99,"method":"tools/call","params":${params}}`;
}

describe("rewriteCall", () => {
  it("sends the gateway's id and the upstream's name, and no unknown top-level members", () => {
    assert.equal(rewritten('{"name":"srv__up", "arguments":{}}', KEEP), expected('{"name":"up", "arguments":{}}'));
    assert.equal(rewritten(undefined, KEEP), '{"jsonrpc":"2.0","id":99,"method":"tools/call"}');
    assert.equal(
      rewritten('{"name":"n"}', { ...KEEP, name: 'caf\u00e9 "x"' }),
      expected('{"name":"caf\u00e9 \\"x\\""}'),
    );
  });

  it("removes params that are only for the gateway, wherever they appear", () => {
    const without = ["a", "b"];
    for (const [params, left] of [
      ['{"a":1, "name":"n" ,"b":[2]}', '{"name":"up"}'],
      ['{"name":"n","a":1,"b":2}', '{"name":"up"}'],
      ['{"a":1,"b":2,"name":"n"}', '{"name":"up"}'],
      ['{ "a":1,"x":{"a":1},"b":2, "name":"n"}', '{ "x":{"a":1}, "name":"up"}'],
      ['{"name":"n", "_meta":{"a":1}, "b":2}', '{"name":"up", "_meta":{"a":1}}'],
    ] as const) {
      assert.equal(rewritten(params, { ...KEEP, without }), expected(left));
    }
  });

  it("preserves arguments byte for byte (GW-20)", () => {
    const odd = '{"n":9007199254740993,"z":-0,"big":1e400,"s":"\\ud800\\/","__proto__":{"b":1, "a":2},"a":1,"a":2}';
    const args = fc.oneof(fc.constant(odd), fc.json({ maxDepth: 5 }));
    fc.assert(
      fc.property(args, fc.integer({ min: 1, max: 60 }), fc.boolean(), (json, length, nameFirst) => {
        const params = (name: string) =>
          nameFirst ? `{"name":${name},"arguments":${json}}` : `{"arguments":${json},"name":${name}}`;
        assert.equal(rewritten(params('"srv__up"'), KEEP, length), expected(params('"up"')));
      }),
    );
  });

  it("replaces the progress token, and removes it when the gateway has none", () => {
    const params = '{"name":"n","_meta":{"a": 1,"progressToken":"theirs","b":2}}';
    assert.equal(
      rewritten(params, { ...KEEP, progressToken: 5 }),
      expected('{"name":"up","_meta":{"a": 1,"progressToken":5,"b":2}}'),
    );
    assert.equal(rewritten(params, KEEP), expected('{"name":"up","_meta":{"a": 1,"b":2}}'));
    assert.equal(rewritten('{"name":"n"}', { ...KEEP, progressToken: 5 }), expected('{"name":"up"}'));
  });

  it("preserves _meta when caller and upstream have the same era", () => {
    const meta = '{ "io.modelcontextprotocol/protocolVersion":"2026-07-28" , "traceparent":"x"}';
    assert.equal(rewritten(`{"name":"n","_meta":${meta}}`, KEEP), expected(`{"name":"up","_meta":${meta}}`));
  });

  it("removes only the modern envelope for a legacy upstream", () => {
    const meta =
      '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","traceparent":"x","io.modelcontextprotocol/clientCapabilities":{}}';
    assert.equal(
      rewritten(`{"_meta":${meta},"name":"n"}`, { ...KEEP, envelope: "drop" }),
      expected('{"_meta":{"traceparent":"x"},"name":"up"}'),
    );
  });

  it("adds the envelope that a modern upstream requires from a legacy caller", () => {
    const to: Rewrite = { ...KEEP, envelope: ENVELOPE, progressToken: 3 };
    const envelope =
      '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}';
    assert.equal(rewritten('{"name":"n"}', to), expected(`{"_meta":{${envelope}},"name":"up"}`));
    assert.equal(rewritten("{}", to), expected(`{"_meta":{${envelope}}}`));
    assert.equal(rewritten(undefined, to), expected(`{"_meta":{${envelope}}}`));
    assert.equal(
      rewritten('{"name":"n","_meta":{"progressToken":1,"io.modelcontextprotocol/logLevel":"info","a":[1]}}', to),
      expected(`{"name":"up","_meta":{"progressToken":3,"a":[1],${envelope}}}`),
    );
  });

  it("sends a notification without an id", () => {
    const parsed = readRequest(
      Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'),
    );
    assert.ok(parsed.kind === "notification");
    assert.equal(
      rewriteCall(parsed, { envelope: "keep" }).toString(),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    );
  });
});

describe("rewriteResponse", () => {
  it("forwards a caller's response with the upstream's id", () => {
    for (const answer of ['"result":{"n": 1.0}', '"error":{"code":1,"message":"x"}']) {
      const parsed = readRequest(Buffer.from(`{"jsonrpc":"2.0",${answer},"id":"sealed","junk":0}`));
      assert.ok(parsed.kind === "response");
      assert.equal(rewriteResponse(parsed, "7").toString(), `{"jsonrpc":"2.0","id":7,${answer}}`);
    }
  });
});

describe("responses created by the gateway", () => {
  it("echo the id exactly, or null when it could not be read", () => {
    const id = "9007199254740993";
    assert.equal(
      errorBody(id, -32602, 'no "x"').toString(),
      `{"jsonrpc":"2.0","id":${id},"error":{"code":-32602,"message":"no \\"x\\""}}`,
    );
    assert.deepEqual(JSON.parse(errorBody(undefined, -32700, "bad", { a: 1 }).toString()), {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "bad", data: { a: 1 } },
    });
    assert.equal(resultBody('""', "{}").toString(), '{"jsonrpc":"2.0","id":"","result":{}}');
  });
});
