import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { InFlightBytes } from "#lib/in-flight-bytes";
import { sendRaw, statusOf } from "#test/raw-socket";
import { HttpExchange } from "./http-exchange.ts";

const LIMIT = 1_000;
const MAX_BODY = 800;

describe("memory limit for request bodies", () => {
  let inFlight: InFlightBytes;
  let server: Server;
  let url: string;
  /** Called when the first chunk of a body arrives. */
  let onChunk: () => void = () => {};

  before(async () => {
    server = createServer((request, response) => {
      const exchange = new HttpExchange(request, response, "req_1", inFlight, () => "");
      request.once("data", () => onChunk());
      exchange.readBody(MAX_BODY, {
        done: () => exchange.answer(200, [], []),
        tooLarge: () => exchange.answer(413, [], []),
        noRoom: () => exchange.answer(503, [], []),
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address is never a path
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    inFlight = new InFlightBytes(LIMIT);
  });

  const head = (length: number) =>
    `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;
  const post = async (length: number) =>
    statusOf(await sendRaw(url, (socket) => socket.write(head(length) + "x".repeat(length))));

  it("holds memory for a stalled body until its caller disconnects, and rejects others meanwhile", async () => {
    const stalled = Promise.withResolvers<void>();
    onChunk = () => stalled.resolve();
    const leave = Promise.withResolvers<void>();
    const slow = sendRaw(url, async (socket) => {
      socket.write(head(MAX_BODY) + "x".repeat(600));
      await leave.promise;
      socket.destroy();
    });
    await stalled.promise;
    assert.equal(await post(600), 503);
    assert.equal(await post(300), 200);
    leave.resolve();
    await slow;
    let status = 0;
    for (let attempt = 0; attempt < 100 && status !== 200; attempt++) status = await post(600);
    assert.equal(status, 200);
  });

  it("releases memory when a request is rejected", async () => {
    onChunk = () => {};
    for (let round = 0; round < 5; round++) {
      assert.equal(await post(MAX_BODY + 1), 413);
      assert.equal(await post(MAX_BODY), 200);
    }
  });
});
