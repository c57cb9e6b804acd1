import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { CoalescedRequest } from "./coalesced-request.ts";

describe("CoalescedRequest", () => {
  let server: Server;
  let received: (request: IncomingMessage) => void = () => {};
  before(async () => {
    server = createServer({ IncomingMessage: CoalescedRequest }, (request) => received(request));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function open(head: string): Promise<{ socket: Socket; request: IncomingMessage }> {
    const arrived = new Promise<IncomingMessage>((resolve) => {
      received = resolve;
    });
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1"); // a TCP server's address is never a path
    socket.on("error", () => {});
    socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n`);
    return { socket, request: await arrived };
  }

  it("passes a body in chunks of one byte on in few chunks, with all bytes in order", async () => {
    const text = Array.from({ length: 60_000 }, (_, i) => String.fromCharCode(97 + (i % 26))).join("");
    const { socket, request } = await open("transfer-encoding: chunked");
    socket.write([...text].map((character) => `1\r\n${character}\r\n`).join(""));
    socket.write("0\r\n\r\n");
    const chunks = (await request.toArray()) as Buffer[];
    assert.equal(Buffer.concat(chunks).toString(), text);
    assert.ok(chunks.length < 200, `${chunks.length} chunks`);
  });

  it("holds few Buffers of an unread body", async () => {
    const { socket, request } = await open("transfer-encoding: chunked");
    socket.write("1\r\na\r\n".repeat(50_000));
    while (request.readableLength < 40_000) await new Promise(setImmediate);
    let chunks = 0;
    request.on("data", () => chunks++);
    while (request.readableLength > 0) await new Promise(setImmediate);
    assert.ok(chunks < 200, `${chunks} chunks`);
    socket.destroy();
  });

  it("passes each part of a slow body on before the next one arrives", async () => {
    const { socket, request } = await open("content-length: 6");
    for (const part of ["ab", "cd", "ef"]) {
      socket.write(part);
      const [chunk] = await once(request, "data");
      assert.equal(String(chunk), part);
    }
    socket.destroy();
  });

  it("passes the bytes before an abort on and reports the abort", async () => {
    const { socket, request } = await open("content-length: 10");
    const error = once(request, "error");
    socket.write("ab");
    assert.equal(String((await once(request, "data"))[0]), "ab");
    socket.destroy();
    assert.equal((await error)[0].code, "ECONNRESET");
  });
});
