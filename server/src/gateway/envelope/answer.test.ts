import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type AnswerTo, answerParts, notificationParts, questionParts } from "./answer.ts";
import { readResponse } from "./read-response.ts";

const SERVER_INFO = '{"name":"gatehouse","version":"0"}';
const LEGACY: AnswerTo = { rawId: '"caller"', method: "tools/call", era: "legacy", serverInfo: SERVER_INFO };
const MODERN: AnswerTo = { ...LEGACY, era: "modern" };

function answer(text: string, to: AnswerTo, chunkLength = text.length): string {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkLength) chunks.push(bytes.subarray(at, at + chunkLength));
  const message = readResponse(chunks);
  assert.ok(message.kind === "result" || message.kind === "error", JSON.stringify(message));
  return Buffer.concat(answerParts(message, to)).toString();
}

/** Values that do not survive a JSON.parse and JSON.stringify round trip. */
const ODD_VALUES = [
  "9007199254740993",
  "-0",
  "1e400",
  "1.0",
  '"\\ud800"',
  '"\\u00e9\\/"',
  '{"b":1,"a":2,"1":3,"__proto__":4}',
];

describe("answerParts", () => {
  it("changes only the id of a complete legacy response", () => {
    const odd = ODD_VALUES.join(" , ");
    const body = ` {"result" : {"content":[ ],"x":[${odd}]},\n"extra":1, "jsonrpc":"2.0","id":17}\n`;
    assert.equal(answer(body, LEGACY), body.replace('"id":17', '"id":"caller"'));
  });

  it("preserves every result byte for byte, regardless of size and chunking (GW-20)", () => {
    const piece = fc.oneof(
      fc.constantFrom(...ODD_VALUES),
      fc.json(),
      fc.constant(JSON.stringify("long ".repeat(5000))),
    );
    const results = fc.array(piece, { maxLength: 5 }).map((parts) => `{"content": [${parts.join(" ,")}] }`);
    fc.assert(
      fc.property(results, fc.integer({ min: 7, max: 20_000 }), fc.boolean(), (result, length, idLast) => {
        const wrap = (id: string) =>
          idLast
            ? `{"jsonrpc":"2.0","result":${result},"id":${id}}`
            : `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
        assert.equal(answer(wrap("3"), LEGACY, length), wrap('"caller"'));
        const modern = answer(wrap("3"), MODERN, length);
        assert.ok(modern.includes(result.slice(1)));
      }),
      { numRuns: 60 },
    );
  });

  it("adds members that modern callers require and the upstream omitted", () => {
    const cases: [result: string, expected: string][] = [
      [
        '{"content":[]}',
        `{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${SERVER_INFO}},"content":[]}`,
      ],
      [
        '{"_meta":{},"content":[]}',
        `{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${SERVER_INFO}},"content":[]}`,
      ],
      [
        '{"_meta":{"a": 1},"content":[],"resultType":"complete"}',
        `{"_meta":{"io.modelcontextprotocol/serverInfo":${SERVER_INFO},"a": 1},"content":[],"resultType":"complete"}`,
      ],
    ];
    for (const [result, expected] of cases) {
      const text = (id: string, inner: string) => `{"jsonrpc":"2.0","id":${id},"result":${inner}}`;
      assert.equal(answer(text("1", result), MODERN), text('"caller"', expected));
    }
  });

  it("leaves a complete modern response unchanged apart from the id", () => {
    const result =
      '{"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"up"}}}';
    assert.equal(
      answer(`{"jsonrpc":"2.0","id":1,"result":${result}}`, MODERN),
      `{"jsonrpc":"2.0","id":"caller","result":${result}}`,
    );
  });

  it("adds empty content to a tool result without content, but not to other results or input requests", () => {
    const text = (inner: string) => `{"jsonrpc":"2.0","id":1,"result":${inner}}`;
    assert.deepEqual(JSON.parse(answer(text('{"structuredContent":{"a":1}}'), LEGACY)).result, {
      content: [],
      structuredContent: { a: 1 },
    });
    assert.deepEqual(JSON.parse(answer(text("{ }"), LEGACY)).result, { content: [] });
    assert.deepEqual(JSON.parse(answer(text("{}"), { ...LEGACY, method: "ping" })).result, {});
    const question = '{"resultType":"input_required","inputRequests":{}}';
    assert.equal(JSON.parse(answer(text(question), LEGACY)).result.content, undefined);
  });

  it("returns errors with the caller's id, even when the upstream sent no usable id", () => {
    const error = '{"code":-32602,"message":"no","data":{"n":9007199254740993}}';
    for (const id of ['"id":5,', '"id":null,', ""]) {
      const given = answer(`{"jsonrpc":"2.0",${id}"error":${error}}`, MODERN);
      assert.equal(JSON.parse(given).id, "caller");
      assert.ok(given.includes(`"error":${error}`));
    }
  });
});

describe("readResponse", () => {
  it("extracts the result members that the call log and the pipeline need", () => {
    const message = readResponse(
      Buffer.from(
        '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[1],"structuredContent":{},"resultType":"task"}}',
      ),
    );
    assert.ok(message.kind === "result");
    assert.equal(message.isError, true);
    assert.equal(message.resultType, "task");
    assert.equal(message.content && message.source.text(message.content), "[1]");
    assert.equal(message.structuredContent?.kind, "object");
  });

  it("reads an error's code and message", () => {
    const message = readResponse(
      Buffer.from('{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"\\u0061","data":1}}'),
    );
    assert.ok(message.kind === "error");
    assert.equal(message.code, -32042);
    assert.equal(message.message, "a");
    assert.equal(message.data?.kind, "number");
  });

  it("replaces the id of an upstream's request and the token of its progress notification", () => {
    const request = readResponse(
      Buffer.from('{"jsonrpc":"2.0","id":4,"method":"elicitation/create","params":{"a":1.0}}'),
    );
    assert.ok(request.kind === "request");
    assert.equal(
      Buffer.concat(questionParts(request, "sealed", () => undefined)).toString(),
      '{"jsonrpc":"2.0","id":"sealed","method":"elicitation/create","params":{"a":1.0}}',
    );
    const text = (token: string) =>
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.0,"progressToken":${token}}}`;
    const progress = readResponse(Buffer.from(text("12")));
    assert.ok(progress.kind === "notification");
    assert.equal(Buffer.concat(notificationParts(progress, '"mine"')).toString(), text('"mine"'));
    assert.equal(Buffer.concat(notificationParts(progress)).toString(), text("12"));
  });

  it("rejects unusable messages without throwing", () => {
    const unusable = [
      "",
      "[]",
      "<html>",
      '{"id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1}',
      '{"jsonrpc":"2.0","result":{}}',
      '{"jsonrpc":"2.0","id":null,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}',
      '{"jsonrpc":"2.0","id":1,"id":2,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":[]}}',
      '{"jsonrpc":"2.0","id":{},"method":"x"}',
      '{"jsonrpc":"2.0","method":5}',
      `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(70)}${"]".repeat(70)}}`,
    ];
    for (const text of unusable) assert.equal(readResponse(Buffer.from(text)).kind, "invalid", text);
    assert.equal(readResponse([Buffer.from("{"), Buffer.from("x"), Buffer.from("}")]).kind, "invalid");
  });
});
