import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SseOverflow, SseParser } from "./sse.ts";

function parse(chunks: readonly Buffer[], maxEventBytes = 1 << 20) {
  const messages: string[] = [];
  const parser = new SseParser(maxEventBytes, (data) => messages.push(data.toString("utf8")));
  for (const chunk of chunks) parser.push(chunk);
  return { messages, lastEventId: parser.lastEventId, retryMs: parser.retryMs };
}

/** Splits the bytes at the given offsets. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
}

const table: [string, string, string[]][] = [
  ["one message", "data: {}\n\n", ["{}"]],
  ["a missing space after the colon", "data:{}\n\n", ["{}"]],
  ["only the first space after the colon is removed", "data:  {}\n\n", [" {}"]],
  ["lines that end in CRLF", "event: message\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", ["1", "2"]],
  ["lines that end in CR", "data: 1\r\rdata: 2\r\r", ["1", "2"]],
  ["mixed line ends", "data: 1\r\n\rdata: 2\n\r\n", ["1", "2"]],
  ["several data lines", "data: [\ndata: 1\ndata: ]\n\n", ["[\n1\n]"]],
  ["comments", ": hello\n\n:\ndata: 1\n: between\n\n", ["1"]],
  ["a comment before the first message", ": data: 0\ndata: 1\n\n", ["1"]],
  ["a leading BOM", "\uFEFFdata: 1\n\n", ["1"]],
  ["events of other types", "event: endpoint\ndata: /x\n\nevent: message\ndata: 1\n\n", ["1"]],
  ["unknown fields", "foo: bar\nbaz\ndata: 1\n\n", ["1"]],
  ["an event with empty data", "id: 7\nretry: 10\ndata:\n\n", []],
  ["an incomplete event", "data: 1\n", []],
  ["text beyond ASCII", 'data: {"a":"Grüße 🦊"}\n\n', ['{"a":"Grüße 🦊"}']],
];

for (const [name, stream, expected] of table) {
  test(`parses the same messages from any chunking: ${name}`, () => {
    const bytes = Buffer.from(stream);
    assert.deepEqual(parse([bytes]).messages, expected);
    assert.deepEqual(parse([...bytes].map((byte) => Buffer.from([byte]))).messages, expected);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 6 }), (places) => {
        assert.deepEqual(parse(cut(bytes, places)).messages, expected);
      }),
      { numRuns: 50 },
    );
  });
}

test("delivers any JSON text unchanged from any chunking", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat()), (json, end, places) => {
      const bytes = Buffer.from(`id: 1${end}data: ${json}${end}${end}`);
      assert.deepEqual(parse(cut(bytes, places)).messages, [json]);
    }),
  );
});

test("limits comments like events, and does not count them after they end", () => {
  const parser = new SseParser(1_000, () => {});
  for (let n = 0; n < 100; n++) parser.push(Buffer.from(`: ${"x".repeat(400)}\n:${"y".repeat(200)}`.concat("\n")));
  parser.push(Buffer.from(": "));
  for (let n = 0; n < 9; n++) parser.push(Buffer.alloc(100, "z"));
  assert.equal(parser.pendingBytes, 902);
  assert.throws(() => parser.push(Buffer.alloc(100, "z")), SseOverflow);
});

test("keeps the last event id and the retry delay", () => {
  const read = parse([Buffer.from("id: 1\nretry: 250\ndata:\n\nid: 2\ndata: x\n\nid: 3\ndata: not ended\n")]);
  assert.equal(read.lastEventId, "2");
  assert.equal(read.retryMs, 250);
  assert.equal(parse([Buffer.from("id: a\0b\nretry: soon\ndata: x\n\n")]).lastEventId, undefined);
});

test("throws when an event exceeds the limit in one line, many lines or tiny chunks", () => {
  assert.throws(() => parse([Buffer.from(`data: ${"x".repeat(2000)}`)], 1000), SseOverflow);
  assert.throws(() => parse([Buffer.from("data:\n".repeat(100))], 1000), SseOverflow);
  assert.throws(
    () =>
      parse(
        Array.from({ length: 100 }, () => Buffer.from("x")),
        1000,
      ),
    SseOverflow,
  );
  assert.equal(parse([Buffer.from(`data: ${"x".repeat(500)}\n\n`.repeat(10))], 1000).messages.length, 10);
});

test("does not retain the chunk that a small event arrived in (GW-10)", () => {
  const messages: Buffer[] = [];
  const parser = new SseParser(1 << 20, (data) => messages.push(data));
  parser.push(Buffer.alloc(1 << 20, `data: x\n:${"-".repeat((1 << 20) - 11)}\n\n`));
  assert.deepEqual(messages.map(String), ["x"]);
  assert.ok((messages[0]?.buffer.byteLength ?? 0) <= Buffer.poolSize);
});
