import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { type ConnectionLimit, limitConnections } from "./limit-connections.ts";

describe("limitConnections", () => {
  const sockets: Socket[] = [];
  const closed: unknown[] = [];
  let server: Server;
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  async function start(limit: ConnectionLimit, ...addresses: readonly string[]): Promise<void> {
    let connections = 0;
    server = createServer((_request, response) => void response.end("served"));
    // Every test connection comes from loopback, so the server sees the given address instead.
    server.prependListener("connection", (socket) => {
      Object.defineProperty(socket, "remoteAddress", { value: addresses[connections++ % addresses.length] });
    });
    closed.length = 0;
    limitConnections(server, limit, { add: (reason, peer) => void closed.push([reason, peer]) });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }

  /** Returns whether the server answers on a new connection, which stays open. */
  async function isServed(): Promise<boolean> {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1"); // a TCP server's address is never a path
    sockets.push(socket);
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    return Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
  }

  it("closes connections above the limit and accepts new ones after others have closed", async () => {
    await start({ perAddress: 2, exempt: [] }, "203.0.113.7");
    assert.deepEqual([await isServed(), await isServed(), await isServed()], [true, true, false]);
    assert.deepEqual(closed, [["limit", "203.0.113.7"]]);
    const [first] = sockets;
    first?.destroy();
    while ((await isServed()) === false) await new Promise(setImmediate);
    assert.equal(await isServed(), false);
  });

  it("counts the addresses of an IPv6 network as one, and mapped IPv4 addresses separately", async () => {
    await start({ perAddress: 2, exempt: [] }, "2001:db8:1:2::1", "2001:db8:1:2:3::", "2001:db8:1:2:ffff::9");
    assert.deepEqual([await isServed(), await isServed(), await isServed()], [true, true, false]);
    server.close();
    await start({ perAddress: 1, exempt: [] }, "::ffff:203.0.113.7", "::ffff:203.0.113.8");
    assert.deepEqual([await isServed(), await isServed(), await isServed()], [true, true, false]);
  });

  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "::ffff:10.1.2.3"]) {
    it(`does not limit ${address}, which is loopback or a trusted proxy`, async () => {
      await start({ perAddress: 1, exempt: ["10.0.0.0/8"] }, address);
      assert.deepEqual([await isServed(), await isServed()], [true, true]);
    });
  }

  it("does not limit anyone with 0", async () => {
    await start({ perAddress: 0, exempt: [] }, "203.0.113.7");
    assert.deepEqual([await isServed(), await isServed()], [true, true]);
  });
});
