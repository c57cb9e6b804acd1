import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { disconnectStalledReader } from "./stalled-reader.ts";

/** More than the buffers of a connection hold. */
const BYTES = 16 << 20;

describe("disconnectStalledReader (GW-10)", () => {
  const closed: unknown[] = [];
  let server: Server;
  let client: Socket;
  afterEach(() => {
    client.destroy();
    server.close();
    closed.length = 0;
  });

  async function start(handle: (response: ServerResponse) => void): Promise<void> {
    server = createServer((_request, response) => {
      disconnectStalledReader(response, { add: (reason, peer) => void closed.push([reason, peer]) });
      handle(response);
      // The same timeout, but soon.
      response.socket?.setTimeout(20);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    client = connect((server.address() as AddressInfo).port, "127.0.0.1"); // a TCP server's address is never a path
    client.on("error", () => {});
    client.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  }

  it("closes the connection of a client that stops reading, and says so", async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    await start((response) => {
      response.on("close", resolve);
      response.end(Buffer.alloc(BYTES));
    });
    client.pause();
    const failed = once(client, "error");
    await gone;
    assert.deepEqual(closed, [["unread", "127.0.0.1"]]);
    // Reset, so the client does not take what it has for the entire response.
    client.resume();
    const [error] = await failed;
    assert.equal(error.code, "ECONNRESET");
  });

  it("keeps the connection of a client that has read everything so far", async () => {
    await start((response) => {
      response.write("begin");
      response.once("timeout", () => response.end("rest"));
    });
    let text = "";
    while (!text.includes("rest")) text += String((await once(client, "data"))[0]);
    assert.deepEqual(closed, []);
  });
});
