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
  let users = 0;
  let respond: (exchange: HttpExchange) => void;
  /** Called when the first chunk of a body arrives. */
  let onChunk: () => void = () => {};

  before(async () => {
    server = createServer((request, response) => {
      const exchange = new HttpExchange(request, response, "req_1", {
        inFlight,
        addressOf: () => "",
        closedConnections: { add() {} },
      });
      exchange.payer = String(request.headers["x-user"] ?? `user-${users++}`);
      request.once("data", () => onChunk());
      exchange.readBody(MAX_BODY, {
        done: () => respond(exchange),
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
    respond = (exchange) => exchange.answer(200, [], []);
  });

  const head = (length: number, more = "") =>
    `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${length}\r\n${more}\r\n`;
  const post = async (length: number, more = "") =>
    statusOf(await sendRaw(url, (socket) => socket.write(head(length, more) + "x".repeat(length))));

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

  it("limits each user to a share, unless with a single request", async () => {
    const stalled = Promise.withResolvers<void>();
    onChunk = () => stalled.resolve();
    const leave = Promise.withResolvers<void>();
    const slow = sendRaw(url, async (socket) => {
      socket.write(`${head(MAX_BODY, "x-user: ada\r\n")}${"x".repeat(300)}`);
      await leave.promise;
      socket.destroy();
    });
    await stalled.promise;
    assert.equal(await post(100, "x-user: ada\r\n"), 503);
    assert.equal(await post(100, "x-user: ben\r\n"), 200);
    leave.resolve();
    await slow;
  });

  it("closes a connection whose responses wait for an earlier one and exceed the share", async () => {
    onChunk = () => {};
    const answers: HttpExchange[] = [];
    const all = Promise.withResolvers<void>();
    respond = (exchange) => {
      answers.push(exchange);
      if (answers.length === 3) all.resolve();
    };
    const request = "POST / HTTP/1.1\r\nhost: x\r\nx-user: ada\r\ncontent-length: 1\r\n\r\nx";
    const received = sendRaw(url, (socket) => socket.write(request.repeat(3)));
    await all.promise;
    const [first, second, third] = answers;
    second?.answer(200, [], [Buffer.alloc(200)]);
    assert.equal(inFlight.take("ada", 100, 0), false, "the second response is counted");
    third?.answer(200, [], [Buffer.alloc(200)]);
    first?.answer(200, [], [Buffer.from("first")]);
    assert.equal(await received, "");
    assert.equal(inFlight.take("ada", 250, 0), true, "all is released");
  });

  it("releases memory when a request is rejected", async () => {
    onChunk = () => {};
    for (let round = 0; round < 5; round++) {
      assert.equal(await post(MAX_BODY + 1), 413);
      assert.equal(await post(MAX_BODY), 200);
    }
  });
});
