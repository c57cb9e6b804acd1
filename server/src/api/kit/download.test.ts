import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { bearer } from "#test/api";
import { type ApiKit, openApiKit } from "#test/api-kit";
import { testClock } from "#test/clock";
import { download } from "./operation.ts";

const common = { tag: "Test", summary: "Test", scope: "admin:read", refusals: [], onCrash: "Failed to send" } as const;
/** More than a quarter of the memory for unread responses allows on any machine. */
const MOST_UNREAD = 40;
/** More than the connection and the streams hold. */
const MOST_BYTES = 64 * 1024 * 1024;
const media = { "text/plain": "Text" };

describe("a download", () => {
  let kit: ApiKit;
  const clock = testClock(Date.now());
  let stopped = Promise.withResolvers<void>();
  let running = 0;
  let port = 0;
  const refuses = download({
    ...common,
    id: "refuse",
    route: "GET /api/refuse",
    media,
    run: async () => {
      throw new Error("before the first piece");
    },
  });
  const breaks = download({
    ...common,
    id: "break",
    route: "GET /api/break",
    media,
    run: async () => ({
      type: "text/plain",
      fileName: "x.txt",
      pieces: (async function* () {
        yield "first";
        throw new Error("on the way");
      })(),
    }),
  });
  const neverEnds = download({
    ...common,
    id: "neverEnd",
    route: "GET /api/never-end",
    media,
    run: async () => ({
      type: "text/plain",
      fileName: "x.txt",
      pieces: (async function* () {
        running++;
        try {
          for (;;) yield "x".repeat(100_000);
        } finally {
          running--;
          stopped.resolve();
        }
      })(),
    }),
  });

  before(async () => {
    kit = await openApiKit(clock);
    const server = kit.serve([refuses, breaks, neverEnds]);
    await server.listen({ host: "127.0.0.1", port: 0 });
    ({ port } = server.server.address() as AddressInfo); // it listens on TCP
  });
  after(() => kit.close());

  const request = async (path: string): Promise<IncomingMessage> => {
    const headers = bearer(kit.token);
    const [response] = await once(get({ port, path, headers, agent: false }), "response");
    return response;
  };

  it("responds with an ordinary error when it fails before its first piece", async () => {
    const response = await request("/api/refuse");
    assert.equal(response.statusCode, 500);
    assert.equal(String(Buffer.concat(await response.toArray())), '{"error":"Failed to send"}');
  });

  it("closes the connection when it fails midway, so that a partial download does not look complete", async () => {
    const response = await request("/api/break");
    assert.equal(response.headers["content-disposition"], 'attachment; filename="x.txt"');
    await assert.rejects(response.toArray(), { code: "ECONNRESET" });
  });

  it("produces pieces only as fast as they are read, and stops when the reader disconnects", async () => {
    const response = await request("/api/never-end");
    await once(response, "readable");
    response.destroy();
    await stopped.promise;
  });

  it("rejects the downloads of a caller who reads none of many, before they start, until one ends (GW-10)", async (t) => {
    const unread: IncomingMessage[] = [];
    t.after(() => {
      for (const response of unread) response.destroy();
    });
    let refused: IncomingMessage | undefined;
    while (refused === undefined && unread.length < MOST_UNREAD) {
      const response = await request("/api/never-end");
      if (response.statusCode === 200) unread.push(response);
      else refused = response;
    }
    assert.deepEqual([refused?.statusCode, refused?.headers["retry-after"]], [503, "1"]);
    assert.match(String(Buffer.concat((await refused?.toArray()) ?? [])), /overloaded/);
    assert.equal(running, unread.length);
    stopped = Promise.withResolvers<void>();
    unread.pop()?.destroy();
    await stopped.promise;
    unread.push(await request("/api/never-end"));
    assert.equal(unread.at(-1)?.statusCode, 200);
    for (const response of unread) response.destroy();
    while (running > 0) await nextTurn();
  });

  it("ends for a caller whose token was deleted", async () => {
    stopped = Promise.withResolvers<void>();
    const response = await request("/api/never-end");
    await once(response, "readable");
    await kit.deleteToken();
    clock.advance(10_000);
    const read = async () => {
      let bytes = 0;
      for await (const chunk of response) {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) return;
      }
    };
    await assert.rejects(read(), { code: "ECONNRESET" });
    await stopped.promise;
  });
});
