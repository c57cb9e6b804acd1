import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("event streams of the gateway", (api) => {
  it("are marked so that proxies do not buffer or store them [S4.5-more]", async () => {
    const { credential } = await api.machineUser();
    const { headers } = await api.mcp(credential, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "acceptance", version: "1" },
    });
    const stop = new AbortController();
    const stream = await fetch(`${api.target.gatewayUrl}/mcp`, {
      headers: {
        authorization: `Bearer ${credential}`,
        accept: "text/event-stream",
        "mcp-protocol-version": "2025-06-18",
        "mcp-session-id": String(headers["mcp-session-id"]),
      },
      signal: stop.signal,
    });
    assert.equal(stream.status, 200);
    assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(stream.headers.get("x-accel-buffering"), "no");
    assert.equal(stream.headers.get("cache-control"), "no-store");
    stop.abort();
  });
});
