/** Two real HTTP servers: one for clients, which forwards, and one on a Unix socket. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { LoopbackPeers } from "#test/loopback-peers";
import { forwardRequest, PEER_HEADER, restorePeer } from "./forward-request.ts";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-forward-"));
const peers = new LoopbackPeers();
let port = 0;
let waitMs = 10_000;
let socketPath: string | undefined;
let control: Server | undefined;
let sockets = 0;

before(async () => {
  const target = { socketPath: () => socketPath, clock: systemClock };
  const edge = createServer((incoming, response) => {
    void forwardRequest(incoming, response, { ...target, waitMs });
  });
  port = await peers.listen(edge, "127.0.0.1");
});
beforeEach(() => {
  waitMs = 10_000;
  socketPath = undefined;
});
afterEach(async () => {
  control?.closeAllConnections();
  if (control) await new Promise((resolve) => control?.close(resolve));
  control = undefined;
});
after(async () => {
  await peers.close();
  rmSync(folder, { recursive: true });
});

async function startControl(listener: RequestListener): Promise<void> {
  const path = join(folder, `${sockets++}.sock`);
  control = createServer(listener);
  control.listen(path);
  await once(control, "listening");
  socketPath = path;
}

function send(path: string, init?: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, init);
}

describe("a forwarded request", () => {
  it("arrives with method, path, body and the address of its client, which a client cannot choose", async () => {
    await startControl(async (incoming, response) => {
      restorePeer(incoming);
      const body = (await incoming.toArray()).join("");
      const { method, url, socket } = incoming;
      response.writeHead(201, { "x-answer": "yes" });
      response.end(
        JSON.stringify({ method, url, body, peer: socket.remoteAddress, header: incoming.headers[PEER_HEADER] }),
      );
    });
    const answer = await send("/api/groups?name=a", {
      method: "POST",
      body: "hello",
      headers: { [PEER_HEADER]: "10.9.8.7" },
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("x-answer"), "yes");
    assert.deepEqual(await answer.json(), {
      method: "POST",
      url: "/api/groups?name=a",
      body: "hello",
      peer: "127.0.0.1",
    });
  });

  it("waits until the control worker listens", async () => {
    const answer = send("/api/groups", { method: "POST", body: "{}" });
    setTimeout(() => void startControl((_, response) => response.end("started")), 300);
    assert.equal(await (await answer).text(), "started");
  });

  it("gets 503 when the control worker does not start in time", async () => {
    waitMs = 100;
    const answer = await send("/api/groups");
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get("retry-after"), "1");
  });

  it("is repeated if it reads and the control worker ended without an answer", async () => {
    let requests = 0;
    await startControl((incoming, response) => {
      if (++requests === 1) incoming.socket.destroy();
      else response.end("second");
    });
    const answer = await send("/api/groups");
    assert.equal(await answer.text(), "second");
    assert.equal(requests, 2);
  });

  it("is never repeated if it writes", async () => {
    let requests = 0;
    await startControl((incoming) => {
      requests++;
      incoming.socket.destroy();
    });
    const answer = await send("/api/groups", { method: "POST", body: "{}" });
    assert.equal(answer.status, 503);
    assert.equal(requests, 1);
  });

  it("ends its connection when it is rejected before its body was read", async () => {
    await startControl((_, response) => {
      response.writeHead(413);
      response.end("too large");
    });
    const client = connect(port, "127.0.0.1");
    client.write("POST /api/config HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\nfirst");
    let received = "";
    client.on("data", (chunk) => {
      received += chunk.toString();
    });
    await once(client, "end");
    assert.match(received, /^HTTP\/1\.1 413 /);
    assert.match(received, /connection: close/i);
    client.destroy();
  });

  it("ends at the control worker when its client leaves", async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await startControl((_, response) => arrived.resolve(response));
    const client = request({ port, host: "127.0.0.1", path: "/api/calls" });
    client.on("error", () => undefined);
    client.end();
    const response = await arrived.promise;
    client.destroy();
    await once(response, "close");
  });

  it("does not look complete when the control worker ends in the middle of its response", async () => {
    let socket: Socket | undefined;
    await startControl((incoming, response) => {
      socket = incoming.socket;
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
    });
    const answer = await send("/api/groups");
    assert.equal(answer.status, 200);
    socket?.destroy();
    await assert.rejects(answer.text());
  });
});
