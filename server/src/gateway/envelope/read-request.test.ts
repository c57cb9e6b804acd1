import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { INVALID_REQUEST, PARSE_ERROR } from "./errors.ts";
import { type ParsedRequest, readRequest } from "./read-request.ts";

function read(text: string): ParsedRequest {
  return readRequest(Buffer.from(text));
}

function assertInvalid(text: string, code: number, rawId?: string): void {
  const parsed = read(text);
  assert.equal(parsed.kind, "invalid", text);
  assert.equal(parsed.kind === "invalid" && parsed.jsonRpcCode, code, text);
  assert.equal(parsed.kind === "invalid" && parsed.rawId, rawId, text);
}

describe("readRequest", () => {
  it("reads a tool call: name, arguments, _meta and progress token", () => {
    const text =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"w__caf\\u00e9","arguments":{"n": 1e400},' +
      '"_meta":{"progressToken":"p"},"cursor":""},"extra":1}';
    const parsed = read(text);
    assert.equal(parsed.kind, "request");
    if (parsed.kind !== "request") return;
    const { source, params } = parsed;
    assert.equal(parsed.method, "tools/call");
    assert.equal(params?.name, "w__café");
    assert.equal(params?.cursor, "");
    assert.equal(params?.uri, undefined);
    assert.equal(params?.arguments && source.text(params.arguments), '{"n": 1e400}');
    assert.equal(params?.progressToken && source.text(params.progressToken), '"p"');
    assert.deepEqual([...(params?.meta?.members.keys() ?? [])], ["progressToken"]);
  });

  describe("id (GW-3)", () => {
    it("is preserved exactly as sent", () => {
      const ids = [
        "0",
        "-1",
        "9007199254740993",
        "-9223372036854775808",
        "1.0",
        "1e3",
        '""',
        '"a\\u0062"',
        '"\\ud800"',
      ];
      for (const id of [...ids, '"é"', `"${"x".repeat(300)}"`]) {
        const parsed = read(`{"jsonrpc":"2.0","id": ${id} ,"method":"ping"}`);
        assert.equal(parsed.kind === "request" && parsed.rawId, id);
      }
    });

    it("is preserved exactly for any string or number and any chunking", () => {
      const ids = fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger(), fc.double({ noNaN: true }), fc.bigInt());
      fc.assert(
        fc.property(ids, fc.integer({ min: 1, max: 30 }), (id, length) => {
          const raw = typeof id === "bigint" ? String(id) : JSON.stringify(id);
          fc.pre(raw !== "null");
          const bytes = Buffer.from(`{"id":${raw},"jsonrpc":"2.0","method":"ping"}`);
          const chunks: Buffer[] = [];
          for (let at = 0; at < bytes.length; at += length) chunks.push(bytes.subarray(at, at + length));
          const parsed = readRequest(chunks);
          assert.equal(parsed.kind === "request" && parsed.rawId, raw);
        }),
      );
    });

    it("is rejected if it is neither a string nor a number", () => {
      for (const id of ["null", "true", "false", "{}", "[1]"]) {
        assertInvalid(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`, INVALID_REQUEST);
      }
    });
  });

  it("distinguishes notifications, responses, and batches", () => {
    assert.equal(read('{"jsonrpc":"2.0","method":"notifications/initialized"}').kind, "notification");
    const response = read('{"jsonrpc":"2.0","id":"s","result":{}}');
    assert.equal(response.kind === "response" && response.rawId, '"s"');
    assert.equal(read('{"jsonrpc":"2.0","id":"s","error":{"code":1,"message":""}}').kind, "response");
    const batch = read(`[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(59)}5]`);
    assert.equal(batch.kind === "batch" && batch.elementCount, 60);
    assert.equal(batch.kind === "batch" && batch.elements.length, 20);
    const [first] = batch.kind === "batch" ? batch.elements : [];
    assert.ok(first && batch.kind === "batch");
    assert.equal(readRequest(batch.source.slice(first.start, first.end)).kind, "request");
  });

  it("rejects invalid JSON with -32700", () => {
    for (const text of ["", "{", "nope", '{"jsonrpc":"2.0",}', "\ufeff{}", '{"a":"\u0001"}'])
      assertInvalid(text, PARSE_ERROR);
    assert.equal(readRequest(Buffer.from([0x22, 0xff, 0x22])).kind, "invalid");
  });

  describe("rejects with -32600, including the id if readable:", () => {
    const cases: [title: string, text: string, rawId?: string][] = [
      ["a body that is not an object", '"x"'],
      ["a missing jsonrpc", '{"id":1,"method":"ping"}', "1"],
      ["a different jsonrpc version", '{"jsonrpc":"1.0","id":1,"method":"ping"}', "1"],
      ["jsonrpc as a number", '{"jsonrpc":2.0,"id":1,"method":"ping"}', "1"],
      ["a duplicate jsonrpc", '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}'],
      ["a duplicate method", '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}'],
      ["a method that is not a string", '{"jsonrpc":"2.0","id":"a","method":1}', '"a"'],
      ["neither method nor result", '{"jsonrpc":"2.0","id":1}', "1"],
      ["both result and error", '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', "1"],
      ["both method and result", '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', "1"],
      ["a result without an id", '{"jsonrpc":"2.0","result":{}}'],
      ["params as an array", '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', "1"],
      ["params that are null", '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', "1"],
      ["_meta that is not an object", '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":1}}', "1"],
      [
        "a progress token of the wrong type",
        '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progressToken":{}}}}',
        "1",
      ],
      [
        "a duplicate name with an escape",
        '{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"a","n\\u0061me":"b"}}',
      ],
      ["Method", '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}', "1"],
      ["ID instead of id", '{"jsonrpc":"2.0","ID":1,"method":"ping"}'],
      ["paramſ", '{"jsonrpc":"2.0","id":1,"method":"m","params":{},"param\u017f":{"name":"x"}}', "1"],
      ["full-width ｎａｍｅ in params", '{"jsonrpc":"2.0","id":1,"method":"m","params":{"ｎａｍｅ":"x"}}', "1"],
      ["Arguments in params", '{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"x","Arguments":{}}}', "1"],
      ["progresstoken in _meta", '{"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":{"progresstoken":1}}}', "1"],
    ];
    for (const [title, text, rawId] of cases) it(title, () => assertInvalid(text, INVALID_REQUEST, rawId));
  });

  it("rejects 65 levels and 10,001 keys, and accepts one fewer of each (GW-6)", () => {
    const call = (args: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":${args}}}`;
    assert.equal(read(call("[".repeat(62) + "]".repeat(62))).kind, "request");
    assertInvalid(call("[".repeat(63) + "]".repeat(63)), INVALID_REQUEST);
    assertInvalid(call("[".repeat(100_000) + "]".repeat(100_000)), INVALID_REQUEST);
    const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join()}}`;
    assert.equal(read(call(keys(10_000 - 5))).kind, "request");
    assertInvalid(call(keys(10_000 - 4)), INVALID_REQUEST);
  });

  it("treats __proto__ as an ordinary key", () => {
    const parsed = read(
      '{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"name":"x"}},"__proto__":{"a":1}}',
    );
    assert.equal(parsed.kind, "request");
    assert.equal(parsed.kind === "request" && parsed.params?.name, undefined);
    assert.equal(({} as { a?: unknown }).a, undefined);
  });
});
