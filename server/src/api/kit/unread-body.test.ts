import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { it } from "node:test";
import { bearer, onSqliteApi } from "#test/api";

onSqliteApi("a connection after a request with an unread body", (api) => {
  for (const [name, method, path, type] of [
    ["a GET", "GET", "/api/groups", "application/json"],
    ["another content type", "POST", "/api/groups", "text/plain"],
    ["an unknown path", "POST", "/api/unknown", "application/json"],
  ] as const) {
    it(`serves the next request after ${name}`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = async (verb: string, target: string, body: string) => {
        const headers = {
          ...bearer(api.service.token),
          "content-type": type,
          "content-length": Buffer.byteLength(body),
        };
        const outgoing = request(`${api.service.url}${target}`, { agent, method: verb, headers });
        outgoing.on("error", () => {}).end(body);
        const [response] = (await once(outgoing, "response")) as [IncomingMessage];
        await response.toArray();
        return response.statusCode;
      };
      await send(method, path, "x".repeat(900_000));
      assert.equal(await send("GET", "/api/groups", ""), 200);
      agent.destroy();
    });
  }
});
