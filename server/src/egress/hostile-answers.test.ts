/** Responses of a hostile server: encodings, sizes and framings (GW-9, GW-10). */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { LoopbackPeers } from "#test/loopback-peers";
import { createEgress, type Egress, type EgressRequest, parseAllowList } from "./egress.ts";

let egress: Egress;
const peers = new LoopbackPeers();

beforeEach(() => {
  egress = createEgress({ allow: parseAllowList("127.0.0.1") });
});
afterEach(async () => {
  await egress.close();
  await peers.close();
});

const get = (url: string, more: Partial<EgressRequest> = {}) =>
  egress.request({ method: "GET", url, maxBytes: 1_000_000, ...more });

describe("content encodings", () => {
  const encoded = (encoding: string, body: Uint8Array) =>
    peers.http((_request, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));

  it("gzip and deflate are decoded although identity was requested", async () => {
    assert.equal((await get(await encoded("gzip", gzipSync("hello")))).body.toString(), "hello");
    assert.equal((await get(await encoded("X-GZIP", gzipSync("hello")))).body.toString(), "hello");
    assert.equal((await get(await encoded("deflate", deflateSync("hello")))).body.toString(), "hello");
    const response = await egress.fetch(await encoded("gzip", gzipSync('{"a":1}')));
    assert.equal(response.headers.get("content-encoding"), null);
    assert.deepEqual(await response.json(), { a: 1 });
  });

  it("Brotli, Zstandard, chains and unknown encodings are rejected without decoding", async () => {
    const twice = gzipSync(gzipSync("x"));
    for (const [encoding, body] of [
      ["br", brotliCompressSync("hello")],
      ["zstd", zstdCompressSync("hello")],
      ["gzip, gzip", twice],
      ["gzip,br", twice],
      ["identity, gzip", gzipSync("x")],
      [Array(20).fill("gzip").join(", "), twice],
      ["compress", Buffer.from("x")],
    ] as const) {
      await assert.rejects(get(await encoded(encoding, body)), { kind: "encoding" }, encoding);
    }
  });

  it("corrupt and truncated gzip fails with an encoding error", async () => {
    await assert.rejects(get(await encoded("gzip", Buffer.from("not gzip"))), { kind: "encoding" });
    await assert.rejects(get(await encoded("gzip", gzipSync("hello").subarray(0, 12))), { kind: "encoding" });
  });

  it("a gzip bomb uses no more memory than the limit", async () => {
    const mebibyte = Buffer.alloc(1024 * 1024);
    const gzip = createGzip({ level: 9 });
    const chunks: Buffer[] = [];
    gzip.on("data", (chunk: Buffer) => chunks.push(chunk));
    const packed = new Promise((done) => gzip.on("end", done));
    for (let i = 0; i < 64; i++) await new Promise((done) => gzip.write(mebibyte, done));
    gzip.end();
    await packed;
    const bomb = Buffer.concat(chunks);
    assert.ok(bomb.length < 100_000);
    const origin = await encoded("gzip", bomb);
    const before = process.resourceUsage().maxRSS;
    await assert.rejects(get(origin), { kind: "too-large", message: /sent more than the 1000000 bytes allowed$/ });
    // The peak memory in KiB: decoding everything would raise it by 64 MiB.
    assert.ok(process.resourceUsage().maxRSS - before < 32 * 1024);
  });
});

describe("the size limit", () => {
  it("rejects an announced size immediately, and an endless stream when it exceeds the limit", async () => {
    const announced = await peers.raw("HTTP/1.1 200 OK\r\ncontent-length: 1000001\r\n\r\n");
    await assert.rejects(get(announced), { kind: "too-large" });
    let sent = 0;
    const endless = await peers.http((_request, response) => {
      const pump = () => {
        do sent += 65_536;
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", pump);
      pump();
    });
    await assert.rejects(get(endless), { kind: "too-large" });
    // The limit, and the socket buffers of both sides.
    assert.ok(sent < 32_000_000);
  });

  it("accepts a response of exactly the limit", async () => {
    const origin = await peers.http((_request, response) => response.end(Buffer.alloc(1000)));
    assert.equal((await get(origin, { maxBytes: 1000 })).body.length, 1000);
    await assert.rejects(get(origin, { maxBytes: 999 }), { kind: "too-large" });
  });

  it("limits headers too", async () => {
    const origin = await peers.raw(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`);
    await assert.rejects(get(origin), { kind: "too-large" });
  });
});

describe("an incorrect or broken response", () => {
  it("that is shorter than its content-length fails as a reset", async () => {
    const origin = await peers.raw("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", (socket) => socket.end());
    await assert.rejects(get(origin), { kind: "reset", nothingSent: false });
  });

  it("that is longer than its content-length ends there, and the rest is not used for a later request", async () => {
    const second = "HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison";
    const origin = await peers.raw(`HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello${second}`);
    assert.equal((await get(origin)).body.toString(), "hello");
    assert.equal((await get(origin)).body.toString(), "hello");
  });

  it("with two content-lengths or both framings is not HTTP", async () => {
    for (const framing of [
      "content-length: 2\r\ncontent-length: 3",
      "content-length: 2\r\ntransfer-encoding: chunked",
    ]) {
      const origin = await peers.raw(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\nabc`, (socket) => socket.end());
      await assert.rejects(get(origin), { kind: "protocol" }, framing);
    }
  });

  it("that is not HTTP fails with a protocol error", async () => {
    const origin = await peers.raw("SSH-2.0-OpenSSH_9.9\r\n", (socket) => socket.end());
    await assert.rejects(get(origin), { kind: "protocol" });
  });

  it("that never begins because the peer hangs up fails as a reset", async () => {
    const origin = await peers.tcp((socket) => socket.once("data", () => socket.destroy()));
    await assert.rejects(get(origin), { kind: "reset", nothingSent: false });
  });
});
