import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { limitUnreadResponses } from "./limit-unread-responses.ts";
import { renderError } from "./render-error.ts";

const MB = 1024 * 1024;
/** More than the system buffers for a connection, and more than half of a payer's share. */
const RESPONSE = "x".repeat(32 * MB);
const LIMIT_BYTES = 200 * MB;
const JSON_TYPE = "application/json; charset=utf-8";

/** The payer is in a header. Large responses have 32 MiB, and small ones 10 bytes. */
async function startServer(t: TestContext) {
  const server = fastify({ forceCloseConnections: true });
  server.addHook("onRequest", async (request) => {
    request.payer = String(request.headers.payer);
  });
  limitUnreadResponses(server, LIMIT_BYTES);
  server.setErrorHandler((error, _request, reply) => {
    const { status, body, headers } = renderError(error, "Failed");
    return reply.code(status).headers(headers).send(body);
  });
  server.get("/late", async (_request, reply) => {
    await once(reply.raw, "close");
    return RESPONSE;
  });
  server.all("/large", (_request, reply) => reply.type("text/plain").header("etag", '"1"').send(RESPONSE));
  server.get("/small", (_request, reply) => reply.send("x".repeat(10)));
  const url = await server.listen({ port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });
  return {
    async open(path: string, payer: string): Promise<Socket> {
      const socket = connect(port, "localhost");
      sockets.push(socket);
      socket.on("error", () => {});
      await once(socket, "connect");
      await new Promise((sent) => socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\npayer: ${payer}\r\n\r\n`, sent));
      return socket;
    },
    async requestWithoutReading(payer: string): Promise<Socket> {
      const socket = await this.open("/large", payer);
      // Its first bytes show that the response was sent.
      await once(socket, "readable");
      return socket;
    },
    async send(method: string, path: string, payer: string) {
      const response = await fetch(`${url}${path}`, { method, headers: { payer } });
      return { status: response.status, headers: response.headers, bytes: (await response.text()).length };
    },
  };
}

it("rejects a large response of a caller who has not read others, until they are read (GW-10)", async (t) => {
  const server = await startServer(t);
  const unread = await server.requestWithoutReading("ada");
  const refused = await server.send("GET", "/large", "ada");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
  assert.deepEqual([refused.headers.get("etag"), refused.headers.get("content-type")], [null, JSON_TYPE]);
  assert.equal((await server.send("GET", "/small", "ada")).status, 200);
  assert.equal((await server.send("POST", "/large", "ada")).bytes, RESPONSE.length, "the change was made");
  assert.equal((await server.send("GET", "/large", "bob")).bytes, RESPONSE.length);
  unread.destroy();
  while ((await server.send("GET", "/large", "ada")).status !== 200) await sleep(5);
  assert.equal((await server.send("GET", "/large", "ada")).status, 200, "what was read counts no longer");
});

it("rejects large responses to everyone when no memory is left", async (t) => {
  const server = await startServer(t);
  for (let caller = 0; caller < 6; caller++) await server.requestWithoutReading(`caller ${caller}`);
  assert.equal((await server.send("GET", "/large", "another")).status, 503);
  assert.equal((await server.send("GET", "/small", "another")).status, 200);
});

it("does not count responses to callers who have disconnected", async (t) => {
  const server = await startServer(t);
  for (let request = 0; request < 10; request++) {
    const socket = await server.open("/late", "ada");
    await sleep(10);
    socket.destroy();
  }
  await sleep(100);
  assert.equal((await server.send("GET", "/large", "ada")).status, 200);
});
