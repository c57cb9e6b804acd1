import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { bearer } from "#test/api";
import { type ApiKit, openApiKit } from "#test/api-kit";
import { download } from "./operation.ts";

const common = { tag: "Test", summary: "Test", scope: "admin:read", refusals: [], onCrash: "Failed to send" } as const;
const media = { "text/plain": "Text" };

describe("a download", () => {
  let kit: ApiKit;
  const stopped = Promise.withResolvers<void>();
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
        try {
          for (;;) yield "x".repeat(100_000);
        } finally {
          stopped.resolve();
        }
      })(),
    }),
  });

  before(async () => {
    kit = await openApiKit();
  });
  after(() => kit.close());

  const request = async (path: string): Promise<IncomingMessage> => {
    const server = await kit.serve([refuses, breaks, neverEnds]);
    await server.listen({ host: "127.0.0.1", port: 0 });
    const { port } = server.server.address() as AddressInfo; // it listens on TCP
    const headers = bearer(kit.token);
    const [response] = await once(get({ port, path, headers }), "response");
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
});
